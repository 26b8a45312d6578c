// The import rules: which package may import which. Imports point down, packages of one layer do not import each other, and
// the lowest layer touches nothing. Where a package imports its neighbor all the same, its row says why.
package foyer_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayUse lists, for every package, the packages it may import.
var mayUse = map[string][]string{
	// ROOF: what is typed becomes settings, and settings become a service
	"cmd/foyer":           {"api", "app", "audit", "catalog", "cmd/foyer/buyers", "cmd/foyer/cli", "cmd/foyer/database", "cmd/foyer/leads", "cmd/foyer/operators", "config", "console", "demo", "sim", "store", "terminal", "webhook", "wire"},
	"cmd/foyer/buyers":    {"app", "buyer", "cmd/foyer/cli", "config", "lead", "operator", "operator/entered", "operator/query", "report", "store", "terminal", "webhook", "wire", "operator/accounts"},
	"cmd/foyer/database":  {"app", "cmd/foyer/cli", "config", "dbadmin", "keyring", "lead", "report", "store", "store/db", "store/migrations", "terminal", "wire"},
	"cmd/foyer/leads":     {"operator/sources", "app", "cmd/foyer/cli", "config", "lead", "operator", "operator/entered", "operator/query", "report", "source", "store", "terminal", "wire"},
	"cmd/foyer/operators": {"alert", "app", "audit", "cmd/foyer/cli", "config", "lead", "operator", "operator/access", "operator/entered", "report", "store", "terminal", "wire", "operator/alerts"},
	"cmd/foyer/cli":       {"app", "audit", "config", "lead", "operator", "operator/query", "store", "terminal", "wire"},
	"internal/app":        {"api", "alerter", "audit", "buyer", "catalog", "config", "console", "console/pages", "console/pages/page", "demo", "operator", "operator/access", "edge", "forward", "intake", "keyring", "lead", "limit", "mcp", "source", "store", "web", "webhook"}, // it opens the database that demo fills
	"internal/config":     {"catalog", "lead", "limit", "mail"},                                                                                                                                                                                                                    // a rate that was typed is the one that is counted by
	"internal/demo":       {"audit", "buyer", "catalog", "forward", "intake", "lead", "limit", "operator", "operator/entered", "place", "source", "store", "store/leadcounts", "store/search", "webhook"},
	// DOORS
	"internal/api":                   {"edge", "wire", "intake", "catalog", "lead", "place"},
	"internal/mcp":                   {"edge", "wire", "intake", "catalog", "lead"},
	"internal/web":                   {"docs", "edge", "look", "wire", "intake", "catalog", "lead", "place"},
	"internal/console":               {"console/openapi", "console/operation", "console/operations", "catalog", "edge", "lead", "operator", "operator/entered", "wire"},
	"internal/console/openapi":       {"console/operation", "console/operations", "buyer", "catalog", "lead", "source", "store", "wire"},
	"internal/console/operations":    {"console/operation", "alert", "audit", "buyer", "lead", "operator", "operator/entered", "operator/sources", "operator/query", "report", "source", "store", "wire", "operator/accounts", "operator/alerts"},
	"internal/console/operation":     {"audit", "buyer", "catalog", "lead", "operator", "operator/entered", "store", "wire"},
	"internal/console/pages":         {"console", "console/pages/buyers", "console/pages/insight", "console/pages/keeping", "console/pages/page", "console/pages/signin", "console/pages/work", "edge", "operator/entered", "store"},
	"internal/console/pages/signin":  {"console", "console/pages/page", "audit", "catalog", "edge", "lead", "operator/access", "store", "wire"},
	"internal/console/pages/work":    {"operator/sources", "console", "console/chart", "console/pages/page", "alert", "audit", "buyer", "catalog", "lead", "operator", "operator/entered", "operator/query", "report", "source", "store", "terminal"},
	"internal/console/pages/buyers":  {"console", "console/chart", "console/operation", "console/pages/page", "buyer", "catalog", "lead", "operator/entered", "operator/query", "report", "store", "terminal", "wire"},
	"internal/console/pages/insight": {"console", "console/chart", "console/pages/page", "audit", "buyer", "lead", "operator", "operator/entered", "operator/query", "report", "store", "terminal", "wire"},
	"internal/console/pages/keeping": {"console/pages/page", "alert", "audit", "buyer", "catalog", "lead", "report", "store", "terminal", "wire", "operator/alerts"},
	"internal/console/pages/page":    {"console", "console/chart", "console/operation", "audit", "buyer", "catalog", "edge", "lead", "look", "operator", "operator/access", "operator/entered", "operator/query", "report", "store", "terminal", "wire"},
	"internal/console/chart":         {"place"}, // it draws values, and knows nothing of what they count but the names of states
	// FRAME
	"internal/look":     {"edge", "catalog"},
	"internal/edge":     {"wire", "catalog", "lead", "limit"}, // an error looks on the wire like everything else, and a client is what limits count
	"internal/wire":     {"lead"},
	"internal/report":   {"alert", "buyer", "forward", "lead", "operator", "operator/entered", "operator/query", "store", "terminal", "wire", "operator/accounts", "operator/alerts", "operator/sources"}, // JSON for programs and text for a terminal, of the same things
	"internal/terminal": {},
	// WORK
	"internal/intake":            {"catalog", "lead", "source"},
	"internal/forward":           {"audit", "buyer", "lead", "store", "webhook"},
	"internal/alerter":           {"alert", "audit", "buyer", "lead", "mail", "store", "webhook"},
	"internal/operator":          {"alert", "audit", "buyer", "forward", "lead", "operator/access", "operator/accounts", "operator/alerts", "operator/entered", "operator/query", "operator/sources", "source", "store", "webhook"}, // it explains what the forwarder would do, so it asks the forwarder's own rules
	"internal/operator/sources":  {"audit", "lead", "operator/entered", "operator/query", "source", "store"},
	"internal/operator/accounts": {"audit", "buyer", "forward", "lead", "operator/entered", "operator/query", "store"}, // held leads are checked again once there is money
	"internal/operator/alerts":   {"alert", "alerter", "audit", "lead", "mail", "operator/entered", "store"},           // a test of a way says what the alerter would
	"internal/operator/access":   {"audit", "catalog", "lead", "operator/entered", "store"},
	"internal/operator/query":    {"buyer", "lead", "operator/entered", "place", "source", "store"},
	"internal/operator/entered":  {"alert", "audit", "buyer", "lead", "place", "source", "store"},
	// BACK
	"internal/dbadmin":               {"audit", "buyer", "lead", "source", "store", "store/db", "store/leadcounts", "store/migrations", "store/offercounts", "store/postgres", "store/rows", "store/search", "store/sources", "store/sqlite", "store/alerts"}, // only commands use it
	"internal/store":                 {"audit", "buyer", "lead", "store/alerts", "store/users", "store/arrivals", "store/commit", "store/consents", "store/counts", "store/db", "store/follow", "store/leadcounts", "store/ledger", "store/legalholds", "store/locks", "store/migrations", "store/offercounts", "store/persons", "store/postgres", "store/queue", "store/returns", "store/rows", "store/saves", "store/search", "store/sources", "store/sqlite", "store/tokens", "store/keys", "store/privacyrequests", "store/suppressions", "store/timeline"},
	"internal/store/rows":            {"audit", "buyer", "lead", "store/db"},
	"internal/store/commit":          {"store/db"},
	"internal/store/counts":          {"lead", "store/commit", "store/db"},
	"internal/store/ledger":          {"buyer", "lead", "store/db", "store/rows"},
	"internal/store/search":          {"buyer", "lead", "store/arrivals", "store/db", "store/follow", "store/rows"},
	"internal/store/follow":          {"store/db"},
	"internal/store/leadcounts":      {"buyer", "lead", "source", "store/db", "store/follow", "store/rows", "store/sources"},
	"internal/store/consents":        {"lead", "store/db", "store/rows"},
	"internal/store/sources":         {"buyer", "source", "store/consents", "store/db", "store/rows"},
	"internal/store/keys":            {"store/db", "store/rows", "store/search"}, // the search index is of no use with other keys
	"internal/store/privacyrequests": {"lead", "store/db", "store/rows"},
	"internal/store/suppressions":    {"store/db", "store/rows"},
	"internal/store/timeline":        {"buyer", "lead", "store/db", "store/rows", "store/search"},
	"internal/store/tokens":          {"store/db", "store/rows"},
	"internal/store/legalholds":      {"lead", "store/db", "store/rows"},
	"internal/store/users":           {"store/db", "store/rows"},
	"internal/store/alerts":          {"alert", "store/db", "store/rows"},
	"internal/store/returns":         {"buyer", "lead", "store/db", "store/rows"},
	"internal/store/offercounts":     {"buyer", "store/db"},
	"internal/store/locks":           {"lead", "store/db"},
	"internal/store/arrivals":        {"store/db", "store/rows"},
	"internal/store/persons":         {"lead", "store/db", "store/rows"},
	"internal/store/queue":           {"store/db", "store/rows"},
	"internal/store/saves":           {"lead", "store/db", "store/rows"},
	"internal/store/migrations":      {"store/db"},
	"internal/store/postgres":        {"store/db"},
	"internal/store/sqlite":          {"store/db"},
	"internal/store/db":              {},
	"internal/webhook":               {},
	"internal/mail":                  {},
	"internal/sim":                   {"webhook"}, // it checks the signatures that webhook makes
	"internal/limit":                 {"lead"},
	"internal/keyring":               {},
	// GROUND: the words of the trade are in lead; the others speak with them
	"internal/catalog": {"lead"},
	"internal/buyer":   {"lead"},
	"internal/source":  {"lead", "buyer"}, // what leads cost and what they bring in is compared, so it is the same money
	"internal/alert":   {"buyer"},
	"internal/audit":   {"lead"}, // the history of a lead names an actor by its role
	"internal/lead":    {},
	"internal/place":   {},
}

