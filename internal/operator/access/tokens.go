package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// NewToken is a token to add. A program shows it to use the operator's API.
type NewToken struct {
	Name         string
	Write        bool // it may change things, not only read them
	PersonalData bool // it may see who sent a lead, and decide who else does
	Days         int  // how long it is valid
}

// A token is valid for some months, unless the operator wants it otherwise. None is valid for ever: nobody remembers to revoke it.
const (
	DefaultTokenDays = 90
	maxTokenDays     = 730
)

// tokenPrefix begins every token, so that it is recognized where it does not belong.
const tokenPrefix = "foy_"

// The id of a token is no secret: it is how the audit trail and people name it.
const tokenIDPrefix = "tok_"

// AddToken adds a token. Its text is returned only this once; the database holds a hash of it.
func (ac *Access) AddToken(ctx context.Context, by audit.Actor, n NewToken) (t store.Token, text string, err error) {
	var problems entered.Problems
	entered.ParseField(&problems, "", &n.Name, &t.Name, parseTokenName) // an argument, and no flag
	entered.ParseField(&problems, "days", &n.Days, &n.Days, parseTokenDays)
	if err := problems.OrNil(); err != nil {
		return t, "", err
	}
	text = ac.NewID(tokenPrefix)
	now := ac.Now()
	t.ID, t.Hash, t.Scope, t.PersonalData = ac.shortID(tokenIDPrefix), hashToken(text), store.TokenRead, n.PersonalData
	if n.Write {
		t.Scope = store.TokenWrite
	}
	t.CreatedAt, t.CreatedBy, t.ExpiresAt = now, string(by), now.Add(time.Duration(n.Days)*24*time.Hour)
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Tokens().List()
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(all, func(other store.Token) bool { return other.Valid(now) && strings.EqualFold(other.Name, t.Name) }); i >= 0 {
			return entered.Refuse("%q is the name of %s already: write another, or revoke that token first", t.Name, all[i].ID)
		}
		if err := tx.Tokens().Add(t); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.TokenAdd, t.ID, audit.Detail{"scope": t.Scope, "personal_data": t.PersonalData, "days": n.Days})
	})
	return t, text, err
}

func parseTokenName(text string) (string, error) {
	name, err := entered.PlainText(text)
	if err == nil && name == "" {
		err = fmt.Errorf("a token needs a name: write which program uses it, in 1 to %d characters", entered.MaxNameLength)
	}
	return name, err
}

func parseTokenDays(n int) (int, error) {
	if n < 1 || n > maxTokenDays {
		return 0, fmt.Errorf("%d is not possible: write for how many days it is valid, from 1 to %d", n, maxTokenDays)
	}
	return n, nil
}

// hashToken needs no salt and no slow function: a token is 130 random bits, which nobody can guess.
func hashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Tokens lists all tokens, newest first, revoked and expired ones included.
func (ac *Access) Tokens(ctx context.Context) (list []store.Token, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Tokens().List(); return err })
	return list, err
}

// RevokeToken makes a token useless at once. It is found by its id, or by its name if it is valid.
func (ac *Access) RevokeToken(ctx context.Context, by audit.Actor, word string) (t store.Token, err error) {
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Tokens().List()
		if err != nil {
			return err
		}
		now := ac.Now()
		i := slices.IndexFunc(all, func(t store.Token) bool {
			return t.ID == word || t.Valid(now) && strings.EqualFold(t.Name, strings.TrimSpace(word))
		})
		if i < 0 {
			return &lead.Error{Kind: lead.NotFound, Message: "There is no valid token with this name, and none with this id."}
		}
		if t = all[i]; !t.RevokedAt.IsZero() {
			return entered.Refuse("%s is revoked already, since %s", t.ID, t.RevokedAt.UTC().Format(time.DateOnly))
		}
		t.RevokedAt = now
		if err := tx.Tokens().Revoke(t.ID, now); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.TokenRevoke, t.ID, nil)
	})
	return t, err
}

// Authenticate returns the token with a text. valid is false if there is none, or if it is revoked or expired.
func (ac *Access) Authenticate(ctx context.Context, text string) (t store.Token, valid bool, err error) {
	if !strings.HasPrefix(text, tokenPrefix) {
		return t, false, nil
	}
	if err := ac.Store.View(ctx, func(tx *store.Tx) (err error) { t, valid, err = tx.Tokens().Find(hashToken(text)); return err }); err != nil || !valid {
		return t, false, err
	}
	now := ac.Now()
	if !t.Valid(now) {
		return t, false, nil
	}
	if minute := now.Truncate(time.Minute); t.UsedAt.Before(minute) {
		err = ac.Store.Update(ctx, func(tx *store.Tx) error { return tx.Tokens().Use(t.ID, minute) })
	}
	return t, true, err
}
