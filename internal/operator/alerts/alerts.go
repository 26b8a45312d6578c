// Package alerts is what an operator does about alerts: rules, ways to hear of them, and what fires. Each change names its actor, and is
// written to the audit trail in the transaction that makes it.
//
// The package finds nothing out by itself, and sends nothing but tests: package alerter does.
package alerts

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/internal/alert"
	"foyer/internal/alerter"
	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/mail"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Alerts carries out what an operator does about alerts.
type Alerts struct {
	Store      Store
	Now        func() time.Time
	NewID      func(prefix string) string
	NewShortID func(prefix string) string
	NewSecret  func() string
	CheckURL   func(raw string) error
	Send       func(ctx context.Context, w alert.Way, id string, m alert.Message) error                           // says what went wrong in one line
	Record     func(tx *store.Tx, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error // in the audit trail
	Keep       func(tx *store.Tx, name alert.Name, was, is alert.Setting) error                                   // for Undo
}

// Store is what Alerts needs of the database.
type Store interface {
	Update(ctx context.Context, do func(*store.Tx) error) error
	View(ctx context.Context, do func(*store.Tx) error) error
}

// Rule is a rule with its setting.
type Rule struct {
	alert.Rule
	alert.Setting
	Changed bool // the setting is the operator's
}

// Rules lists the rules.
func (al *Alerts) Rules(ctx context.Context) (list []Rule, err error) {
	err = al.Store.View(ctx, func(tx *store.Tx) error {
		settings, err := tx.Alerts().Settings()
		list = nil
		for _, r := range alert.Rules {
			list = append(list, Rule{r, settings.Of(r), settings.Of(r) != r.Default()})
		}
		return err
	})
	return list, err
}

// Firing lists what fires now, what fires longest first.
func (al *Alerts) Firing(ctx context.Context) (list []alert.State, err error) {
	err = al.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Alerts().States(); return err })
	return slices.DeleteFunc(list, func(s alert.State) bool { return !s.Firing() }), err
}

// Messages lists the newest messages about alerts.
func (al *Alerts) Messages(ctx context.Context, limit int) (list []store.AlertMessage, err error) {
	err = al.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Alerts().Newest(limit); return err })
	return list, err
}

// EditRule changes a rule.
func (al *Alerts) EditRule(ctx context.Context, by audit.Actor, name string, in entered.AlertSetting) (changed Rule, err error) {
	rule, found := alert.Find(alert.Name(strings.TrimSpace(name)))
	if !found {
		return changed, &lead.Error{Kind: lead.NotFound, Message: "There is no rule with this name. The rules are " + ruleNames() + "."}
	}
	if err := in.Check(rule); err != nil {
		return changed, err
	}
	err = al.Store.Update(ctx, func(tx *store.Tx) error {
		settings, err := tx.Alerts().Settings()
		if err != nil {
			return err
		}
		was := settings.Of(rule)
		after := in.ApplyTo(was)
		changed = Rule{rule, after, after != rule.Default()}
		return al.PutSetting(tx, by, audit.AlertEdit, rule.Name, was, after)
	})
	return changed, err
}

// PutSetting changes the setting of a rule in a transaction.
func (al *Alerts) PutSetting(tx *store.Tx, by audit.Actor, action audit.Action, name alert.Name, was, is alert.Setting) error {
	if err := tx.Alerts().PutSetting(name, is); err != nil {
		return err
	}
	if err := al.Keep(tx, name, was, is); err != nil {
		return err
	}
	return al.Record(tx, by, action, string(name), entered.ChangedSetting(was, is))
}

// ruleNames lists the names of the rules.
func ruleNames() string {
	var names []string
	for _, r := range alert.Rules {
		names = append(names, string(r.Name))
	}
	return strings.Join(names, ", ")
}

// Ways lists the ways to hear of alerts.
func (al *Alerts) Ways(ctx context.Context) (list []alert.Way, err error) {
	err = al.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Alerts().Ways(); return err })
	return list, err
}

// maxWays bounds how many messages an alert makes.
const maxWays = 20

// AddWay adds a way. The secret that signs events is returned only this once.
func (al *Alerts) AddWay(ctx context.Context, by audit.Actor, kind alert.WayKind, address string) (w alert.Way, secret string, err error) {
	w = alert.Way{ID: al.NewShortID("way_"), Kind: kind, CreatedAt: al.Now(), CreatedBy: string(by)}
	detail := audit.Detail{"kind": kind}
	switch kind {
	case alert.Mail:
		w.Address, err = mail.CheckAddress(address)
	case alert.Slack, alert.Event:
		w.Address, err = entered.ParseURL(al.CheckURL)(address)
		w.Secret = al.NewSecret() // a chat ignores the signature
		if u, parseErr := url.Parse(w.Address); parseErr == nil {
			detail["url"] = u.Scheme + "://" + u.Host
		}
	default:
		return w, "", entered.Problem("kind", fmt.Sprintf("%.40q is not possible: write mail, slack or event", string(kind)))
	}
	if err != nil {
		return w, "", entered.Problem("address", err.Error())
	}
	err = al.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Alerts().Ways()
		switch {
		case err != nil:
			return err
		case slices.ContainsFunc(all, func(other alert.Way) bool { return other.Kind == w.Kind && other.Address == w.Address }):
			return entered.Refuse("alerts go there already")
		case len(all) >= maxWays:
			return entered.Refuse("there are %d ways already: remove one first", len(all))
		}
		if err := tx.Alerts().AddWay(w); err != nil {
			return err
		}
		return al.Record(tx, by, audit.AlertWayAdd, w.ID, detail)
	})
	if kind == alert.Event && err == nil {
		secret = w.Secret
	}
	return w, secret, err
}

// RemoveWay removes a way. What was not sent by it yet never is.
func (al *Alerts) RemoveWay(ctx context.Context, by audit.Actor, id string) (w alert.Way, err error) {
	err = al.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if w, err = findWay(tx, id); err != nil {
			return err
		}
		if err := tx.Alerts().RemoveWay(w.ID); err != nil {
			return err
		}
		return al.Record(tx, by, audit.AlertWayRemove, w.ID, audit.Detail{"kind": w.Kind})
	})
	return w, err
}

func findWay(tx *store.Tx, id string) (alert.Way, error) {
	w, found, err := tx.Alerts().FindWay(strings.TrimSpace(id))
	if err == nil && !found {
		err = lead.NotFoundError("way with this id")
	}
	return w, err
}

// TestWay sends a test message by a way. failure says why it was not sent, or is "".
func (al *Alerts) TestWay(ctx context.Context, by audit.Actor, id string) (w alert.Way, failure string, err error) {
	err = al.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if w, err = findWay(tx, id); err != nil {
			return err
		}
		return al.Record(tx, by, audit.AlertWayTest, w.ID, nil)
	})
	if err != nil {
		return w, "", err
	}
	if err := al.Send(ctx, w, al.NewID("alert_"), alerter.TestMessage(al.Now())); err != nil {
		failure = err.Error()
	}
	return w, failure, nil
}
