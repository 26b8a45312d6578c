package buyers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/console/chart"
	"foyer/internal/console/pages/page"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// buyerDay counts the offers of a day.
type buyerDay struct {
	label  string
	counts buyer.Counts
}

// buyerDays are the last days in the time zone of a buyer.
type buyerDays struct {
	list []buyerDay
	zone *time.Location
}

func readDays(v *page.Visit, b query.Summary, n int) (days buyerDays, err error) {
	zone, err := time.LoadLocation(cmp.Or(b.Terms.Hours.Zone, "UTC"))
	if err != nil {
		zone = time.UTC
	}
	now := v.Now().In(zone)
	days.zone = zone
	err = v.Read(func(tx *store.Tx) error {
		for i := n - 1; i >= 0; i-- {
			begin := time.Date(now.Year(), now.Month(), now.Day()-i, 0, 0, 0, 0, zone)
			counts, err := tx.Counts(b.ID, buyer.Period{Begin: begin, End: begin.AddDate(0, 0, 1)})
			if err != nil {
				return err
			}
			days.list = append(days.list, buyerDay{begin.Format("Mon 2 Jan"), counts})
		}
		return nil
	})
	return days, err
}

func (days buyerDays) series(name string, value func(buyer.Counts) float64) chart.Series {
	s := chart.Series{Name: name}
	for _, d := range days.list {
		s.Points = append(s.Points, chart.Point{Label: d.label, Value: value(d.counts)})
	}
	return s
}

func (days buyerDays) offersPanel() page.Part {
	t := chart.Line{Title: "Offers and sales on each of the last 28 days", Series: []chart.Series{
		days.series("Offered", func(c buyer.Counts) float64 { return float64(c.Offered) }), days.series("Delivered", func(c buyer.Counts) float64 { return float64(c.Delivered) }),
	}, Note: "Days in " + days.zone.String() + ", when offers were made.", Width: 560, Height: 200}
	return page.Panel{Title: "Offers and sales", Parts: []page.Part{page.Drawing{SVG: t.SVG(), Table: t.Table()}}}
}

func (days buyerDays) moneyPanel() page.Part {
	t := chart.Time{Title: "What it was charged on each of the last 28 days", Unit: chart.Cents, Now: days.series("Charged, less credits", func(c buyer.Counts) float64 { return float64(c.Charged - c.Credited) }), Note: "Days in " + days.zone.String() + ", when offers were made.", Width: 560, Height: 200}
	return page.Panel{Title: "Money", Parts: []page.Part{page.Drawing{SVG: t.SVG(), Table: t.Table()}}}
}

// declinesPanel draws why the buyer declined this month.
func declinesPanel(v *page.Visit, id string) (page.Part, error) {
	p := page.Panel{Title: "Why it declined this month"}
	var rows []query.BuyersRow
	err := v.Read(func(tx *store.Tx) error {
		r, err := query.NewReportRange(tx, "", "", v.Now())
		if err != nil {
			return err
		}
		rows, _, err = query.BuyersReport(tx, r)
		return err
	})
	if page.AsProblem(err) != nil {
		err = nil
	}
	b := chart.Bars{Title: "Declines by reason this month"}
	for _, r := range rows {
		if r.Buyer.ID == id {
			for _, d := range r.Declines {
				b.Bars = append(b.Bars, chart.Bar{Label: page.CodeName(d.Code), Value: float64(d.Times)})
			}
		}
	}
	p.Parts = []page.Part{page.Drawing{SVG: b.SVG(), Table: b.Table()}}
	if len(b.Bars) == 0 {
		p.Parts = []page.Part{page.Prose("It declined nothing.")}
	}
	return p, err
}

// ratePanel draws how many of its offers the buyer accepted.
func (days buyerDays) ratePanel() page.Part {
	rate := days.series("Accepted", func(c buyer.Counts) float64 {
		if c.Offered == 0 {
			return math.NaN()
		}
		return 100 * float64(c.Accepted) / float64(c.Offered)
	})
	l := chart.Line{Title: "Share of offers that were accepted on each of the last 28 days", Unit: chart.Percent, Series: []chart.Series{rate}, Note: "Days in " + days.zone.String() + ", when offers were made. No point: nothing was offered.", Width: 560, Height: 200}
	return page.Panel{Title: "Accept rate", Parts: []page.Part{page.Drawing{SVG: l.SVG(), Table: l.Table()}}}
}

// answerTimes draws how long the buyer took to answer on each of the last days.
func answerTimes(v *page.Visit, id string, n int) (page.Part, error) {
	p := page.Panel{Title: "Time to answer", Parts: []page.Part{page.Prose("It gave no answers in these days.")}}
	var list []query.AnswersRow
	var r query.ReportRange
	now := v.Now()
	err := v.Read(func(tx *store.Tx) (err error) {
		if r, err = query.NewReportRange(tx, now.In(v.Zone).AddDate(0, 0, 1-n).Format(time.DateOnly), "", now); err == nil {
			list, err = query.AnswersReport(tx, r, id)
		}
		return err
	})
	if page.AsProblem(err) != nil { // nothing is counted yet
		return p, nil
	}
	if err != nil || len(list) == 0 {
		return p, err
	}
	half, most := chart.Series{Name: "Half within"}, chart.Series{Name: "95 % within"}
	for i := n - 1; i >= 0; i-- {
		at := now.In(r.Zone).AddDate(0, 0, -i)
		p50, p95 := math.NaN(), math.NaN()
		if x := slices.IndexFunc(list, func(x query.AnswersRow) bool { return x.Key == at.Format(time.DateOnly) }); x >= 0 {
			p50, p95 = list[x].Answered.P50.Seconds(), list[x].Answered.P95.Seconds()
		}
		half.Points = append(half.Points, chart.Point{Label: at.Format("Mon 2 Jan"), Value: p50})
		most.Points = append(most.Points, chart.Point{Label: at.Format("Mon 2 Jan"), Value: p95})
	}
	l := chart.Line{
		Title: fmt.Sprintf("How long its answers to offers and contacts took on each of the last %d days", n), Unit: chart.Duration, Series: []chart.Series{half, most},
		Note: "Messages without an answer are not in it. Days in " + r.Zone.String() + ".", Width: 560, Height: 200,
	}
	p.Parts = []page.Part{page.Drawing{SVG: l.SVG(), Table: l.Table()}}
	return p, nil
}
