package store

import (
	"context"
	"slices"

	"foyer/internal/lead"
)

// Newest lists the newest leads, newest first: all, or those that stand so. However many are kept, it reads little more
// than it lists.
func (r *Reader) Newest(ctx context.Context, limit int, status ...lead.Status) ([]lead.Lead, error) {
	only := lead.Status("")
	if len(status) > 0 {
		only = status[0]
	}
	return r.NewestWatched(ctx, limit, only)
}

// NewestWatched is Newest for somebody who waits for a long list.
func (r *Reader) NewestWatched(ctx context.Context, limit int, status lead.Status, watch ...Watch) (list []lead.Lead, err error) {
	query := newestOfAll
	if status != "" {
		query = newestByStatus(status)
	}
	if query == "" {
		return nil, nil
	}
	of := int64(0)
	if len(watch) > 0 && limit > longList {
		if of, err = r.countOf(ctx, limit, status); err != nil {
			return nil, translateError(r.engine, err)
		}
	}
	tell := progressFunc(watch)
	err = each(ctx, r.db, func(row scanner) error {
		l, err := scanLead(row)
		if list = append(list, l); len(list)%progressEvery == 0 {
			tell(Progress{What: "reading leads", Done: int64(len(list)), Of: of, Unit: "leads"})
		}
		return err
	}, query, limit)
	if err != nil {
		return nil, translateError(r.engine, err)
	}
	return list, nil
}

// longList is how many leads are listed before anybody wants to know how many there are.
const longList = 10_000

// countOf is how many leads a list is going to have, or 0 where that is not known without reading it.
func (r *Reader) countOf(ctx context.Context, limit int, status lead.Status) (n int64, err error) {
	query := `SELECT count(*) FROM leads`
	if slices.Contains(listed, status) {
		query += ` WHERE status = '` + string(status) + `'`
	} else if status != "" {
		return 0, nil
	}
	err = r.db.QueryRowContext(ctx, query).Scan(&n)
	return min(n, int64(limit)), err
}

const (
	newestOfAll = `SELECT ` + leadColumns + ` FROM leads ORDER BY seq DESC LIMIT $1`
	// A lead is on its way exactly while it is received. An index of those would be one more page for the intake.
	newestReceived = `SELECT ` + leadColumns + ` FROM leads WHERE seq IN (
		SELECT * FROM (SELECT lead_seq FROM deliveries ORDER BY lead_seq DESC LIMIT $1) AS seen
		UNION ALL SELECT * FROM (SELECT lead_seq FROM fresh ORDER BY lead_seq DESC LIMIT $1) AS unseen) ORDER BY seq DESC LIMIT $1`
)

// listed are the statuses whose leads stand, in their order, in an index of their own.
var listed = []lead.Status{lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Errored}

// newestByStatus is the question for leads of one status, or "" where none are kept: what was only validated was a dry run.
func newestByStatus(status lead.Status) string {
	switch {
	case status == lead.Received:
		return newestReceived
	case slices.Contains(listed, status): // in the text: behind a parameter the engine would not see which index holds them
		return `SELECT ` + leadColumns + ` FROM leads WHERE status = '` + string(status) + `' ORDER BY seq DESC LIMIT $1`
	}
	return ""
}
