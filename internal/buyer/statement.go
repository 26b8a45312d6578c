package buyer

import (
	"fmt"
	"time"
)

// Statement is what a buyer was charged and paid in a month. A closed statement never changes: what comes late, or turns out to be
// wrong, is a line of the next one.
type Statement struct {
	ID        string // "" if it is not closed
	Buyer     string
	BuyerName string // when it was closed
	Month     Month
	Zone      string    // the time zone in which the month ended
	Ends      time.Time // when the month ended
	Opening   Cents     // what the buyer owed before
	Totals
	Format   int    // of the CSV file
	Hash     string // of the CSV file, SHA-256 in hexadecimal digits
	ClosedAt time.Time
	ClosedBy string // an actor, as the audit trail names it
}

// Totals add up the lines of a statement. Returns and payments are negative: the buyer owes less.
type Totals struct {
	Leads       int // that were charged
	Charges     Cents
	Returned    int // returns that were approved
	Returns     Cents
	Corrections Cents
	Payments    Cents
}

// Net is what the lines add to what the buyer owes.
func (t Totals) Net() Cents { return t.Charges + t.Returns + t.Corrections + t.Payments }

// Closing is what the buyer owes after the month.
func (s Statement) Closing() Cents { return s.Opening + s.Net() }

// Month is a month of the calendar, such as 2026-11.
type Month struct {
	Year  int
	Month time.Month
}

// MonthOf returns the month of a time in its time zone.
func MonthOf(t time.Time) Month { return Month{t.Year(), t.Month()} }

// ParseMonth reads a month such as 2026-11.
func ParseMonth(text string) (Month, error) {
	t, err := time.Parse("2006-01", text)
	if err != nil || t.Year() < 2000 || t.Year() > 2999 { // beyond that, a time cannot be written as JSON, or nothing was sold
		return Month{}, fmt.Errorf("%.40q is not a month: write one such as 2026-11", text)
	}
	return MonthOf(t), nil
}

func (m Month) String() string { return fmt.Sprintf("%04d-%02d", m.Year, int(m.Month)) }

// Begins returns when the month begins in a time zone.
func (m Month) Begins(zone *time.Location) time.Time {
	return time.Date(m.Year, m.Month, 1, 0, 0, 0, 0, zone)
}

// Next returns the month after.
func (m Month) Next() Month { return MonthOf(time.Date(m.Year, m.Month+1, 1, 0, 0, 0, 0, time.UTC)) }

// Before returns the month before.
func (m Month) Before() Month { return MonthOf(time.Date(m.Year, m.Month-1, 1, 0, 0, 0, 0, time.UTC)) }
