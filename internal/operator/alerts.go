package operator

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/alert"
	"foyer/internal/alerter"
	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/mail"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// AlertRule is a rule with its setting.
type AlertRule struct {
	alert.Rule
	alert.Setting
	Changed bool // the setting is the operator's
}

// AlertRules lists the rules.
func (op *Operator) AlertRules(ctx context.Context) (list []AlertRule, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		settings, err := tx.Alerts().Settings()
		list = nil
		for _, r := range alert.Rules {
			list = append(list, AlertRule{r, settings.Of(r), settings.Of(r) != r.Default()})
		}
		return err
	})
	return list, err
}

// FiringAlerts lists what fires now, what fires longest first.
func (op *Operator) FiringAlerts(ctx context.Context) (list []alert.State, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Alerts().States(); return err })
	return slices.DeleteFunc(list, func(s alert.State) bool { return !s.Firing() }), err
}

// AlertMessages lists the newest messages about alerts.
func (op *Operator) AlertMessages(ctx context.Context, limit int) (list []store.AlertMessage, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Alerts().Newest(limit); return err })
	return list, err
}

// EditAlertRule changes a rule.
func (op *Operator) EditAlertRule(ctx context.Context, by audit.Actor, name string, in entered.AlertSetting) (changed AlertRule, err error) {
	rule, found := alert.Find(alert.Name(strings.TrimSpace(name)))
	if !found {
		return changed, &lead.Error{Kind: lead.NotFound, Message: "There is no rule with this name. The rules are " + ruleNames() + "."}
	}
	if err := in.Check(rule); err != nil {
		return changed, err
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		settings, err := tx.Alerts().Settings()
		if err != nil {
			return err
		}
		was := settings.Of(rule)
		after := in.ApplyTo(was)
		changed = AlertRule{rule, after, after != rule.Default()}
		return op.putSetting(tx, by, audit.AlertEdit, rule.Name, was, after)
	})
	return changed, err
}

func (op *Operator) putSetting(tx *store.Tx, by audit.Actor, action audit.Action, name alert.Name, was, is alert.Setting) error {
	if err := tx.Alerts().PutSetting(name, is); err != nil {
		return err
	}
	if err := op.keep(tx, before{Rule: &ruleBefore{name, was, is}}); err != nil {
		return err
	}
	return op.record(tx, by, action, string(name), entered.ChangedSetting(was, is))
}

// ruleNames lists the names of the rules.
func ruleNames() string {
	var names []string
	for _, r := range alert.Rules {
		names = append(names, string(r.Name))
	}
	return strings.Join(names, ", ")
}

// AlertWays lists the ways to hear of alerts.
func (op *Operator) AlertWays(ctx context.Context) (list []alert.Way, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Alerts().Ways(); return err })
	return list, err
}

// maxAlertWays bounds how many messages an alert makes.
const maxAlertWays = 20

// AddAlertWay adds a way. The secret that signs events is returned only this once.
func (op *Operator) AddAlertWay(ctx context.Context, by audit.Actor, kind alert.WayKind, address string) (w alert.Way, secret string, err error) {
	w = alert.Way{ID: op.shortID("way_"), Kind: kind, CreatedAt: op.now(), CreatedBy: string(by)}
	detail := audit.Detail{"kind": kind}
	switch kind {
	case alert.Mail:
		w.Address, err = mail.CheckAddress(address)
	case alert.Slack, alert.Event:
		w.Address, err = entered.ParseURL(op.CheckURL)(address)
		w.Secret = op.NewSecret() // a chat ignores the signature
		if u, parseErr := url.Parse(w.Address); parseErr == nil {
			detail["url"] = u.Scheme + "://" + u.Host
		}
	default:
		return w, "", entered.Problem("kind", fmt.Sprintf("%.40q is not possible: write mail, slack or event", string(kind)))
	}
	if err != nil {
		return w, "", entered.Problem("address", err.Error())
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Alerts().Ways()
		switch {
		case err != nil:
			return err
		case slices.ContainsFunc(all, func(other alert.Way) bool { return other.Kind == w.Kind && other.Address == w.Address }):
			return entered.Refuse("alerts go there already")
		case len(all) >= maxAlertWays:
			return entered.Refuse("there are %d ways already: remove one first", len(all))
		}
		if err := tx.Alerts().AddWay(w); err != nil {
			return err
		}
		return op.record(tx, by, audit.AlertWayAdd, w.ID, detail)
	})
	if kind == alert.Event && err == nil {
		secret = w.Secret
	}
	return w, secret, err
}

// RemoveAlertWay removes a way. What was not sent by it yet never is.
func (op *Operator) RemoveAlertWay(ctx context.Context, by audit.Actor, id string) (w alert.Way, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if w, err = findWay(tx, id); err != nil {
			return err
		}
		if err := tx.Alerts().RemoveWay(w.ID); err != nil {
			return err
		}
		return op.record(tx, by, audit.AlertWayRemove, w.ID, audit.Detail{"kind": w.Kind})
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

// TestAlertWay sends a test message by a way. failure says why it was not sent, or is "".
func (op *Operator) TestAlertWay(ctx context.Context, by audit.Actor, id string) (w alert.Way, failure string, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if w, err = findWay(tx, id); err != nil {
			return err
		}
		return op.record(tx, by, audit.AlertWayTest, w.ID, nil)
	})
	if err != nil {
		return w, "", err
	}
	if err := op.SendAlert(ctx, w, op.NewID("alert_"), alerter.TestMessage(op.now())); err != nil {
		failure = err.Error()
	}
	return w, failure, nil
}
