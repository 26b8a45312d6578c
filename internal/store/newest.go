package store

import (
	"context"
	"slices"

	"foyer/internal/lead"
)

// Newest lists the newest leads, newest first: all, or those that stand so. However many are kept, it reads little more
// than it lists.
func (r *Reader) Newest(ctx context.Context, limit int, status ...lead.Status) ([]lead.Lead, error) {
	query := newestOfAll
	if len(status) > 0 && status[0] != "" {
		query = newestThat(status[0])
	}
	if query == "" {
		return nil, nil
	}
	list, err := collect(ctx, r.db, scanLead, query, limit)
	return list, unavailable(r.engine, err)
}

const (
	newestOfAll = `SELECT ` + leadColumns + ` FROM leads ORDER BY seq DESC LIMIT $1`
	// A lead is on its way exactly while it is received. An index of those would be one more page for the intake.
	newestReceived = `SELECT ` + leadColumns + ` FROM leads WHERE seq IN (
		SELECT * FROM (SELECT lead_seq FROM deliveries ORDER BY lead_seq DESC LIMIT $1) AS seen
		UNION ALL SELECT * FROM (SELECT lead_seq FROM fresh ORDER BY lead_seq DESC LIMIT $1) AS unseen) ORDER BY seq DESC LIMIT $1`
)

// listed are the statuses whose leads stand, in their order, in an index of their own.
var listed = []lead.Status{lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Failed}

// newestThat is the question for leads of one status, or "" where none are kept: what was only validated was a dry run.
func newestThat(status lead.Status) string {
	switch {
	case status == lead.Received:
		return newestReceived
	case slices.Contains(listed, status): // in the text: behind a parameter the engine would not see which index holds them
		return `SELECT ` + leadColumns + ` FROM leads WHERE status = '` + string(status) + `' ORDER BY seq DESC LIMIT $1`
	}
	return ""
}
