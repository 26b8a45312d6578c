package rows

import (
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// LeadColumns are the columns of a lead. Service and ZIP code are columns only for queries; job contains them too.
const LeadColumns = `id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence, source`

// buffers are for JSON that is copied once its length is known.
var buffers = sync.Pool{New: func() any { return new([1024]byte) }}

// LeadArgs returns the values of LeadColumns.
func LeadArgs(l *lead.Lead) []any {
	buffer := buffers.Get().(*[1024]byte)
	defer buffers.Put(buffer)
	encoded := EncodeJob(buffer[:0], &l.Request.Job)
	end := len(encoded)
	text := string(EncodeEvidence(encoded, &l.Evidence)) // one copy for both
	return []any{
		l.ID, string(l.Status), Micros(l.CreatedAt), Micros(l.UpdatedAt), string(l.Request.Service), l.Request.ZIP, JoinMarks(l.Marks),
		text[:end], EncodeContact(make([]byte, 0, 256), &l.Request.Contact), text[end:], l.Source,
	}
}

// Lead reads LeadColumns.
func Lead(r db.Row) (lead.Lead, error) {
	l := lead.Lead{ID: r.Text(0), Status: lead.Status(r.Text(1)), CreatedAt: Time(r.Int(2)), UpdatedAt: Time(r.Int(3)), Marks: SplitMarks(r.Text(6)), Source: r.Text(10)}
	if err := json.Unmarshal([]byte(r.Text(7)), &l.Request.Job); err != nil {
		return l, err
	}
	if err := json.Unmarshal([]byte(r.Text(9)), &l.Evidence); err != nil {
		return l, err
	}
	contact := r.Text(8)
	if contact == "" { // NULL after the person was erased
		return l, nil
	}
	return l, json.Unmarshal([]byte(contact), &l.Request.Contact)
}

// JoinMarks is how marks are stored. SplitMarks is its inverse.
func JoinMarks(marks []lead.Mark) string {
	words := make([]string, len(marks))
	for i, m := range marks {
		words[i] = string(m)
	}
	return strings.Join(words, ",")
}

// SplitMarks reads marks.
func SplitMarks(text string) []lead.Mark {
	var marks []lead.Mark
	for word := range strings.SplitSeq(text, ",") {
		if word != "" {
			marks = append(marks, lead.Mark(word))
		}
	}
	return marks
}

// PrivacyColumns are the columns of a privacy request.
const PrivacyColumns = `id, at, kind, phone, lead_id, state, note, evidence`

// PrivacyRequest reads PrivacyColumns.
func PrivacyRequest(r db.Row) (lead.PrivacyRequest, error) {
	req := lead.PrivacyRequest{
		ID: r.Text(0), At: Time(r.Int(1)), Kind: lead.PrivacyKind(r.Text(2)), Phone: r.Text(3), LeadID: r.Text(4), State: lead.PrivacyState(r.Text(5)), Note: r.Text(6),
	}
	if r.Text(7) == "" { // settled
		return req, nil
	}
	return req, json.Unmarshal([]byte(r.Text(7)), &req.Evidence)
}

// AuditColumns are the columns of an entry of the audit trail.
const AuditColumns = `seq, at, actor, action, subject, detail`

// AuditEntry reads AuditColumns.
func AuditEntry(r db.Row) (audit.Entry, error) {
	e := audit.Entry{Seq: r.Int(0), At: Time(r.Int(1)), Actor: audit.Actor(r.Text(2)), Action: audit.Action(r.Text(3)), Subject: r.Text(4)}
	return e, json.Unmarshal([]byte(r.Text(5)), &e.Detail)
}
