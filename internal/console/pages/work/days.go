package work

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/console/chart"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// dayRow is what happened on a day.
type dayRow struct {
	day       string
	label     string
	leads     query.LeadsRow
	untilSale time.Duration // half of the leads were sold within this time
}

// dayRows are the last days, today last.
type dayRows struct {
	list                 []dayRow
	zone                 *time.Location   // in which days and hours are counted
	hours, hoursBefore   []query.LeadsRow // of today, and of the same day last week
	offers, offersBefore buyer.Counts
}

// readDays reads the last days. There are none until something is counted.
func readDays(v *page.Visit, n int) (days dayRows, err error) {
	now := v.Now()
	err = v.Read(func(tx *store.Tx) error {
		r, err := query.NewReportRange(tx, now.In(v.Zone).AddDate(0, 0, 1-n).Format(time.DateOnly), "", now)
		if err != nil {
			return err
		}
		counted, _, err := query.LeadsReport(tx, r, "day")
		if err != nil {
			return err
		}
		speed, _, err := query.SpeedReport(tx, r, "day")
		if err != nil {
			return err
		}
		today := now.In(r.Zone)
		for i := n - 1; i >= 0; i-- {
			at := today.AddDate(0, 0, -i)
			d := dayRow{day: at.Format(time.DateOnly), label: at.Format("Mon 2 Jan")}
			if at := slices.IndexFunc(counted, func(r query.LeadsRow) bool { return r.Key == d.day }); at >= 0 {
				d.leads = counted[at]
			}
			if at := slices.IndexFunc(speed, func(r query.SpeedRow) bool { return r.Key == d.day }); at >= 0 {
				d.untilSale = speed[at].Sale.P50
			}
			days.list = append(days.list, d)
		}
		days.zone = r.Zone
		return days.compare(tx, r, today)
	})
	if known, ok := errors.AsType[*lead.Error](err); ok && known.Kind == lead.NotFound { // nothing is counted yet
		return dayRows{}, nil
	}
	return days, err
}

// compare reads the hours and the offers of today, and of the same day last week.
func (days *dayRows) compare(tx *store.Tx, r query.ReportRange, today time.Time) (err error) {
	for _, d := range []struct {
		at     time.Time
		hours  *[]query.LeadsRow
		offers *buyer.Counts
	}{{today, &days.hours, &days.offers}, {today.AddDate(0, 0, -7), &days.hoursBefore, &days.offersBefore}} {
		r.From = d.at.Format(time.DateOnly)
		if r.To = r.From; err == nil {
			*d.hours, err = query.HoursReport(tx, r.From)
		}
		if err == nil {
			*d.offers, err = query.OffersReport(tx, r)
		}
	}
	return err
}

// stats compare today with the same day last week.
func (days dayRows) stats() []page.Stat {
	if len(days.list) < 8 {
		return nil
	}
	today, before := days.list[len(days.list)-1], days.list[len(days.list)-8]
	then := " last " + weekday(before.day) + ", all day"
	sold := func(r query.LeadsRow) int64 { return r.Outcomes[buyer.OutcomeSold] }
	stats := []page.Stat{
		{Label: "Leads", Value: terminal.Number(today.leads.Received), Note: terminal.Number(before.leads.Received) + then},
		{Label: "Sold", Value: terminal.Number(sold(today.leads)), Note: terminal.Number(sold(before.leads)) + then},
		{Label: "Sold of demand", Value: page.Percent(sold(today.leads), today.leads.Demand()), Note: page.Percent(sold(before.leads), before.leads.Demand()) + then},
		{Label: "Offers accepted", Value: accepted(days.offers), Note: accepted(days.offersBefore) + then},
		{Label: "Time to a buyer", Value: untilSale(today), Note: "half of the sold leads; " + untilSale(before) + then},
		{Label: "Revenue", Value: today.leads.Revenue.String(), Note: before.leads.Revenue.String() + then},
	}
	if today.leads.Cost != 0 || before.leads.Cost != 0 {
		stats = append(stats, page.Stat{Label: "Margin", Value: today.leads.Margin().String(), Note: before.leads.Margin().String() + then})
	}
	return stats
}

// accepted is the share of offers that buyers accepted.
func accepted(c buyer.Counts) string { return page.Percent(int64(c.Accepted), int64(c.Offered)) }

func untilSale(d dayRow) string {
	if d.untilSale == 0 {
		return "–"
	}
	return terminal.Duration(d.untilSale)
}

// weekday is the name of a day.
func weekday(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return "week"
	}
	return at.Weekday().String()
}

const notCounted = page.Prose("Leads are counted a few seconds after they come in.")

// hoursChart draws today by hour, with the same day last week. Hours that have not begun are gaps.
func (days dayRows) hoursChart(now time.Time) page.Part {
	if len(days.list) < 8 {
		return notCounted
	}
	last := weekday(days.list[len(days.list)-8].day)
	leads, before := chart.Series{Name: "Today"}, chart.Series{Name: "Last " + last}
	for hour := range days.hours {
		label, value := fmt.Sprintf("%02d:00", hour), math.NaN()
		if hour <= now.In(days.zone).Hour() {
			value = float64(days.hours[hour].Received)
		}
		leads.Points = append(leads.Points, chart.Point{Label: label, Value: value})
		before.Points = append(before.Points, chart.Point{Label: label, Value: float64(days.hoursBefore[hour].Received)})
	}
	if received(days.hours)+received(days.hoursBefore) == 0 {
		return page.Prose("No lead today, and none last " + last + ".")
	}
	t := chart.Time{Title: "Leads received in each hour of today", Note: "Line: last " + last + ". Hours in " + days.zone.String() + ".", Now: leads, Before: &before, Width: 640, Height: 220}
	return page.Drawing{SVG: t.SVG(), Table: t.Table()}
}

func received(hours []query.LeadsRow) (n int64) {
	for _, hour := range hours {
		n += hour.Received
	}
	return n
}

// chart draws two weeks, with the two weeks before them.
func (days dayRows) chart() page.Part {
	if len(days.list) < 28 {
		return notCounted
	}
	if !slices.ContainsFunc(days.list, func(d dayRow) bool { return d.leads.Received > 0 }) {
		return page.Prose("No lead in the last four weeks.")
	}
	series := func(name string, of []dayRow) chart.Series {
		s := chart.Series{Name: name}
		for _, d := range of {
			s.Points = append(s.Points, chart.Point{Label: d.label, Value: float64(d.leads.Received)})
		}
		return s
	}
	t := chart.Time{Title: "Leads received on each of the last 14 days", Note: "Line: two weeks before. Days in " + days.zone.String() + ".", Now: series("Leads", days.list[14:]), Before: new(series("Two weeks before", days.list[:14])), Width: 640, Height: 220}
	return page.Drawing{SVG: t.SVG(), Table: t.Table()}
}
