package foyer_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw docs/architecture.svg again")

// floors are the packages from top to bottom, as ARCHITECTURE.md lists them.
var floors = []struct {
	name     string
	packages []string
}{
	{"COMMANDS", []string{"cmd/foyer", "cmd/foyer/leads", "cmd/foyer/buyers", "cmd/foyer/operators", "cmd/foyer/database", "cmd/foyer/cli"}},
	{"ROOF", []string{"internal/app", "internal/demo", "internal/config"}},
	{"DOORS", []string{"internal/api", "internal/mcp", "internal/web", "internal/console/pages"}},
	{"PAGES", []string{"internal/console/pages/work", "internal/console/pages/buyers", "internal/console/pages/insight", "internal/console/pages/keeping", "internal/console/pages/signin"}},
	{"PAGE", []string{"internal/console/pages/page"}},
	{"CONSOLE", []string{"internal/console"}},
	{"OPERATIONS", []string{"internal/console/openapi", "internal/console/operations", "internal/console/operation", "internal/console/chart"}},
	{"FRAME", []string{"internal/look", "internal/edge", "internal/wire", "internal/report", "internal/terminal"}},
	{"WORK", []string{"internal/intake", "internal/operator", "internal/operator/accounts", "internal/operator/sources", "internal/operator/alerts", "internal/forward", "internal/alerter"}},
	{"OPERATOR", []string{"internal/operator/access", "internal/operator/query", "internal/operator/entered"}},
	{"BACK", []string{"internal/keyring", "internal/limit", "internal/dbadmin", "internal/store", "internal/webhook", "internal/mail", "internal/sim"}},
	{"STORE", []string{"internal/store/timeline", "internal/store/leadcounts", "internal/store/keys", "internal/store/saves", "internal/store/queue", "internal/store/offercounts", "internal/store/ledger", "internal/store/returns", "internal/store/search", "internal/store/arrivals", "internal/store/sources", "internal/store/legalholds", "internal/store/consents", "internal/store/privacyrequests", "internal/store/suppressions", "internal/store/persons", "internal/store/locks", "internal/store/tokens", "internal/store/users", "internal/store/alerts", "internal/store/counts"}},
	{"ENGINES", []string{"internal/store/rows", "internal/store/follow", "internal/store/commit", "internal/store/migrations", "internal/store/sqlite", "internal/store/postgres", "internal/store/db"}},
	{"GROUND", []string{"internal/place", "internal/catalog", "internal/lead", "internal/buyer", "internal/source", "internal/alert", "internal/audit"}},
}

// TestPictureIsTrue compares docs/architecture.svg with the imports in the source.
func TestPictureIsTrue(t *testing.T) {
	want := picture(t)
	const path = "docs/architecture.svg"
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("the imports changed: draw %s again with go test . -update, and look at it", path)
	}
}

const (
	pictureWidth = 960
	rowHeight    = 76
	boxesInRow   = 7
	boxWidth     = 112
	boxHeight    = 36
)

const pictureStyle = `<style>
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1d2b2a; text-anchor: middle }
.floor { fill: #f3f0ea } .name { font-size: 11px; letter-spacing: 1px; fill: #6b7573; text-anchor: start }
.box { fill: #fff; stroke: #0b5d56; stroke-width: 1.5 } .import { fill: none; stroke: #0b5d56; stroke-opacity: .35; stroke-width: 1.2 }
@media (prefers-color-scheme: dark) { text { fill: #e8ecea } .floor { fill: #1a2322 } .name { fill: #9aa6a3 } .box { fill: #24302e; stroke: #57b5aa } .import { stroke: #57b5aa; stroke-opacity: .45 } }
</style>
`

// point is the middle of a package's box.
type point struct{ x, y int }

// picture draws a box for each package and a line for each import, which runs down or to a neighbor. An import has no line of its own if
// another way leads to the same package.
func picture(t *testing.T) string {
	places, height, boxes := layOut()
	all := imports(t)
	var lines strings.Builder
	for pkg, used := range all {
		if _, placed := places[pkg]; !placed {
			t.Errorf("%s stands on no floor of the picture", pkg)
		}
		for _, other := range used {
			from, to := places[pkg], places[other]
			if from.y > to.y {
				t.Errorf("%s imports %s, which is above it", pkg, other)
			}
			if slices.ContainsFunc(used, func(between string) bool { return between != other && reaches(all, between, other) }) {
				continue
			}
			bend := (to.y - from.y) / 2
			if from.y == to.y {
				bend = boxHeight
			}
			fmt.Fprintf(&lines, "<path class=\"import\" d=\"M%d %dC%d %d %d %d %d %d\"/>\n", from.x, from.y, from.x, from.y+bend, to.x, to.y-bend, to.x, to.y)
		}
	}
	sorted := strings.SplitAfter(lines.String(), "\n")
	slices.Sort(sorted)
	bands, rest, _ := strings.Cut(boxes, "<!-- boxes -->\n")
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"The packages of Foyer on their floors; imports run down\">\n",
		pictureWidth, height) + pictureStyle + bands + strings.Join(sorted, "") + rest + "</svg>\n"
}

// reaches reports whether one package imports another, directly or through others.
func reaches(all map[string][]string, from, to string) bool {
	return slices.ContainsFunc(all[from], func(next string) bool { return next == to || reaches(all, next, to) })
}

// layOut places the packages of each floor in rows, and draws the floors and the boxes.
func layOut() (places map[string]point, height int, drawn string) {
	places = make(map[string]point)
	var bands, boxes strings.Builder
	for _, f := range floors {
		top := height
		for row := range slices.Chunk(f.packages, boxesInRow) {
			gap := (pictureWidth - 80) / len(row)
			for j, p := range row {
				at := point{80 + gap*j + gap/2, height + rowHeight/2 - 3}
				places[p] = at
				fmt.Fprintf(&boxes, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n<text x=\"%d\" y=\"%d\">%s</text>\n",
					at.x-boxWidth/2, at.y-boxHeight/2, boxWidth, boxHeight, at.x, at.y+5, boxName(p))
			}
			height += rowHeight
		}
		fmt.Fprintf(&bands, "<rect class=\"floor\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n<text class=\"name\" x=\"10\" y=\"%d\">%s</text>\n", top, pictureWidth, height-top-6, top+18, f.name)
	}
	return places, height, bands.String() + "<!-- boxes -->\n" + boxes.String()
}

// boxName is the name of a package without what its floor says.
func boxName(pkg string) string {
	name := strings.TrimPrefix(pkg, "internal/")
	for _, above := range []string{"store/", "operator/", "console/pages/", "console/", "cmd/foyer/"} {
		name = strings.TrimPrefix(name, above)
	}
	return name
}

// imports lists, for every package, the packages of this module that it imports.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for pkg, files := range packages(t) {
		for _, file := range files {
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if other, ours := strings.CutPrefix(path, "foyer/"); ours && (strings.HasPrefix(other, "internal/") || strings.HasPrefix(other, "cmd/")) {
					all[pkg] = append(all[pkg], other)
				}
			}
		}
		slices.Sort(all[pkg])
		all[pkg] = slices.Compact(all[pkg])
	}
	return all
}
