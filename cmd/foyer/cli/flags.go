package cli

import (
	"errors"
	"fmt"
	"os"
	"time"

	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// OperatorFlags are the flags of every command that changes something or shows one thing.
type OperatorFlags struct {
	config.Data
	JSON bool `help:"Print JSON."`
}

// ListFlags are the flags of every list.
type ListFlags struct {
	config.Data
	JSON bool `help:"Print one JSON object per line."`
}

// CheckLimit refuses a limit that lists nothing, or that SQLite and PostgreSQL understand differently.
func CheckLimit(limit int, of string) error {
	if limit < 1 {
		return fmt.Errorf("--limit: %d is too few: write how many %s to list, at least 1", limit, of)
	}
	return nil
}

// Time is a time as people write it; zero if it is not given.
type Time struct{ time.Time }

// UnmarshalText parses the time.
func (m *Time) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			m.Time = t
			return nil
		}
	}
	return fmt.Errorf("got %q, want a time such as 2026-11-05, '2026-11-05 08:30' (UTC) or 2026-11-05T08:30:00-05:00", text)
}

// CalendarFlag says which time zone days and months have. A shell that does not have the service's setting means the same days.
type CalendarFlag struct {
	TimeZone config.Zone `name:"time-zone" env:"FOYER_TIME_ZONE" placeholder:"ZONE" help:"Time zone of days and months, such as America/New_York. Default: that of the reports."`
}

// Zone is the time zone that was given, or that of the reports.
func (c CalendarFlag) Zone(e Env, op *operator.Operator) (zone *time.Location, err error) {
	err = op.Store.View(e.Ctx, func(tx *store.Tx) (err error) { zone, err = query.Zone(tx, c.TimeZone.Location); return err })
	return zone, err
}

// OpenInput opens a file, or standard input for -, and returns its size, or 0 if unknown.
func OpenInput(name string) (file *os.File, size int64, err error) {
	if name == "-" {
		return os.Stdin, 0, nil
	}
	if file, err = os.Open(name); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder", name)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}
