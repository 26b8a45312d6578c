package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logged is a log line as the source has it, with … where a value is inserted.
type logged struct {
	text  string
	where string
	loud  bool // a warning or an error: an operator may have to act on it
}

// byLevel lists the places that name a level themselves, and the lines they write.
var byLevel = map[string]string{
	"internal/app/listener.go": "http: …", // what net/http says
	"internal/terminal/log.go": "",        // only reads the level of others
}

// logSource is the source of the service, and what was found in it.
type logSource struct {
	*testing.T
	set   *token.FileSet
	files map[string]*ast.File
	lines []logged
	seen  map[string]bool // functions already followed
}

// linesInSource collects every line that the service can log, except those of requests. A text that cannot be read from the
// source is an error, so that none is silently left out.
func linesInSource(t *testing.T) []logged {
	t.Helper()
	s := &logSource{T: t, set: token.NewFileSet(), files: map[string]*ast.File{}, seen: map[string]bool{}}
	for _, folder := range []string{"internal", "cmd"} {
		s.parse(folder)
	}
	s.calls(func(path string, in *ast.FuncDecl, call *ast.CallExpr) {
		if level := called(call); slices.Contains([]string{"Info", "Warn", "Error"}, level) && len(call.Args) > 0 {
			s.addLine(path, in, call.Args[0], level != "Info")
		}
	})
	s.levels()
	return s.lines
}

func (s *logSource) parse(folder string) {
	err := filepath.WalkDir("../../"+folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(s.set, path, nil, 0)
		if err == nil && !imports(f, "testing") { // a test's Error is not a log line
			s.files[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = f
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

func imports(f *ast.File, path string) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(path) })
}

// calls visits every call, and the function that contains it.
func (s *logSource) calls(show func(path string, in *ast.FuncDecl, call *ast.CallExpr)) {
	for path, f := range s.files {
		for _, d := range f.Decls {
			in, _ := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					show(path, in, call)
				}
				return true
			})
		}
	}
}

// called returns the name of what is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// addLine records a line. If the text is a parameter, it is looked up where the function is called.
func (s *logSource) addLine(path string, in *ast.FuncDecl, message ast.Expr, loud bool) {
	text, where := textOf(message), s.set.Position(message.Pos()).String()
	if strings.Trim(text, "… ") != "" {
		s.lines = append(s.lines, logged{text, where, loud})
		return
	}
	before := len(s.lines)
	switch m := message.(type) {
	case *ast.Ident:
		s.follow(path, in, m.Name, loud)
	case *ast.SelectorExpr:
		if m.Sel.Name == "What" {
			s.findings(loud)
		}
	}
	if len(s.lines) == before {
		s.Errorf("%s: nobody can tell what this line of the log says: write it out", where)
	}
}

// follow collects the texts that callers in the same package pass to a function.
func (s *logSource) follow(path string, in *ast.FuncDecl, parameter string, loud bool) {
	place := paramIndex(in, parameter)
	if place < 0 || s.seen[path+in.Name.Name] {
		return
	}
	s.seen[path+in.Name.Name] = true
	s.calls(func(from string, caller *ast.FuncDecl, call *ast.CallExpr) {
		if called(call) == in.Name.Name && filepath.Dir(from) == filepath.Dir(path) && len(call.Args) > place {
			s.addLine(from, caller, call.Args[place], loud)
		}
	})
}

// paramIndex returns the index of a function's parameter, or -1.
func paramIndex(in *ast.FuncDecl, name string) int {
	if in == nil {
		return -1
	}
	n := 0
	for _, field := range in.Type.Params.List {
		for _, p := range field.Names {
			if p.Name == name {
				return n
			}
			n++
		}
	}
	return -1
}

// findings collects what the store reports about a server's settings at its start: what CheckSettings and the functions it
// calls can find.
func (s *logSource) findings(loud bool) {
	asked := map[string]bool{}
	s.calls(func(path string, in *ast.FuncDecl, call *ast.CallExpr) {
		if in != nil && in.Name.Name == "CheckSettings" && strings.HasPrefix(path, "internal/store/") {
			asked[called(call)] = true
		}
	})
	for path, f := range s.files {
		for _, d := range f.Decls {
			in, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(path, "internal/store/") || in.Name.Name != "CheckSettings" && !asked[in.Name.Name] {
				continue
			}
			ast.Inspect(in, func(n ast.Node) bool {
				if kv, ok := n.(*ast.KeyValueExpr); ok {
					if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "What" {
						s.addLine(path, nil, kv.Value, loud)
					}
				}
				return true
			})
		}
	}
}

// levels finds lines that are logged in another way than by Warn and Error.
func (s *logSource) levels() {
	for path, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if !ok || x.Sel.Name != "LevelWarn" && x.Sel.Name != "LevelError" {
				return true
			}
			text, known := byLevel[path]
			if where := s.set.Position(x.Pos()).String(); !known {
				s.Errorf("%s: write this line with Warn or Error, or tell this test what it says", where)
			} else if text != "" {
				s.lines = append(s.lines, logged{text, where, true})
			}
			return true
		})
	}
}

var verb = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z]`)

// textOf returns a text of the source, with … for what is known only at run time.
func textOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(x.Value); err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return textOf(x.X) + textOf(x.Y)
	case *ast.ParenExpr:
		return textOf(x.X)
	case *ast.CallExpr:
		if called(x) == "Sprintf" && len(x.Args) > 0 {
			return verb.ReplaceAllString(textOf(x.Args[0]), "…")
		}
	}
	return "…"
}
