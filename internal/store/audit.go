package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/audit"
	"foyer/internal/store/db"
)

// AddAudit adds an entry to the audit trail. It is committed together with the change, or not at all.
func (tx *Tx) AddAudit(e audit.Entry) error {
	detail, err := e.Detail.JSON()
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO audit (at, actor, action, subject, detail) VALUES ($1, $2, $3, $4, $5)`,
		micros(e.At), string(e.Actor), string(e.Action), e.Subject, detail)
}

// AuditFilter selects entries of the audit trail. Empty fields select all.
type AuditFilter struct {
	Since   time.Time
	Actor   audit.Actor
	Subject string
	Limit   int
}

// Audit lists entries of the audit trail, newest first. A database of an earlier version has no table for them.
func (r *Reader) Audit(ctx context.Context, f AuditFilter) ([]audit.Entry, error) {
	if found, err := r.engine.HasTable(ctx, r.from, "audit"); err != nil || !found {
		return nil, TranslateError(r.engine, err)
	}
	query, args := f.query()
	list, err := db.Collect(ctx, r.from, scanAudit, query, args...)
	return list, TranslateError(r.engine, err)
}

func (f AuditFilter) query() (string, []any) {
	var where []string
	var args []any
	add := func(condition string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf(condition, len(args)))
	}
	if !f.Since.IsZero() {
		add("at >= $%d", micros(f.Since))
	}
	if f.Actor != "" {
		add("actor = $%d", string(f.Actor))
	}
	if f.Subject != "" {
		add("subject = $%d AND subject <> ''", f.Subject) // the second condition is that of the index
	}
	query := `SELECT seq, at, actor, action, subject, detail FROM audit`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, " AND ")
	}
	args = append(args, f.Limit)
	return query + fmt.Sprintf(` ORDER BY seq DESC LIMIT $%d`, len(args)), args
}

func scanAudit(r db.Scanner) (e audit.Entry, err error) {
	var at int64
	var actor, action, detail string
	if err := r.Scan(&e.Seq, &at, &actor, &action, &e.Subject, &detail); err != nil {
		return e, err
	}
	e.At, e.Actor, e.Action = fromMicros(at), audit.Actor(actor), audit.Action(action)
	return e, json.Unmarshal([]byte(detail), &e.Detail)
}

var oldAudit = ageLimit{"audit", "at", []string{"seq"}}

// DeleteOldAudit deletes the entries that were made before a time.
func (s *Store) DeleteOldAudit(ctx context.Context, before time.Time) error {
	return s.deleteOld(ctx, oldAudit, micros(before))
}
