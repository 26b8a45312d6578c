package buyer

import "time"

// Caps limit how many leads a buyer takes in a period, and how much money they cost: an hourly, a daily cap, a monthly and a total one.
// 0 means no cap. Days and months follow the buyer's time zone.
type Caps struct {
	Hour       int   `json:"hour,omitempty"`
	Day        int   `json:"day,omitempty"`
	Month      int   `json:"month,omitempty"`
	Total      int   `json:"total,omitempty"`
	MoneyDay   Cents `json:"money_day_cents,omitzero"`
	MoneyMonth Cents `json:"money_month_cents,omitzero"`
}

// Period is a time range with caps, 0 for none. A zero Begin means all time, which never ends.
type Period struct {
	Name       string
	Cap        int
	MoneyCap   Cents
	Begin, End time.Time
}

// Periods returns the periods that contain now, capped or not, shortest first.
func (t Terms) Periods(now time.Time) []Period {
	return t.Caps.periods(now, t.Hours.location())
}

func (c Caps) periods(now time.Time, zone *time.Location) []Period {
	local := now.In(zone)
	hour := now.Truncate(time.Hour)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone)
	month := time.Date(local.Year(), local.Month(), 1, 0, 0, 0, 0, zone)
	return []Period{
		{"hour", c.Hour, 0, hour, hour.Add(time.Hour)},
		{"day", c.Day, c.MoneyDay, day, day.AddDate(0, 0, 1)},
		{"month", c.Month, c.MoneyMonth, month, month.AddDate(0, 1, 0)},
		{"total", c.Total, 0, time.Time{}, time.Time{}},
	}
}
