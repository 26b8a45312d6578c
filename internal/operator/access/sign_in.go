package access

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

var (
	// ErrWrongPassword refuses a password, a name that does not exist, or a passkey.
	ErrWrongPassword error = catalog.WrongPassword
	// ErrLinkUsed refuses a link that was used, has expired or never existed.
	ErrLinkUsed error = catalog.LinkUsed
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
