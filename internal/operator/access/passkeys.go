package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

const (
	maxPasskeys    = 20 // of one user
	maxPasskeyName = 60 // characters
)

// NewPasskey is a passkey that a browser made. Its answer is verified already.
type NewPasskey struct {
	CredentialID string // in base64url
	Credential   string // JSON
	Name         string // "" names it after the browser
	Password     string // of the person, unless they signed in a moment ago
}

// AddPasskey adds a passkey of the person.
func (ac *Access) AddPasskey(ctx context.Context, s Signed, from From, n NewPasskey) (k store.Passkey, err error) {
	var problems entered.Problems
	if n.Name = strings.TrimSpace(n.Name); n.Name == "" {
		n.Name = from.device()
	}
	entered.ParseField(&problems, "name", &n.Name, &k.Name, parsePasskeyName)
	if err := problems.OrNil(); err != nil {
		return k, err
	}
	if err := ac.Confirm(ctx, s, from, n.Password); err != nil {
		return k, err
	}
	k = store.Passkey{ID: ac.shortID(passkeyIDPrefix), UserID: s.User.ID, CredentialID: n.CredentialID, Credential: n.Credential, Name: k.Name, CreatedAt: ac.Now()}
	err = ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		if _, found, err := tx.Users().FindSession(s.Session.Hash); err != nil {
			return err
		} else if !found { // a user that is being reset gets no passkey
			return entered.Refuse("your session has ended: sign in again")
		}
		if err := refusePasskey(tx, k); err != nil {
			return err
		}
		if err := tx.Users().AddPasskey(k); err != nil {
			return err
		}
		return ac.Record(tx, s.Actor(), audit.UserPasskeyAdd, s.User.ID, from.detail(audit.Detail{"passkey": k.ID}))
	})
	return k, err
}

func parsePasskeyName(name string) (string, error) {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, entered.IsInvisible) || utf8.RuneCountInString(name) > maxPasskeyName {
		return "", fmt.Errorf("the name cannot be used: write 1 to %d characters of plain text", maxPasskeyName)
	}
	return name, nil
}

// refusePasskey refuses a passkey that somebody has, and one too many.
func refusePasskey(tx *store.Tx, k store.Passkey) error {
	_, found, err := tx.Users().FindPasskey(k.CredentialID)
	if err != nil {
		return err
	}
	if found {
		return entered.Refuse("this passkey was added already: remove it first, or use another device")
	}
	list, err := tx.Users().Passkeys(k.UserID)
	if err == nil && len(list) >= maxPasskeys {
		err = entered.Refuse("you have %d passkeys, and more are not possible: remove one first", len(list))
	}
	return err
}

// Passkeys lists the passkeys of a user, newest first.
func (ac *Access) Passkeys(ctx context.Context, userID string) (list []store.Passkey, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Users().Passkeys(userID); return err })
	return list, err
}

// RemovePasskey removes a passkey of the person. Sessions that it began go on.
func (ac *Access) RemovePasskey(ctx context.Context, s Signed, from From, id string) error {
	return ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		removed, err := tx.Users().RemovePasskey(s.User.ID, id)
		if err != nil {
			return err
		}
		if !removed {
			return lead.NotFoundError("passkey of yours with this id: it was removed already")
		}
		return ac.Record(tx, s.Actor(), audit.UserPasskeyRemove, s.User.ID, from.detail(audit.Detail{"passkey": id}))
	})
}

// PasskeyAnswer is what a browser answers to a challenge.
type PasskeyAnswer struct {
	CredentialID string    // in base64url
	UserID       string    // the passkey holds it
	AskedAt      time.Time // when the challenge was made
	// Verify verifies the answer, and returns the credential with its new counter. It returns a PasskeyRefusal if the answer is wrong.
	Verify func(a store.User, k store.Passkey) (credential string, err error)
}

// PasskeyRefusal says why a passkey was refused. Only the audit trail tells.
type PasskeyRefusal string

// The reasons.
const (
	PasskeyUnknown PasskeyRefusal = "unknown" // or removed
	PasskeyWrong   PasskeyRefusal = "wrong answer"
	PasskeyCounter PasskeyRefusal = "counter went back" // there may be a copy of the passkey
	PasskeyUsed    PasskeyRefusal = "answer is not new"
)

func (r PasskeyRefusal) Error() string { return string(r) }

// SignInWithPasskey signs in the person whose passkey answers. Whatever is wrong gets the answer of a wrong password.
func (ac *Access) SignInWithPasskey(ctx context.Context, from From, answer PasskeyAnswer) (session string, s Signed, err error) {
	var a store.User
	var k store.Passkey
	if err := ac.Store.View(ctx, func(tx *store.Tx) (err error) { a, k, err = findPasskey(tx, answer); return err }); err != nil {
		return "", s, err
	}
	session, err = ac.NewID(sessionPrefix), PasskeyUnknown
	if k.ID != "" {
		s, err = ac.usePasskey(ctx, from, a, k, answer, session)
	}
	if reason, refused := errors.AsType[PasskeyRefusal](err); refused {
		detail := audit.Detail{"reason": string(reason)}
		if k.ID != "" {
			detail["passkey"] = k.ID
		}
		return "", Signed{}, ac.refuseSignIn(ctx, audit.Visitor, a.ID, from, detail)
	}
	return session, s, err
}

// findPasskey finds the user that an answer names, and the passkey if it belongs to that user.
func findPasskey(tx *store.Tx, answer PasskeyAnswer) (a store.User, k store.Passkey, err error) {
	if !userName.MatchString(answer.UserID) { // ids have no other characters, and PostgreSQL refuses some
		return a, k, nil
	}
	a, found, err := tx.Users().Find(answer.UserID)
	if err != nil || !found {
		return a, k, err
	}
	if k, found, err = tx.Users().FindPasskey(answer.CredentialID); err != nil || !found || k.UserID != a.ID {
		return a, store.Passkey{}, err
	}
	return a, k, nil
}

// usePasskey verifies an answer, and adds a session. As with passwords, the work is done before the transaction, which then looks whether
// the passkey is still the same: otherwise it was removed, or another answer raised its counter. A challenge that is not newer than the last use of the
// passkey may be the one of that use, and its answer a copy.
func (ac *Access) usePasskey(ctx context.Context, from From, a store.User, k store.Passkey, answer PasskeyAnswer, session string) (s Signed, err error) {
	credential, err := answer.Verify(a, k)
	if err != nil {
		return s, err
	}
	err = ac.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
		user, now, err := findPasskey(tx, answer)
		switch {
		case err != nil:
			return err
		case now.ID != k.ID:
			return PasskeyUnknown
		case now.Credential != k.Credential || !answer.AskedAt.After(now.UsedAt):
			return PasskeyUsed
		}
		usedAt := ac.Now()
		if usedAt.Before(answer.AskedAt) { // by the clock of another process
			usedAt = answer.AskedAt
		}
		if err := tx.Users().UsePasskey(k.ID, credential, usedAt); err != nil {
			return err
		}
		s, err = ac.signIn(tx, user, from, session, audit.Detail{"passkey": k.ID})
		return err
	})
	return s, err
}
