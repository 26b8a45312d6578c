package operator

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

// AlertRuleInput is a change of a rule. What is nil stays as it is.
type AlertRuleInput struct {
	On        *bool `name:"on" help:"Whether the rule is on."`
	Threshold *int  `name:"threshold" placeholder:"N" help:"From where on it fires, in the unit of the rule."`
	Cooldown  *int  `name:"cooldown" placeholder:"MINUTES" help:"How many minutes it stays silent about the same thing after a message, 5 to 43200." api:",cooldown_minutes"`
}

// EditAlertRule changes a rule.
func (op *Operator) EditAlertRule(ctx context.Context, by audit.Actor, name string, in AlertRuleInput) (changed AlertRule, err error) {
	rule, found := alert.Find(alert.Name(strings.TrimSpace(name)))
	if !found {
		return changed, &lead.Error{Kind: lead.NotFound, Message: "There is no rule with this name. The rules are " + ruleNames() + "."}
	}
	var problems Problems
	if in.Threshold != nil && rule.Check(*in.Threshold) != nil {
		problems.add(FieldError{"threshold", rule.Check(*in.Threshold).Error()})
	}
	if in.Cooldown != nil {
		if err := alert.CheckCooldown(time.Duration(*in.Cooldown) * time.Minute); err != nil {
			problems.add(FieldError{"cooldown", err.Error()})
		}
	}
	if err := problems.orNil(); err != nil {
		return changed, err
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		settings, err := tx.Alerts().Settings()
		if err != nil {
			return err
		}
		before := settings.Of(rule)
		after := in.apply(before)
		changed = AlertRule{rule, after, after != rule.Default()}
		if err := tx.Alerts().PutSetting(rule.Name, after); err != nil {
			return err
		}
		return op.record(tx, by, audit.AlertEdit, string(rule.Name), settingChanges(before, after))
	})
	return changed, err
}

// ruleNames lists the names of the rules.
func ruleNames() string {
	var names []string
	for _, r := range alert.Rules {
		names = append(names, string(r.Name))
	}
	return strings.Join(names, ", ")
}

func (in AlertRuleInput) apply(s alert.Setting) alert.Setting {
	setBool(in.On, &s.On)
	if in.Threshold != nil {
		s.Threshold = *in.Threshold
	}
	if in.Cooldown != nil {
		s.Cooldown = time.Duration(*in.Cooldown) * time.Minute
	}
	return s
}

// settingChanges are the values before and after that differ.
func settingChanges(before, after alert.Setting) audit.Detail {
	d := audit.Detail{}
	if before.On != after.On {
		d["on"] = []bool{before.On, after.On}
	}
	if before.Threshold != after.Threshold {
		d["threshold"] = []int{before.Threshold, after.Threshold}
	}
	if before.Cooldown != after.Cooldown {
		d["cooldown_minutes"] = []int{int(before.Cooldown.Minutes()), int(after.Cooldown.Minutes())}
	}
	return d
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
	w = alert.Way{ID: op.NewID("way_"), Kind: kind, CreatedAt: op.now(), CreatedBy: string(by)}
	w.ID = w.ID[:min(len(w.ID), tokenIDLength)]
	detail := audit.Detail{"kind": kind}
	switch kind {
	case alert.Mail:
		w.Address, err = mail.CheckAddress(address)
	case alert.Slack, alert.Event:
		w.Address, err = parseURL(op.CheckURL)(address)
		w.Secret = op.NewSecret() // a chat ignores the signature
		if u, parseErr := url.Parse(w.Address); parseErr == nil {
			detail["url"] = u.Scheme + "://" + u.Host
		}
	default:
		return w, "", Problems{{"kind", fmt.Sprintf("%.40q is not possible: write mail, slack or event", string(kind))}}
	}
	if err != nil {
		return w, "", Problems{{"address", err.Error()}}
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Alerts().Ways()
		switch {
		case err != nil:
			return err
		case slices.ContainsFunc(all, func(other alert.Way) bool { return other.Kind == w.Kind && other.Address == w.Address }):
			return refuse("alerts go there already")
		case len(all) >= maxAlertWays:
			return refuse("there are %d ways already: remove one first", len(all))
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
