package search

import (
	"fmt"
	"slices"
	"strings"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// match adds those of the candidates to list that match the filter.
func (s *finder) match(list []int64, some candidates) ([]int64, error) {
	if some.where == "" {
		return list, nil
	}
	conditions, args := s.filter.conditions()
	err := s.conn.Query(`SELECT seq, zip_code, `+s.filter.contactColumn()+` FROM leads l WHERE `+some.where+conditions+` ORDER BY seq DESC`, args, func(r db.Row) error {
		if s.filter.matches(r.Text(1), r.Text(2)) {
			list = append(list, r.Int(0))
		}
		return nil
	})
	return list, err
}

// conditions are the parts of the filter that the engine can check, each after an AND.
func (f Filter) conditions() (text string, args []any) {
	var b strings.Builder
	arg := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	anyOf := func(parts []string) {
		if len(parts) > 0 {
			b.WriteString(" AND (" + strings.Join(parts, " OR ") + ")")
		}
	}
	anyOf(mapped(f.Statuses, func(status string) string { return "status = " + arg(status) }))
	anyOf(mapped(f.Services, func(service string) string { return "service_type = " + arg(service) }))
	anyOf(mapped(f.ZIPs, func(zip string) string {
		begin, isPrefix := strings.CutSuffix(zip, "*")
		if isPrefix {
			return "(zip_code >= " + arg(begin) + " AND zip_code < " + arg(begin+":") + ")" // the character after 9
		}
		return "zip_code = " + arg(zip)
	}))
	anyOf(mapped(f.Marks, func(mark string) string { return "',' || marks || ',' LIKE " + arg("%,"+mark+",%") }))
	anyOf(mapped(f.Sources, func(key string) string { return "source = " + arg(key) }))
	anyOf(mapped(f.Buyers, func(id string) string {
		return offersWhere + arg(id) + ` AND o.state IN (` + db.Quoted(accepted...) + `))`
	}))
	anyOf(mapped(f.Offered, func(id string) string { return offersWhere + arg(id) + ")" }))
	anyOf(mapped(f.Outcomes, func(outcome string) string {
		return "EXISTS (SELECT 1 FROM lead_outcomes c WHERE c.lead_seq = l.seq AND c.outcome = " + arg(outcome) + ")"
	}))
	within := func(column string, span Span) {
		if !span.From.IsZero() {
			b.WriteString(" AND " + column + " >= " + arg(rows.Micros(span.From)))
		}
		if !span.To.IsZero() {
			b.WriteString(" AND " + column + " < " + arg(rows.Micros(span.To)))
		}
	}
	within("created_at", f.Received)
	within(soldAt, f.Sold)
	return b.String(), args
}

const (
	offersWhere = "EXISTS (SELECT 1 FROM offers o WHERE o.lead_seq = l.seq AND o.buyer_id = "
	// A lead that was forwarded may get more rows of history later.
	soldAt = "(SELECT MIN(h.at) FROM history h WHERE h.lead_seq = l.seq AND h.status = 'forwarded')"
)

// contactColumn is the column of the contact if the filter looks at it.
func (f Filter) contactColumn() string {
	if len(f.Phones) > 0 || len(f.Emails) > 0 || f.Name != "" {
		return "contact"
	}
	return "''"
}

// matches checks what the engine cannot: the person, and the state of a ZIP code.
func (f Filter) matches(zip, contact string) bool {
	if f.InState != nil && !f.InState(zip) {
		return false
	}
	if f.contactColumn() != "contact" {
		return true
	}
	c := decodeContact(contact)
	return (len(f.Phones) == 0 || slices.Contains(f.Phones, c.Phone)) &&
		(len(f.Emails) == 0 || slices.ContainsFunc(f.Emails, func(email string) bool { return strings.EqualFold(email, c.Email) })) &&
		strings.Contains(strings.ToLower(c.Name), strings.ToLower(f.Name))
}

func mapped[T ~string](values []T, to func(string) string) (texts []string) {
	for _, v := range values {
		texts = append(texts, to(string(v)))
	}
	return texts
}

// inList returns numbers as a list for SQL.
func inList(numbers []int64) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", n)
	}
	return b.String()
}
