package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"foyer/internal/lead"
)

const leadColumns = `id, status, created_at, updated_at, service_type, zip_code, city, state, home_type, bedrooms, bathrooms, square_feet,
	frequency, preferred_date, flexible_dates, consent, source_agent, marks, contact,
	door, client, user_agent, page, origin, fetch_site, mcp_client, request_id, consent_version, consent_hash`

const insertLead = `INSERT INTO leads (` + leadColumns + `) VALUES
	($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)`

// SaveLead keeps a lead and, where the sender gave an idempotency key, the ticket for it, in one commit. If the key
// was used since the given time, nothing is kept and the earlier ticket is returned.
func (s *Store) SaveLead(ctx context.Context, l lead.Lead, ticket *lead.Ticket, since time.Time) (*lead.Ticket, error) {
	args, err := leadArgs(l)
	if err != nil {
		return nil, err
	}
	var earlier *lead.Ticket
	err = s.write(ctx, func(h *handles) error {
		earlier = nil
		if ticket != nil {
			var err error
			if earlier, err = h.ticket(ticket.Key, since); err != nil || earlier != nil {
				return err
			}
			if err := h.saveTicket(*ticket, l.CreatedAt); err != nil {
				return err
			}
		}
		return h.exec(insertLead, args...)
	})
	if err == nil && earlier == nil {
		s.acked.Store(&l.ID)
	}
	return earlier, err
}

// Lead finds a lead by its id.
func (s *Store) Lead(ctx context.Context, id string) (lead.Lead, error) {
	h := s.open.Load()
	l, err := findLead(ctx, h.read, id)
	return l, s.reading(h, err)
}

func findLead(ctx context.Context, db *sql.DB, id string) (lead.Lead, error) {
	l, err := scanLead(db.QueryRowContext(ctx, `SELECT `+leadColumns+` FROM leads WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return l, &lead.Error{Kind: lead.NotFound, Message: "There is no lead with this id."}
	}
	return l, unavailable(err)
}

func leadArgs(l lead.Lead) ([]any, error) {
	contact, err := json.Marshal(l.Request.Contact)
	if err != nil {
		return nil, err
	}
	r, e := l.Request, l.Evidence
	return []any{
		l.ID, string(l.Status), micros(l.CreatedAt), micros(l.UpdatedAt), string(r.Service), r.ZIP, r.City, r.State,
		r.Home.Type, r.Home.Bedrooms, r.Home.Bathrooms, r.Home.SquareFeet,
		r.Frequency, r.PreferredDate, r.FlexibleDates, r.Consent, r.SourceAgent, joinMarks(l.Marks), contact,
		string(e.Door), e.Client, e.UserAgent, e.Page, e.Origin, e.FetchSite, e.MCPClient, e.RequestID,
		e.Consent.Version, e.Consent.Hash,
	}, nil
}

// scanner is a row of either kind: the one of QueryRow, or the current one of Query.
type scanner interface{ Scan(dest ...any) error }

func scanLead(row scanner) (lead.Lead, error) {
	var (
		l                lead.Lead
		created, updated int64
		marks            string
		contact          []byte
	)
	r, e := &l.Request, &l.Evidence
	err := row.Scan(
		&l.ID, &l.Status, &created, &updated, &r.Service, &r.ZIP, &r.City, &r.State,
		&r.Home.Type, &r.Home.Bedrooms, &r.Home.Bathrooms, &r.Home.SquareFeet,
		&r.Frequency, &r.PreferredDate, &r.FlexibleDates, &r.Consent, &r.SourceAgent, &marks, &contact,
		&e.Door, &e.Client, &e.UserAgent, &e.Page, &e.Origin, &e.FetchSite, &e.MCPClient, &e.RequestID,
		&e.Consent.Version, &e.Consent.Hash,
	)
	if err != nil {
		return l, err
	}
	l.CreatedAt, l.UpdatedAt, l.Marks = fromMicros(created), fromMicros(updated), splitMarks(marks)
	if len(contact) > 0 {
		err = json.Unmarshal(contact, &r.Contact)
	}
	return l, err
}

func joinMarks(marks []lead.Mark) string {
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
