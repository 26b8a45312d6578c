package store

import (
	"slices"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Newest lists the newest leads, newest first, those of one status or all. However many leads there are, it reads little more than
// it lists. It reports progress for a long list.
func (tx *Tx) Newest(limit int, status lead.Status, watch db.Watch) (list []lead.Lead, err error) {
	query := newestOfAll
	if status != "" {
		query = newestByStatus(status)
	}
	if query == "" {
		return nil, nil
	}
	err = tx.query(query, []any{int64(limit)}, func(r db.Row) error {
		l, err := rows.Lead(r)
		if list = append(list, l); len(list)%db.ProgressEvery == 0 {
			watch.Report(db.Progress{What: "reading leads", Done: int64(len(list)), Unit: "leads"})
		}
		return err
	})
	return list, err
}

const (
	newestOfAll = `SELECT ` + rows.LeadColumns + ` FROM leads ORDER BY seq DESC LIMIT $1`
	// A lead has a delivery exactly while its status is received. An index of received leads would cost the intake one more page.
	newestReceived = `SELECT ` + rows.LeadColumns + ` FROM leads WHERE seq IN (
		SELECT * FROM (SELECT lead_seq FROM deliveries ORDER BY lead_seq DESC LIMIT $1) AS seen
		UNION ALL SELECT * FROM (SELECT lead_seq FROM new_leads ORDER BY lead_seq DESC LIMIT $1) AS unseen) ORDER BY seq DESC LIMIT $1`
)

// ListedStatuses are the statuses that have an index of their leads, in order.
var ListedStatuses = []lead.Status{lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Errored}

// newestByStatus returns the query for leads of one status, or "" if no such leads are stored: validated means a dry run.
func newestByStatus(status lead.Status) string {
	switch {
	case status == lead.Received:
		return newestReceived
	case slices.Contains(ListedStatuses, status): // a literal: with a parameter the engine would not see which index to use
		return `SELECT ` + rows.LeadColumns + ` FROM leads WHERE status = '` + string(status) + `' ORDER BY seq DESC LIMIT $1`
	}
	return ""
}
