package buyer

import "time"

// Caps are how many leads a buyer takes in a period; 0 is no cap. Days and months are those of the buyer's time zone.
type Caps struct {
	Hour  int `json:"hour,omitempty"`
	Day   int `json:"day,omitempty"`
	Month int `json:"month,omitempty"`
	Total int `json:"total,omitempty"`
}

// Period is a stretch of time with a cap. One without a beginning is all time, and never ends.
type Period struct {
	Name       string
	Cap        int
	Begin, End time.Time
}

// periods are the capped periods that a moment lies in, the shortest first.
func (c Caps) periods(now time.Time, zone *time.Location) []Period {
	if c == (Caps{}) {
		return nil
	}
	local := now.In(zone)
	hour := now.Truncate(time.Hour)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone)
	month := time.Date(local.Year(), local.Month(), 1, 0, 0, 0, 0, zone)
	var capped []Period
	for _, p := range []Period{
		{"hour", c.Hour, hour, hour.Add(time.Hour)},
		{"day", c.Day, day, day.AddDate(0, 0, 1)},
		{"month", c.Month, month, month.AddDate(0, 1, 0)},
		{"total", c.Total, time.Time{}, time.Time{}},
	} {
		if p.Cap > 0 {
			capped = append(capped, p)
		}
	}
	return capped
}
