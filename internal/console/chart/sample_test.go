package chart_test

import (
	"fmt"
	"html/template"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/console/chart"
)

// hours are leads of a day that is not over.
func hours() chart.Time {
	now := []float64{3, 1, 0, 0, 2, 5, 14, 31, 52, 61, 58, 47, 44, 51, 63, 40}
	before := []float64{2, 2, 1, 0, 1, 4, 11, 26, 44, 55, 60, 52, 49, 46, 51, 53, 48, 41, 36, 30, 22, 15, 9, 5}
	t := chart.Time{Title: "Leads an hour", Note: "America/New_York. The line is last Monday.", Now: chart.Series{Name: "Today"}, Before: &chart.Series{Name: "Last Monday"}}
	for i, v := range before {
		label := fmt.Sprintf("%02d:00", i)
		t.Before.Points = append(t.Before.Points, chart.Point{Label: label, Value: v})
		value := math.NaN()
		if i < len(now) {
			value = now[i]
		}
		t.Now.Points = append(t.Now.Points, chart.Point{Label: label, Value: value})
	}
	return t
}

// days are amounts of a week, with a loss.
func days() chart.Time {
	t := chart.Time{Title: "Margin a day", Unit: chart.Cents, Width: 360, Height: 180, Now: chart.Series{Name: "Margin"}}
	for i, v := range []float64{124_050, 98_000, 143_500, 87_525, 156_000, -21_000, 12_000} {
		t.Now.Points = append(t.Now.Points, chart.Point{Label: fmt.Sprintf("%s %d Nov", []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}[i], i+2), Value: v})
	}
	return t
}

// year has a value for each day of a leap year.
func year() chart.Time {
	t := chart.Time{Title: "Leads a day", Now: chart.Series{Name: "Leads"}}
	for i := range 366 {
		t.Now.Points = append(t.Now.Points, chart.Point{Label: fmt.Sprintf("Day %d", i+1), Value: math.Round(900 + 500*math.Sin(float64(i)/40) + float64(i*7919%211))})
	}
	return t
}

// speed has a day without offers.
func speed() chart.Line {
	l := chart.Line{Title: "Time to the buyer", Note: "Days in UTC.", Unit: chart.Duration, Series: []chart.Series{{Name: "half within"}, {Name: "95 % within"}}}
	for i := range 30 {
		label := fmt.Sprintf("%d Nov", i+1)
		half, most := 20+6*math.Sin(float64(i)/3), 74+30*math.Cos(float64(i)/4)
		if i == 12 {
			half, most = math.NaN(), math.NaN()
		}
		l.Series[0].Points = append(l.Series[0].Points, chart.Point{Label: label, Value: half})
		l.Series[1].Points = append(l.Series[1].Points, chart.Point{Label: label, Value: most})
	}
	return l
}

func declines() chart.Bars {
	return chart.Bars{Title: "Why buyers decline", Bars: []chart.Bar{
		{Label: "Outside the area", Value: 412},
		{Label: "Already a customer", Value: 187},
		{Label: "No time this week", Value: 96},
		{Label: "Price", Value: 31},
		{Label: "Other", Value: 4},
	}}
}

func sources() chart.Bars {
	return chart.Bars{Title: "Leads by source", Unit: chart.Count, Parts: []string{"Sold", "Held", "Closed"}, Bars: []chart.Bar{
		{Label: "Search ads, Northeast", Parts: []float64{1203, 240, 31}},
		{Label: "Direct", Parts: []float64{840, 410, 12}},
		{Label: "Partner site", Parts: []float64{212, 19, 80}},
	}}
}

func country() chart.Map {
	m := chart.Map{Title: "Leads by state", Note: "Last 30 days.", Selected: "TX"}
	for i, code := range strings.Fields("CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ TN MA IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI NH ME RI MT DE SD ND AK PR") {
		value := math.Round(4200 / math.Pow(float64(i+1), 1.15))
		m.States = append(m.States, chart.State{Code: code, Href: "/console/coverage?state=" + code, Value: value, Text: fmt.Sprintf("%.0f leads, %d %% covered", value, 40+i)})
	}
	return m
}

// pieces are all samples, as a page for looking at them.
func pieces() []template.HTML {
	return []template.HTML{
		hours().SVG(), year().SVG(), speed().SVG(), days().SVG(), declines().SVG(), sources().SVG(), country().SVG(), chart.Time{Title: "Empty"}.SVG(),
		chart.Gauge{Title: "Leads today", Used: 34, Limit: 50}.SVG() + chart.Gauge{Title: "Money in November", Used: 412_000, Reserved: 13_500, Limit: 500_000, Unit: chart.Cents}.SVG() +
			chart.Gauge{Title: "Leads this hour", Used: 10, Limit: 10}.SVG() + chart.Gauge{Title: "Leads this month", Used: 812}.SVG(),
		sources().Table() + days().Table(),
	}
}

// TestPage writes all samples as a page, to look at them: CHART_PAGE=/tmp/charts.html go test ./internal/console/chart -run TestPage
func TestPage(t *testing.T) {
	path := os.Getenv("CHART_PAGE")
	if path == "" {
		t.Skip("CHART_PAGE names no file")
	}
	base, err := os.ReadFile(filepath.Join("..", "..", "web", "static", "foyer.css"))
	if err != nil {
		t.Fatal(err)
	}
	page := `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Charts</title><style>` + string(base) + string(chart.CSS) +
		`main{display:grid;gap:16px;padding:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr))}.card{min-width:0}main>:nth-child(-n+3){grid-column:1/-1}</style><main>`
	for _, piece := range pieces() {
		page += `<section class="card">` + string(piece) + "</section>\n"
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}
