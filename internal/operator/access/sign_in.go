package access

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

var (
	// ErrWrongPassword refuses a password, a name that does not exist, or a passkey.
	ErrWrongPassword error = catalog.WrongPassword
	// ErrLinkUsed refuses a link that was used, has expired or never existed.
	ErrLinkUsed error = catalog.LinkUsed
)

// A session ends when it is not used (its idle timeout), and after a month in any case.
const (
	sessionPrefix = "fs_"
	SessionIdle   = 12 * time.Hour // longer than a working day
	sessionLength = 30 * 24 * time.Hour
)

// Signed is a person who is signed in.
type Signed struct {
	User    store.User
	Session store.Session
}

// Actor is how the audit trail names the person.
func (s Signed) Actor() audit.Actor { return audit.User(s.User.Name) }

// From is where a person signs in.
type From struct {
	Address netip.Addr
	Device  string // what the browser calls itself
}

// device is the device as a row may hold it: a browser may send anything.
func (f From) device() string {
	return audit.Text(strings.Map(func(r rune) rune {
		if entered.IsInvisible(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(f.Device, "?")))
}

// detail adds where a person is to the detail of an entry.
func (f From) detail(d audit.Detail) audit.Detail {
	if d == nil {
		d = audit.Detail{}
	}
	d = d.From(f.Address)
	if f.Device != "" {
		d["device"] = f.device()
	}
	return d
}

// UserLink says whose link it is.
type UserLink struct {
	Name  string // "" if it makes the first owner
	Role  store.Role
	First bool // it makes the first owner, who chooses a name
}

// Link finds out whose link it is, without using it.
func (ac *Access) Link(ctx context.Context, text string) (l UserLink, valid bool, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) error {
		a, found, err := ac.linked(tx, text)
		l, valid = UserLink{Name: a.Name, Role: a.Role, First: a.ID == ""}, found
		return err
	})
	return l, valid, err
}

// linked finds the user of a valid link, or an owner without an id if the link makes the first one.
func (ac *Access) linked(tx *store.Tx, text string) (a store.User, valid bool, err error) {
	if !strings.HasPrefix(text, linkPrefix) {
		return a, false, nil
	}
	l, found, err := tx.Users().FindLink(hashToken(text))
	if err != nil || !found || !l.Valid(ac.Now()) {
		return a, false, err
	}
	if l.UserID != "" {
		return tx.Users().Find(l.UserID)
	}
	any, err := tx.Users().Any()
	return store.User{Role: store.RoleOwner}, !any, err
}

// UseLink sets the password of the link's user and signs in. A first link makes the first owner, called name. The link cannot be used
// again, and other sessions of the user end.
func (ac *Access) UseLink(ctx context.Context, from From, text, name, password string) (session string, s Signed, err error) {
	l, valid, err := ac.Link(ctx, text)
	if err != nil {
		return "", s, err
	}
	if !valid {
		return "", s, ErrLinkUsed
	}
	var problems entered.Problems
	if l.First {
		entered.ParseField(&problems, "name", &name, &l.Name, parseUserName)
	}
	if err := checkPassword(password, l.Name); err != nil {
		problems.Add(entered.FieldError{Term: "password", Text: err.Error()})
	}
	if err := problems.OrNil(); err != nil {
		return "", s, err
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return "", s, err
	}
	session, newID := ac.NewID(sessionPrefix), ac.shortID(userIDPrefix)
	err = ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		a, valid, err := ac.linked(tx, text) // the transaction decides: another process may use the link at the same time
		if err != nil {
			return err
		}
		if !valid {
			return ErrLinkUsed
		}
		if a.ID == "" {
			a.ID, a.Name = newID, l.Name
			if err := ac.addFirst(tx, &a, from); err != nil {
				return err
			}
		}
		if err := ac.setPassword(tx, &a, hash, "", from.detail(audit.Detail{"link": true})); err != nil {
			return err
		}
		s, err = ac.signIn(tx, a, from, session, audit.Detail{})
		return err
	})
	return session, s, err
}

// addFirst adds the first owner.
func (ac *Access) addFirst(tx *store.Tx, a *store.User, from From) error {
	by := audit.User(a.Name)
	a.CreatedAt, a.CreatedBy = ac.Now(), string(by)
	if err := errors.Join(tx.Users().RemoveLinks(""), tx.Users().Add(*a)); err != nil {
		return err
	}
	return ac.Record(tx, by, audit.UserAdd, a.ID, from.detail(audit.Detail{"role": a.Role}))
}

// setPassword changes the password of a user, and ends its sessions but one. Links that could change it again do not work any more.
func (ac *Access) setPassword(tx *store.Tx, a *store.User, hash, session string, detail audit.Detail) error {
	a.Password = hash
	_, err := tx.Users().EndSessions(a.ID, session)
	if err := errors.Join(err, tx.Users().SetPassword(a.ID, hash), tx.Users().RemoveLinks(a.ID)); err != nil {
		return err
	}
	return ac.Record(tx, audit.User(a.Name), audit.UserPassword, a.ID, detail)
}

