package access

import (
	"context"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// A session ends when it is not used (its idle timeout), and after a month in any case.
const (
	sessionPrefix = "fs_"
	SessionIdle   = 12 * time.Hour // longer than a working day
	sessionLength = 30 * 24 * time.Hour
)

// isValid reports whether a session can be used at a time.
func isValid(s store.Session, now time.Time) bool {
	return now.Before(s.ExpiresAt) && now.Before(s.SeenAt.Add(SessionIdle))
}

// UseSession is FindSession for what a person does: it also records when the session was last used, to the minute.
func (ac *Access) UseSession(ctx context.Context, text string) (s Signed, valid bool, err error) {
	s, valid, err = ac.FindSession(ctx, text)
	if minute := ac.Now().Truncate(time.Minute); valid && s.Session.SeenAt.Before(minute) {
		s.Session.SeenAt = minute
		err = ac.Store.Update(ctx, func(tx *store.Tx) error { return tx.Users().SeeSession(s.Session.ID, minute) })
	}
	return s, valid, err
}

// FindSession returns who is signed in. valid is false if there is no such session, or if it expired. It does not count as use: a page
// that somebody left open asks by itself, and must not keep the session.
func (ac *Access) FindSession(ctx context.Context, text string) (s Signed, valid bool, err error) {
	if !strings.HasPrefix(text, sessionPrefix) {
		return s, false, nil
	}
	err = ac.Store.View(ctx, func(tx *store.Tx) error {
		s, valid = Signed{}, false
		var found bool
		if s.Session, found, err = tx.Users().FindSession(hashToken(text)); err != nil || !found {
			return err
		}
		s.User, valid, err = tx.Users().Find(s.Session.UserID)
		return err
	})
	if err != nil || !valid || !isValid(s.Session, ac.Now()) {
		return Signed{}, false, err
	}
	return s, true, nil
}

// Sessions lists the valid sessions of a user, newest first.
func (ac *Access) Sessions(ctx context.Context, userID string) (list []store.Session, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Users().Sessions(userID); return err })
	now := ac.Now()
	return slices.DeleteFunc(list, func(s store.Session) bool { return !isValid(s, now) }), err
}

// EndSession ends a session of the person. Their current one is a sign-out.
func (ac *Access) EndSession(ctx context.Context, s Signed, from From, sessionID string) error {
	action := audit.SessionEnd
	if sessionID == s.Session.ID {
		action = audit.UserSignOut
	}
	return ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		ended, err := tx.Users().EndSession(s.User.ID, sessionID)
		if err != nil {
			return err
		}
		if !ended {
			return lead.NotFoundError("session of yours with this id: it ended already")
		}
		return ac.Record(tx, s.Actor(), action, s.User.ID, from.detail(audit.Detail{"session": sessionID}))
	})
}

// EndAllSessions signs the person out everywhere, here included.
func (ac *Access) EndAllSessions(ctx context.Context, s Signed, from From) error {
	return ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		n, err := tx.Users().EndSessions(s.User.ID, "")
		if err != nil {
			return err
		}
		return ac.Record(tx, s.Actor(), audit.SessionEnd, s.User.ID, from.detail(audit.Detail{"sessions": n}))
	})
}
