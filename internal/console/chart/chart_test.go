package chart_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/internal/console/chart"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	single := chart.Time{Title: "One day", Unit: chart.Percent, Now: chart.Series{Name: "Accepted", Points: []chart.Point{{Label: "Mon 2 Nov", Value: 81}}}}
	for name, got := range map[string]template.HTML{
		"time":        hours().SVG(),
		"time-table":  hours().Table(),
		"time-single": single.SVG(),
		"time-empty":  chart.Time{Title: "Leads an hour"}.SVG() + "\n" + chart.Time{Title: "Leads an hour"}.Table(),
		"line":        speed().SVG(),
		"bars":        declines().SVG(),
		"bars-split":  sources().SVG() + "\n" + sources().Table(),
		"gauge":       chart.Gauge{Title: "Money in November", Used: 412_000, Reserved: 13_500, Limit: 500_000, Unit: chart.Cents}.SVG(),
		"map":         country().SVG(),
	} {
		path := filepath.Join("testdata", name+".html")
		if *update {
			if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != string(got)+"\n" {
			t.Errorf("%s changed; if that is meant, run make golden, and look at the page that TestPage writes", path)
		}
		wantSafe(t, string(got))
	}
}

func TestStyleSheetIsSmall(t *testing.T) {
	if len(chart.CSS) == 0 || len(chart.CSS) > 4096 {
		t.Errorf("the style sheet has %d bytes", len(chart.CSS))
	}
}

// elements are all that charts consist of.
var elements = strings.Fields("figure figcaption ul li p svg g a rect line path circle text title desc table caption thead tbody tr th td")

// attributes are all that they have.
var attributes = strings.Fields("class id role aria-labelledby aria-label aria-current aria-hidden data-tone width height viewBox preserveAspectRatio overflow pointer-events " +
	"x y x1 x2 y1 y2 cx cy r rx d text-anchor vector-effect href scope colspan")

// wantSafe wants well-formed XML of known elements and attributes only, numbers that are numbers, and no id twice.
func wantSafe(t rapid.TB, markup string) {
	t.Helper()
	ids := make(map[string]bool)
	decoder := xml.NewDecoder(strings.NewReader("<body>" + markup + "</body>"))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %.2000s", err, markup)
		}
		element, ok := token.(xml.StartElement)
		if !ok || element.Name.Local == "body" {
			continue
		}
		if !slices.Contains(elements, element.Name.Local) {
			t.Fatalf("there is an element %s in %.2000s", element.Name.Local, markup)
		}
		for _, a := range element.Attr {
			wantSafeAttribute(t, a, ids)
		}
	}
}

func wantSafeAttribute(t rapid.TB, a xml.Attr, ids map[string]bool) {
	t.Helper()
	switch name := a.Name.Local; {
	case !slices.Contains(attributes, name):
		t.Fatalf("there is an attribute %s", name)
	case name == "id" && ids[a.Value]:
		t.Fatalf("the id %s is there twice", a.Value)
	case name == "id":
		ids[a.Value] = true
	case name == "href" && strings.Contains(strings.ToLower(a.Value), "script:"):
		t.Fatalf("there is a link to %s", a.Value)
	case len(name) <= 2 || name == "width" || name == "height" || name == "viewBox":
		if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || strings.Contains(a.Value, "e+") {
			t.Fatalf("%s is %s", name, a.Value)
		}
	}
}

// texts are any, and those that break things.
var texts = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
	"", `"><script>alert(1)</script>`, `' style='color:red`, "<b>&amp;</b>", "]]>", "\x00\x01\xff\ufffe", strings.Repeat("long ", 2000), "JavaScript:alert(1)", "--><!--", "TX", "PR",
}))

// values are any, and those that break scales.
var values = rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 5000), rapid.SampledFrom([]float64{
	0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1), 1,
}))

var units = rapid.SampledFrom([]chart.Unit{chart.Count, chart.Cents, chart.Percent, chart.Duration, 99, -1})

func drawSeries(t *rapid.T) chart.Series {
	s := chart.Series{Name: texts.Draw(t, "name")}
	label, size := texts.Draw(t, "label"), rapid.SampledFrom([]int{0, 1, 2, 7, 24, 130, 366}).Draw(t, "size")
	few := rapid.SliceOfN(values, 1, 7).Draw(t, "values")
	for i := range size {
		s.Points = append(s.Points, chart.Point{Label: label, Value: few[i%len(few)]})
	}
	return s
}

func TestAnyChartIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit, title, note := units.Draw(t, "unit"), texts.Draw(t, "title"), texts.Draw(t, "note")
		size := rapid.SampledFrom([]int{0, -5, 1, 360, 720, 5000})
		before := drawSeries(t)
		time := chart.Time{ID: texts.Draw(t, "id"), Title: title, Note: note, Unit: unit, Now: drawSeries(t), Before: &before, Width: size.Draw(t, "width"), Height: size.Draw(t, "height")}
		line := chart.Line{Title: title, Note: note, Unit: unit}
		for range rapid.IntRange(0, 7).Draw(t, "lines") {
			line.Series = append(line.Series, drawSeries(t))
		}
		for _, markup := range []template.HTML{time.SVG(), time.Table(), line.SVG(), line.Table()} {
			wantSafe(t, string(markup))
		}
	})
}

func TestAnyBarsAreSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit, title := units.Draw(t, "unit"), texts.Draw(t, "title")
		bars := chart.Bars{Title: title, Note: texts.Draw(t, "note"), Unit: unit, Parts: rapid.SliceOfN(texts, 0, 7).Draw(t, "parts")}
		for range rapid.IntRange(0, 6).Draw(t, "bars") {
			bars.Bars = append(bars.Bars, chart.Bar{Label: texts.Draw(t, "label"), Value: values.Draw(t, "value"), Parts: rapid.SliceOfN(values, 0, 4).Draw(t, "part")})
		}
		gauge := chart.Gauge{Title: title, Used: values.Draw(t, "used"), Reserved: values.Draw(t, "reserved"), Limit: values.Draw(t, "limit"), Unit: unit}
		for _, markup := range []template.HTML{bars.SVG(), bars.Table(), gauge.SVG()} {
			wantSafe(t, string(markup))
		}
	})
}

func TestAnyMapIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := chart.Map{Title: texts.Draw(t, "title"), Unit: units.Draw(t, "unit"), Selected: texts.Draw(t, "selected")}
		for range rapid.IntRange(0, 30).Draw(t, "states") {
			m.States = append(m.States, chart.State{Code: texts.Draw(t, "code"), Name: texts.Draw(t, "name"), Href: texts.Draw(t, "href"), Value: values.Draw(t, "value"), Text: texts.Draw(t, "text")})
		}
		wantSafe(t, string(m.SVG()))
	})
}

func TestMapLinks(t *testing.T) {
	m := chart.Map{Title: "Leads", Selected: "tx", States: []chart.State{
		{Code: "tx", Href: "/console/coverage?state=TX&by=zip", Value: 1203, Text: "1,203 leads, 81 % covered"},
		{Code: "CA", Href: "javascript:alert(1)", Value: 1},
		{Code: "GU", Value: 3},
	}}
	got := string(m.SVG())
	for _, want := range []string{
		`<a href="/console/coverage?state=TX&amp;by=zip" class="chart-tile chart-c5 chart-selected" aria-current="true"><title>Texas: 1,203 leads, 81 % covered</title>`,
		`<a href="#ZgotmplZ"`, `<title>Guam: 3</title>`, `<title>Ohio: nothing yet</title>`, `role="group"`,
		"Total 1,207. Highest 1,203 (Texas), lowest 1 (California).",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}

func TestEmptyCharts(t *testing.T) {
	zeros := chart.Series{Points: []chart.Point{{Label: "14:00"}, {Label: "15:00", Value: math.NaN()}}}
	for name, c := range map[string]struct {
		markup template.HTML
		empty  bool
	}{
		"no points":     {chart.Time{}.SVG(), true},
		"no leads":      {chart.Time{Now: zeros}.SVG(), true},
		"zero percent":  {chart.Time{Now: zeros, Unit: chart.Percent}.SVG(), false},
		"no lines":      {chart.Line{}.SVG(), true},
		"no bars":       {chart.Bars{}.SVG(), true},
		"no states":     {chart.Map{}.SVG(), true},
		"no rows":       {chart.Bars{}.Table(), true},
		"only last day": {chart.Time{Now: zeros, Before: &chart.Series{Points: []chart.Point{{Label: "14:00", Value: 3}}}}.SVG(), false},
	} {
		if got := strings.Contains(string(c.markup), ">Nothing in this range yet.</t") || strings.Contains(string(c.markup), ">Nothing in this range yet.</p"); got != c.empty {
			t.Errorf("%s: empty is %v", name, got)
		}
	}
}
