package access

import (
	"context"
	"errors"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

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
