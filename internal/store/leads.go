package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
	"foyer/internal/store/search"
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
	err := pool.QueryRowContext(ctx, summaryQuery, id).Scan(&l.Status, &created, &updated, &l.Request.Service, &l.Request.ZIP, &marks, &private)
	if errors.Is(err, sql.ErrNoRows) {
		return l, lead.NotFoundError(leadWithID)
	}
	l.CreatedAt, l.UpdatedAt, l.PrivacyAt, l.Marks = rows.Time(created), rows.Time(updated), rows.TimeOrZero(private), rows.SplitMarks(marks)
	return l, s.readError(pool, err)
}

const leadWithID = search.LeadWithID

// Empty reports whether the database has no leads.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	n, err := read(ctx, s, func(tx *Tx) (int64, error) { return tx.number(`SELECT 1 FROM leads LIMIT 1`) })
	return n == 0, err
}

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

// StatusOf returns the status of the lead with number seq, or "" if there is none. It reads nothing else of the lead, which may be damaged.
func (tx *Tx) StatusOf(seq int64) (lead.Status, error) {
	status, _, err := one(tx, db.FirstText, `SELECT status FROM leads WHERE seq = $1`, seq)
	return lead.Status(status), err
}

// Mark replaces the marks of a lead.
func (tx *Tx) Mark(seq int64, marks []lead.Mark) error {
	return tx.exec(`UPDATE leads SET marks = $1 WHERE seq = $2`, rows.JoinMarks(marks), seq)
}

// LeadsWithPhone lists the leads with a wanted phone number, oldest first: all, or only held ones. It reads all their contacts.
func (tx *Tx) LeadsWithPhone(held bool, wanted func(phone string) bool) ([]int64, error) {
	return search.WithPhone(tx.conn, held, wanted)
}

// FailedBetween lists the leads in error that were created from one time up to another, in order. It reads all leads in error: an
// operator rarely asks for this, so the intake maintains no index for it.
func (tx *Tx) FailedBetween(from, to time.Time) ([]int64, error) {
	return all(tx, db.FirstInt, `SELECT seq FROM leads WHERE status = 'error' AND created_at >= $1 AND created_at < $2 ORDER BY seq`, rows.Micros(from), rows.Micros(to))
}

// LeadOf returns the number of a lead, found by any id that an operator may have: its own, a buyer's id for it, or that of an
// offer. Public pages and tools accept only the lead's own id: they call LeadSummary.
func (tx *Tx) LeadOf(id string) (int64, error) { return search.ByID(tx.conn, id) }

// Lead finds a lead by any id that an operator may have.
func (tx *Tx) Lead(id string) (lead.Lead, error) {
	seq, err := tx.LeadOf(id)
	if err != nil {
		return lead.Lead{}, err
	}
	return tx.LeadBySeq(seq)
}

// What is looked for, and what was found.
type (
	LeadFilter = search.Filter
	Span       = search.Span
	LeadPage   = search.Page
	FoundLead  = search.Found
	FoundLeads = search.Result
)

// ListedStatuses are the statuses that have an index of their leads.
var ListedStatuses = search.ListedStatuses

// FindLeads finds leads, newest first. key is that of the search index.
func (tx *Tx) FindLeads(f LeadFilter, key []byte, p LeadPage) (FoundLeads, error) {
	return search.Find(tx.conn, f, key, p)
}

// FindUnsold finds the leads of the same phone number, service and ZIP code that are received or held, newest first. key is that of the
// search index, and next where the next page begins: 0 if there is none or the time is over.
func (tx *Tx) FindUnsold(like lead.Request, key []byte, p LeadPage) (seqs []int64, next int64, err error) {
	seqs, res, err := search.Numbers(tx.conn, LeadFilter{
		Phones: []string{like.Contact.Phone}, Services: []lead.Service{like.Service}, ZIPs: []string{like.ZIP},
		Statuses: []lead.Status{lead.Received, lead.Collected},
	}, key, p)
	if !res.SearchedTo.IsZero() {
		res.Next = 0
	}
	return seqs, res.Next, err
}

// SearchTerms are what finds a person in the search index, for Erase: nil without a key, and only then.
func SearchTerms(key []byte, c lead.Contact) []int64 { return search.ContactTerms(key, c) }

// NotIndexed returns how many leads and attempts the search index lacks.
func (tx *Tx) NotIndexed() (int64, error) { return tx.number(search.BacklogQuery) }
