// The rules of the house: which room may lean on which. Imports point down, siblings do not know each other, and the
// ground floor touches nothing.
package foyer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayUse lists, for every room, the rooms it may lean on.
var mayUse = map[string][]string{
	// ROOF
	"cmd/foyer":       {"app", "api", "buyer", "catalog", "config", "desk", "forward", "lead", "sim", "store", "webhook", "wire"},
	"internal/app":    {"api", "buyer", "catalog", "config", "desk", "edge", "forward", "intake", "lead", "limit", "mcp", "store", "web", "webhook"},
	"internal/config": {"catalog", "limit"},
	// DOORS
	"internal/api":  {"edge", "wire", "intake", "catalog", "lead", "place"},
	"internal/mcp":  {"edge", "wire", "intake", "catalog", "lead"},
	"internal/web":  {"edge", "wire", "intake", "catalog", "lead", "place"},
	"internal/edge": {"wire", "catalog", "lead"},
	"internal/wire": {"lead"},
	// WORK
	"internal/intake":  {"catalog", "lead"},
	"internal/forward": {"buyer", "lead"},
	"internal/desk":    {"buyer", "forward", "lead"},
	// BACK
	"internal/store":   {"buyer", "lead"},
	"internal/webhook": {},
	"internal/sim":     {"webhook"},
	"internal/limit":   {"lead"},
	// GROUND
	"internal/catalog": {"lead"},
	"internal/buyer":   {"lead"},
	"internal/lead":    {},
	"internal/place":   {},
}

// standardOnly are the rooms that import nothing but the standard library.
var standardOnly = []string{"internal/lead", "internal/catalog", "internal/intake", "internal/place"}

// outside are the parts of the standard library that reach a clock, a file, a network or chance.
var outside = []string{"os", "net", "net/http", "io/fs", "crypto/rand", "math/rand", "math/rand/v2", "database/sql", "log", "log/slog"}

func TestImportsPointDown(t *testing.T) {
	for room, files := range rooms(t) {
		allowed, known := mayUse[room]
		if !known {
			t.Errorf("%s is a room that house_test.go does not know: give it a floor", room)
			continue
		}
		for _, file := range files {
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				other, ours := strings.CutPrefix(path, "foyer/internal/")
				switch {
				case ours && !slices.Contains(allowed, other):
					t.Errorf("%s may not lean on internal/%s", room, other)
				case !ours && strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && slices.Contains(standardOnly, room):
					t.Errorf("%s imports %s, but uses the standard library only", room, path)
				}
			}
		}
	}
}

func TestGroundTouchesNothing(t *testing.T) {
	all := rooms(t)
	for _, room := range []string{"internal/lead", "internal/catalog", "internal/place"} {
		for _, file := range all[room] {
			for _, spec := range file.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); slices.Contains(outside, path) {
					t.Errorf("%s imports %s", room, path)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.SelectorExpr); ok && isIdent(call.X, "time") && slices.Contains([]string{"Now", "Since", "Until"}, call.Sel.Name) {
					t.Errorf("%s reads the clock: time.%s", room, call.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestEveryRoomIntroducesItself wants a package comment that says what the room is for.
func TestEveryRoomIntroducesItself(t *testing.T) {
	for room, files := range rooms(t) {
		if !slices.ContainsFunc(files, func(f *ast.File) bool { return f.Doc != nil }) {
			t.Errorf("%s has no package comment", room)
		}
	}
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// rooms are the parsed files of every package, tests aside.
func rooms(t *testing.T) map[string][]*ast.File {
	t.Helper()
	rooms := make(map[string][]*ast.File)
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "storetest") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			rooms[filepath.ToSlash(filepath.Dir(path))] = append(rooms[filepath.ToSlash(filepath.Dir(path))], file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rooms
}
