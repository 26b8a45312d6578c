package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

const summaryQuery = `SELECT status, created_at, updated_at, service_type, zip_code, marks,
	COALESCE((SELECT MIN(at) FROM privacy_requests WHERE lead_id = $1 AND lead_id <> ''), 0) FROM leads WHERE id = $1`

// LeadSummary reads what a status lookup shows of a lead: its status, times, service and ZIP code, and since when a privacy
// request forbids showing more. It does not read who sent the lead.
func (s *Store) LeadSummary(_ context.Context, id string) (lead.Lead, error) {
	var created, updated, private int64
	var marks string
	l := lead.Lead{ID: id}
	// Without the caller's context: SQLite's driver would start a goroutine to watch it, which costs more than the query.
	ctx, done := s.engine.ReadContext(context.Background())
	defer done()
	pool := s.readPool.Load()
	err := pool.summary.QueryRowContext(ctx, id).Scan(&l.Status, &created, &updated, &l.Request.Service, &l.Request.ZIP, &marks, &private)
	if errors.Is(err, sql.ErrNoRows) {
		return l, notFound(leadWithID)
	}
	l.CreatedAt, l.UpdatedAt, l.PrivacyAt, l.Marks = rows.Time(created), rows.Time(updated), rows.TimeOrZero(private), rows.SplitMarks(marks)
	return l, s.readError(pool, err)
}

const leadWithID = "lead with this id"

// LeadBySeq finds a lead by its number.
func (tx *Tx) LeadBySeq(seq int64) (lead.Lead, error) {
	if known, ok := tx.leads[seq]; ok {
		delete(tx.leads, seq) // only once: the caller may change the row
		return known.lead, known.err
	}
	return existing(tx, leadWithID, rows.Lead, `SELECT `+rows.LeadColumns+` FROM leads WHERE seq = $1`, seq)
}

// DueLead returns a lead that Due read with its delivery, and leaves it for LeadBySeq. It returns false if the lead cannot be read.
func (tx *Tx) DueLead(seq int64) (lead.Lead, bool) {
	known, ok := tx.leads[seq]
	return known.lead, ok && known.err == nil
}

// IDOf returns the id of the lead with number seq, or "" if there is none.
func (tx *Tx) IDOf(seq int64) (string, error) {
	id, _, err := one(tx, db.FirstText, `SELECT id FROM leads WHERE seq = $1`, seq)
	return id, err
}

// Mark replaces the marks of a lead.
func (tx *Tx) Mark(seq int64, marks []lead.Mark) error {
	return tx.exec(`UPDATE leads SET marks = $1 WHERE seq = $2`, rows.JoinMarks(marks), seq)
}

// LeadsWithPhone lists the leads with a wanted phone number, oldest first: all, or only held ones. It reads all their contacts: an
// operator rarely asks for this, so the intake maintains no index for it.
func (tx *Tx) LeadsWithPhone(held bool, wanted func(phone string) bool) (leads []int64, err error) {
	query := `SELECT seq, contact FROM leads WHERE contact IS NOT NULL ORDER BY seq`
	if held {
		query = `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL ORDER BY seq`
	}
	err = tx.query(query, nil, func(r db.Row) error {
		var contact struct {
			Phone string `json:"phone"`
		}
		if err := json.Unmarshal([]byte(r.Text(1)), &contact); err != nil {
			return err
		}
		if wanted(contact.Phone) {
			leads = append(leads, r.Int(0))
		}
		return nil
	})
	return leads, err
}

// FailedBetween lists the leads in error that were created from one time up to another, in order. It reads all leads in error: an
// operator rarely asks for this, so the intake maintains no index for it.
func (tx *Tx) FailedBetween(from, to time.Time) ([]int64, error) {
	return all(tx, db.FirstInt, `SELECT seq FROM leads WHERE status = 'error' AND created_at >= $1 AND created_at < $2 ORDER BY seq`, rows.Micros(from), rows.Micros(to))
}

const (
	byLeadID  = `SELECT seq FROM leads WHERE id = $1`
	byOfferID = `SELECT lead_seq FROM offers WHERE id = $1`
	// A buyer's id for a lead has the same prefix as the lead's own, so the query reads only the few leads of the same
	// millisecond and needs no index.
	byBuyerLeadID = `SELECT l.seq FROM leads l WHERE l.id >= $2 AND l.id < $3
		AND EXISTS (SELECT 1 FROM offers o WHERE o.lead_seq = l.seq AND o.buyer_lead_id = $1)`
)

// sharedPrefix is the length of what a lead's own id and a buyer's id for it have in common: the type and the time.
const sharedPrefix = len("lead_") + 9

// LeadOf returns the number of a lead, found by any id that an operator may have: its own, a buyer's id for it, or that of an
// offer. Public pages and tools accept only the lead's own id: they call LeadSummary.
func (tx *Tx) LeadOf(id string) (seq int64, err error) {
	if strings.HasPrefix(id, "offer_") {
		return existing(tx, "offer with this id", db.FirstInt, byOfferID, id)
	}
	seq, found, err := one(tx, db.FirstInt, byLeadID, id)
	switch {
	case found || err != nil:
		return seq, err
	case !lead.MayBeID(id) || len(id) <= sharedPrefix:
		return 0, notFound(leadWithID)
	}
	begin := id[:sharedPrefix]
	return existing(tx, leadWithID, db.FirstInt, byBuyerLeadID, id, begin, begin+"{") // the character after z
}

// Lead finds a lead by any id that an operator may have.
func (tx *Tx) Lead(id string) (lead.Lead, error) {
	seq, err := tx.LeadOf(id)
	if err != nil {
		return lead.Lead{}, err
	}
	return tx.LeadBySeq(seq)
}

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
