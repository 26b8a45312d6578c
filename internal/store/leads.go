package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
)

const leadColumns = `id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence`

// SaveLead keeps a lead and, where the sender gave an idempotency key, the ticket for it, in one commit. If the key
// was used since the given time, nothing is kept and the earlier ticket is returned.
func (s *Store) SaveLead(ctx context.Context, l *lead.Lead, ticket *lead.Idempotency, since time.Time) (*lead.Idempotency, error) {
	x := &save{id: l.ID, at: l.CreatedAt, args: leadArgs(l), received: l.Status == lead.Received, idempotency: ticket, since: since}
	if err := s.saves.submit(ctx, work{save: x}); err != nil {
		return nil, err // a ticket that was found may have been one of the same group, of which nothing was kept
	}
	return x.earlier, nil
}

// save is a lead that is to be kept.
type save struct {
	id          string
	at          time.Time
	args        []any // one for each of leadColumns
	received    bool  // it goes on its way
	idempotency *lead.Idempotency
	since       time.Time
	earlier     *lead.Idempotency // what the key was used for before; then nothing is kept
}

// replay notes the key that a lead came with, and says whether the lead is to be kept: not where the key was used before.
func (x *save) replay(h *dbTx) (keep bool, err error) {
	x.earlier = nil
	if x.idempotency == nil {
		return true, nil
	}
	if x.earlier, err = h.idempotency(x.idempotency.Key, x.since); err != nil || x.earlier != nil {
		return false, err
	}
	return true, h.insertIdempotency(*x.idempotency, x.at)
}

const summaryQuery = `SELECT status, created_at, updated_at, service_type, zip_code, marks,
	COALESCE((SELECT MIN(at) FROM wishes WHERE lead_id = $1 AND lead_id <> ''), 0) FROM leads WHERE id = $1`

// LeadSummary finds what a look-up tells about a lead: its status, its times, its service and place, and since when it may tell
// no more. Who sent it is not read.
func (s *Store) LeadSummary(_ context.Context, id string) (lead.Lead, error) {
	var created, updated, private int64
	var marks string
	l := lead.Lead{ID: id}
	// Not under the caller's context: SQLite's driver would start a goroutine to watch it, which costs more than the look.
	e, ctx, done := s.useReadPool(context.Background())
	defer done()
	err := e.summary.QueryRowContext(ctx, id).Scan(&l.Status, &created, &updated, &l.Request.Service, &l.Request.ZIP, &marks, &private)
	if errors.Is(err, sql.ErrNoRows) {
		return l, noLead()
	}
	l.CreatedAt, l.UpdatedAt, l.PrivacyAt, l.Marks = fromMicros(created), fromMicros(updated), timeOrZero(private), splitMarks(marks)
	return l, s.readError(e, err)
}

func noLead() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no lead with this id."}
}

// encodeBuffers are where texts are written before they are copied at their right length.
var encodeBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func leadArgs(l *lead.Lead) []any {
	draft := encodeBuffers.Get().(*[]byte)
	defer encodeBuffers.Put(draft)
	facts := encodeJob((*draft)[:0], l.Request.Job)
	job := len(facts)
	facts = encodeEvidence(facts, l.Evidence)
	text := string(facts) // one copy for both
	*draft = facts
	return []any{
		l.ID, string(l.Status), micros(l.CreatedAt), micros(l.UpdatedAt), string(l.Request.Service), l.Request.ZIP, joinMarks(l.Marks),
		text[:job], encodeContact(make([]byte, 0, 256), l.Request.Contact), text[job:],
	}
}

func scanLead(row scanner) (lead.Lead, error) {
	var (
		l                      lead.Lead
		created, updated       int64
		service, zip, marks    string // the first two are columns for the sake of searching; job has them too
		job, contact, evidence []byte
	)
	err := row.Scan(&l.ID, &l.Status, &created, &updated, &service, &zip, &marks, &job, &contact, &evidence)
	if err != nil {
		return l, err
	}
	l.CreatedAt, l.UpdatedAt, l.Marks = fromMicros(created), fromMicros(updated), splitMarks(marks)
	if err := json.Unmarshal(job, &l.Request.Job); err != nil {
		return l, err
	}
	if err := json.Unmarshal(evidence, &l.Evidence); err != nil {
		return l, err
	}
	if len(contact) > 0 { // nil once it is erased
		err = json.Unmarshal(contact, &l.Request.Contact)
	}
	return l, err
}

func joinMarks(marks []lead.Mark) string {
	if len(marks) == 0 {
		return ""
	}
	words := make([]string, len(marks))
	for i, m := range marks {
		words[i] = string(m)
	}
	return strings.Join(words, ",")
}

func splitMarks(text string) []lead.Mark {
	var marks []lead.Mark
	for word := range strings.SplitSeq(text, ",") {
		if word != "" {
			marks = append(marks, lead.Mark(word))
		}
	}
	return marks
}
