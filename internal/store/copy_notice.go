package store

import (
	"context"
	"errors"
)

// A copy begins only where nobody is to be seen. But a service may be out of sight for a while, because its connection or
// its disk failed, and an operator's command always is. Neither may write to what was copied meanwhile: nobody would find it.

// noticeMove stops taking anything once the database goes elsewhere. A copy that failed lets the service go on.
func (s *Store) noticeMove(ctx context.Context, from querier) {
	how, where, err := moveState(ctx, from)
	if err != nil {
		return // told by others
	}
	before, now := s.moved.Load(), errMoved(how, where)
	if now == nil {
		s.moved.Store(nil)
		return
	}
	if before == nil {
		s.log.Error("nothing is taken any more: the database has gone elsewhere", "cause", now)
	}
	s.moved.Store(&now)
}

// checkNotMoved says why a writer must not write: asked on its own connection after it was sick, and at the end of each transaction
// of a command. By then a copy has either marked the database, or waits for the transaction to end.
func (w *writer) checkNotMoved() (gone error) {
	_, err := w.tx.queryRow(moveQuery, nil, func(r row) { gone = errMoved(parseMove(r.text(0))) })
	return errors.Join(err, gone)
}
