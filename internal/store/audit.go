package store

import (
	"fmt"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// AddAudit adds an entry to the audit trail. It is committed together with the change, or not at all.
func (tx *Tx) AddAudit(e audit.Entry) error {
	detail, err := e.Detail.JSON()
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO audit (at, actor, action, subject, detail) VALUES ($1, $2, $3, $4, $5)`,
		rows.Micros(e.At), string(e.Actor), string(e.Action), e.Subject, detail)
}

// AuditFilter selects entries of the audit trail. Empty fields select all.
type AuditFilter struct {
	Since   time.Time
	Actor   audit.Actor
	Subject string
	Actions []audit.Action
	Before  int64 // only entries before the one with this number; 0 for no bound
	Limit   int
}

// Audit lists entries of the audit trail, newest first.
func (tx *Tx) Audit(f AuditFilter) ([]audit.Entry, error) {
	var where []string
	var args []any
	add := func(condition string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if !f.Since.IsZero() {
		add("at >= $%d", rows.Micros(f.Since))
	}
	if f.Actor != "" {
		add("actor = $%d", string(f.Actor))
	}
	if f.Subject != "" {
		add("subject = $%d AND subject <> ''", f.Subject) // the second condition is that of the index
	}
	if len(f.Actions) > 0 {
		where = append(where, "action IN ("+db.Placeholders(len(args)+1, len(f.Actions))+")")
		for _, a := range f.Actions {
			args = append(args, string(a))
		}
	}
	if f.Before > 0 {
		add("seq < $%d", f.Before)
	}
	query := `SELECT ` + rows.AuditColumns + ` FROM audit`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, " AND ")
	}
	args = append(args, int64(f.Limit))
	return all(tx, rows.AuditEntry, query+fmt.Sprintf(` ORDER BY seq DESC LIMIT $%d`, len(args)), args...)
}