// standardOnly are the packages that import nothing but the standard library.
var standardOnly = []string{"internal/alert", "internal/audit", "internal/lead", "internal/buyer", "internal/catalog", "internal/intake", "internal/keyring", "internal/place", "internal/source"}

// mayConnect are the packages that may import a database driver.
var mayConnect = []string{"internal/store/sqlite", "internal/store/postgres", "internal/dbadmin"}

// onlyIn lists libraries, and the packages that may import them.
var onlyIn = map[string][]string{
	"modernc.org/sqlite":              mayConnect,
	"github.com/jackc/pgx":            mayConnect,
	"github.com/wneessen/go-mail":     {"internal/mail"},
	"github.com/go-webauthn/webauthn": {"internal/console/pages/signin"}, // operator and store know a passkey as text
}

// TestLibrariesStayInTheirPackages keeps the rest of the program from depending on one engine, or on how passkeys are verified.
func TestLibrariesStayInTheirPackages(t *testing.T) {
	for pkg, files := range packages(t) {
		for path, file := range files {
			for _, spec := range file.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				for library, allowed := range onlyIn {
					if strings.HasPrefix(imported, library) && !slices.Contains(allowed, pkg) {
						t.Errorf("%s imports %s", path, imported)
					}
				}
			}
		}
	}
}

