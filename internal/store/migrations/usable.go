package migrations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"foyer/internal/store/db"
)

// Move says where a database is being copied to, or was moved to. A row among the changes tells it, so that the database is not
// written to meanwhile, nor afterwards: nobody would find what was written.
type Move struct {
	Done bool   // the copy is complete, and used instead
	To   string // "" if the database stays
}

const (
	movingTo = "moving to "
	movedTo  = "moved to "

	// MoveQuery selects the record of a move, if there is one.
	MoveQuery = `SELECT topic FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`

	// ClearMove is the statement that forgets a move.
	ClearMove = `DELETE FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`
)

// Record is the statement that records a move.
func (m Move) Record() string {
	note := movingTo + m.To
	if m.Done {
		note = movedTo + m.To
	}
	return `INSERT INTO changes (topic, version) VALUES ('` + strings.ReplaceAll(note, `'`, `''`) + `', 1)`
}

// ParseMove parses a row of MoveQuery.
func ParseMove(note string) Move {
	if to, found := strings.CutPrefix(note, movedTo); found {
		return Move{Done: true, To: to}
	}
	return Move{To: strings.TrimPrefix(note, movingTo)}
}

// Err refuses a database that has gone elsewhere, and says where and what to do.
func (m Move) Err() error {
	switch {
	case m.To == "":
		return nil
	case m.Done:
		return fmt.Errorf("it was moved to %s: use that one. foyer db reopen has this one used again, without what is new there", m.To)
	}
	return fmt.Errorf("it is being copied to %s. Where that copy was killed, the same foyer db copy does it again, and foyer db reopen gives it up", m.To)
}

// ReadMove reads where a database goes or went.
func ReadMove(ctx context.Context, from db.Querier) (m Move, err error) {
	all, err := db.Collect(ctx, from, db.FirstText, MoveQuery)
	if err == nil && len(all) > 0 {
		m = ParseMove(all[0])
	}
	return m, err
}

// The statements that mark a database as an unfinished copy: before the first copied row, and after the last.
const (
	MarkCopying   = `INSERT INTO changes (topic, version) VALUES ('copying', 1)`
	UnmarkCopying = `DELETE FROM changes WHERE topic = 'copying'`
)

// IsPartialCopy reports whether a database is an unfinished copy.
func IsPartialCopy(ctx context.Context, from db.Querier) (bool, error) {
	var rows int
	err := from.QueryRowContext(ctx, `SELECT count(*) FROM changes WHERE topic = 'copying'`).Scan(&rows)
	return rows > 0, err
}

// CheckUsable refuses an unfinished copy, whose leads are not all there, and a database that was moved elsewhere.
func CheckUsable(ctx context.Context, from db.Querier) error {
	unfinished, err := IsPartialCopy(ctx, from)
	switch {
	case err != nil:
		return err
	case unfinished:
		return errors.New("it is a copy that is not finished; the same foyer db copy does it again")
	}
	m, err := ReadMove(ctx, from)
	if err != nil {
		return err
	}
	return m.Err()
}
