// Package rows converts rows of the tables to Go values and back: the columns that a query names, and the values that belong to them.
// It reads and writes nothing.
package rows

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// Micros is how a time is stored. Time is its inverse.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time reads a time.
func Time(us int64) time.Time { return time.UnixMicro(us).UTC() }

// MicrosOrZero is Micros for a time that may be zero, which is stored as 0. TimeOrZero is its inverse.
func MicrosOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return Micros(t)
}

// TimeOrZero reads a time that may be zero.
func TimeOrZero(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return Time(us)
}

// Bit is how a condition is stored.
func Bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
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