// outside are the parts of the standard library that reach a clock, a file, a network or chance.
var outside = []string{"os", "net", "net/http", "io/fs", "crypto/rand", "math/rand", "math/rand/v2", "database/sql", "log", "log/slog"}

// clock are the parts of package time that read the machine: its clock, or its time zones.
var clock = []string{"Now", "Since", "Until", "LoadLocation"}

// readsZones is the one file of the lowest layer that may read a time zone: opening hours are kept by the zone's name, and
// only the table of zones knows what it means. The program carries one along for machines that have none.
const readsZones = "internal/buyer/hours.go"

func TestImportsPointDown(t *testing.T) {
	for pkg, files := range packages(t) {
		allowed, known := mayUse[pkg]
		if !known {
			t.Errorf("%s is not in house_test.go: give it a layer", pkg)
			continue
		}
		for _, file := range files {
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				other, ours := strings.CutPrefix(path, "foyer/")
				other = strings.TrimPrefix(other, "internal/")
				switch {
				case ours && !slices.Contains(allowed, other):
					t.Errorf("%s may not import %s", pkg, other)
				case !ours && strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && slices.Contains(standardOnly, pkg):
					t.Errorf("%s imports %s, but uses the standard library only", pkg, path)
				}
			}
		}
	}
}

func TestGroundTouchesNothing(t *testing.T) {
	all := packages(t)
	for _, pkg := range []string{"internal/alert", "internal/audit", "internal/lead", "internal/buyer", "internal/catalog", "internal/place", "internal/source"} {
		for path, file := range all[pkg] {
			for _, spec := range file.Imports {
				if imported, _ := strconv.Unquote(spec.Path.Value); slices.Contains(outside, imported) {
					t.Errorf("%s imports %s", path, imported)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.SelectorExpr); ok && isIdent(call.X, "time") && slices.Contains(clock, call.Sel.Name) {
					if call.Sel.Name != "LoadLocation" || path != readsZones {
						t.Errorf("%s reads the machine: time.%s", path, call.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// TestEveryPackageHasAComment wants a comment that says what the package is for.
func TestEveryPackageHasAComment(t *testing.T) {
	for pkg, files := range packages(t) {
		if !slices.ContainsFunc(slices.Collect(maps.Values(files)), func(f *ast.File) bool { return f.Doc != nil }) {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

// The bounds of a package, tests aside: whoever looks for something in it reads its list of files, and then one of them.
const (
	maxPackageLines = 2500
	maxPackageFiles = 25
)

// mayBeLarge are the packages beyond the bounds, and why.
var mayBeLarge = map[string]string{
	"internal/store/storetest": "a contract that both engines pass, with a file for each of its parts: it is a test, though not by its name",
	"bench":                    "a program that measures, with a file for each measurement; nothing imports it, and it does not ship",
}

// TestPackagesStaySmall holds the bounds for all packages of the module. A package that returns within them loses its exception.
func TestPackagesStaySmall(t *testing.T) {
	lines, files := make(map[string]int), make(map[string]int)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && path != "."):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		pkg := filepath.ToSlash(filepath.Dir(path))
		lines[pkg] += bytes.Count(text, []byte("\n"))
		files[pkg]++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range files {
		_, excepted := mayBeLarge[pkg]
		switch large := lines[pkg] > maxPackageLines || files[pkg] > maxPackageFiles; {
		case large && !excepted:
			t.Errorf("%s has %d lines in %d files: the bounds are %d in %d. Give what stands together a package of its own", pkg, lines[pkg], files[pkg], maxPackageLines, maxPackageFiles)
		case !large && excepted:
			t.Errorf("%s needs no exception: it has %d lines in %d files", pkg, lines[pkg], files[pkg])
		}
	}
	for pkg := range mayBeLarge {
		if files[pkg] == 0 {
			t.Errorf("%s has an exception, and no files", pkg)
		}
	}
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// packages are the parsed files of every package by their paths, tests aside.
func packages(t *testing.T) map[string]map[string]*ast.File {
	t.Helper()
	packages := make(map[string]map[string]*ast.File)
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "storetest") || strings.Contains(path, "apptest") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			pkg := filepath.ToSlash(filepath.Dir(path))
			if packages[pkg] == nil {
				packages[pkg] = make(map[string]*ast.File)
			}
			packages[pkg][filepath.ToSlash(path)] = file
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return packages
}
