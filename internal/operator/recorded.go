package operator

import (
	"cmp"
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// RecordRead records that personal data is read. What was searched for is not recorded: it may be personal.
func (op *Operator) RecordRead(ctx context.Context, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error {
	return op.Store.Update(ctx, func(tx *store.Tx) error { return op.record(tx, by, action, subject, detail) })
}

// RecordExport records that leads are exported with personal details, and by which filters. What was searched for is not recorded: it
// may be personal.
func (op *Operator) RecordExport(ctx context.Context, by audit.Actor, given map[string][]string) error {
	return op.RecordRead(ctx, by, audit.LeadExport, "", audit.Detail{"filters": filtersOf(given)})
}

// RecordSearch records that leads of a person are searched for, and by which filters.
func (op *Operator) RecordSearch(ctx context.Context, by audit.Actor, given map[string][]string) error {
	return op.RecordRead(ctx, by, audit.LeadSearch, "", audit.Detail{"filters": filtersOf(given)})
}

func filtersOf(given map[string][]string) []string {
	filters := []string{}
	for _, name := range query.FilterNames() {
		if len(given[name]) > 0 {
			filters = append(filters, name)
		}
	}
	return filters
}

// RebuildCounts has leads counted again, with the days and months of a time zone, or of the one that they had if it is nil. It returns the
// zone.
func (op *Operator) RebuildCounts(ctx context.Context, by audit.Actor, zone *time.Location) (in *time.Location, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if in = zone; in == nil {
			if in, _, err = tx.LeadCounts().Zone(); err != nil {
				return err
			}
		}
		in = cmp.Or(in, time.UTC)
		if err := tx.LeadCounts().Rebuild(in); err != nil {
			return err
		}
		return op.record(tx, by, audit.CountsRebuild, "", audit.Detail{"time-zone": in.String()})
	})
	return in, err
}