// signIn adds a session. The detail says how the person signed in.
func (ac *Access) signIn(tx *store.Tx, a store.User, from From, text string, detail audit.Detail) (s Signed, err error) {
	now := ac.Now()
	a.SignedInAt = now
	s = Signed{a, store.Session{
		ID: ac.shortID(sessionIDPrefix), Hash: hashToken(text), UserID: a.ID, Device: from.device(),
		CreatedAt: now, SeenAt: now.Truncate(time.Minute), ExpiresAt: now.Add(sessionLength),
	}}
	if err := tx.Users().AddSession(s.Session); err != nil {
		return s, err
	}
	if err := tx.Users().SignIn(a.ID, now); err != nil {
		return s, err
	}
	detail["session"] = s.Session.ID
	return s, ac.Record(tx, s.Actor(), audit.UserSignIn, a.ID, from.detail(detail))
}

// SignIn signs a person in. A name that does not exist takes the same work as a wrong password, and gets the same answer: nobody learns
// which names exist.
func (ac *Access) SignIn(ctx context.Context, from From, name, password string) (session string, s Signed, err error) {
	var a store.User
	if err := ac.Store.View(ctx, func(tx *store.Tx) (err error) {
		a, _, err = tx.Users().FindName(strings.ToLower(strings.TrimSpace(strings.ToValidUTF8(name, "?"))))
		return err
	}); err != nil {
		return "", s, err
	}
	right, outdated, err := verifyPassword(ctx, a.Password, password)
	if err != nil {
		return "", s, err
	}
	if !right {
		return "", s, ac.refuseSignIn(ctx, audit.Visitor, a.ID, from, nil)
	}
	replacement := ""
	if outdated {
		if replacement, err = hashPassword(ctx, password); err != nil {
			return "", s, err
		}
	}
	session = ac.NewID(sessionPrefix)
	err = ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		now, err := samePassword(tx, a)
		if err != nil {
			return err
		}
		if replacement != "" {
			now.Password = replacement
			if err := tx.Users().SetPassword(now.ID, replacement); err != nil {
				return err
			}
		}
		s, err = ac.signIn(tx, now, from, session, audit.Detail{})
		return err
	})
	return session, s, err
}

// refuseSignIn records that a password or a passkey was wrong.
func (ac *Access) refuseSignIn(ctx context.Context, by audit.Actor, userID string, from From, detail audit.Detail) error {
	if err := ac.RecordFailure(ctx, by, userID, from, detail); err != nil {
		return err
	}
	return ErrWrongPassword
}

// Reasons why nobody looked at an attempt to sign in.
const (
	TooManyAttempts = "too many attempts"
	LinkDoesNotWork = "link does not work" // it was used, has expired or never existed
)

// RecordFailure records a failed attempt. The name that was typed is not recorded: people type passwords there.
func (ac *Access) RecordFailure(ctx context.Context, by audit.Actor, userID string, from From, detail audit.Detail) error {
	return ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		return ac.Record(tx, by, audit.UserSignInFail, userID, from.detail(detail))
	})
}

// freshSignIn is how long after signing in a person need not say again who they are.
const freshSignIn = 10 * time.Minute

// Fresh reports whether a person signed in a moment ago.
func (ac *Access) Fresh(s Signed) bool { return ac.Now().Sub(s.Session.CreatedAt) <= freshSignIn }

// Confirm wants the password of a person who did not sign in a moment ago: whoever has taken over a session cannot make it last.
func (ac *Access) Confirm(ctx context.Context, s Signed, from From, password string) error {
	if ac.Fresh(s) {
		return nil
	}
	right, _, err := verifyPassword(ctx, s.User.Password, password)
	if err == nil && !right {
		err = ac.refuseSignIn(ctx, s.Actor(), s.User.ID, from, nil)
	}
	return err
}

// samePassword reads a user again. The password may have changed while it was checked, which takes long.
func samePassword(tx *store.Tx, a store.User) (store.User, error) {
	now, found, err := tx.Users().Find(a.ID)
	if err == nil && (!found || now.Password != a.Password) {
		err = ErrWrongPassword
	}
	return now, err
}

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

// ChangePassword changes the password of the person. Their other sessions end.
func (ac *Access) ChangePassword(ctx context.Context, s Signed, from From, old, password string) error {
	if err := checkPassword(password, s.User.Name); err != nil {
		return entered.Problem("password", err.Error())
	}
	right, _, err := verifyPassword(ctx, s.User.Password, old)
	if err != nil {
		return err
	}
	if !right {
		return ac.refuseSignIn(ctx, s.Actor(), s.User.ID, from, nil)
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return err
	}
	return ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		a, err := samePassword(tx, s.User)
		if err != nil {
			return err
		}
		return ac.setPassword(tx, &a, hash, s.Session.ID, from.detail(nil))
	})
}
