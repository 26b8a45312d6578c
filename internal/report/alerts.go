package report

import (
	"foyer/internal/alert"
	"foyer/internal/operator/alerts"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Alert is something that fires, as JSON.
func Alert(s alert.State) wire.Object {
	return wire.Object{{"rule", s.Rule}, {"subject", s.Subject}, {"title", s.Title}, {"text", s.Text}, {"path", s.Path}, {"since", s.Since}, {"told_at", wire.TimeOrNull(s.SentAt)}}
}

// AlertHeadings are the headings of AlertRow.
const AlertHeadings = "SINCE\tRULE\tSUBJECT\tWHAT\tLAST TOLD"

// AlertRow is something that fires, in a table.
func AlertRow(s alert.State) []any {
	return []any{terminal.Time(s.Since), s.Rule, terminal.OneLine(s.Subject), terminal.OneLine(s.Title), terminal.Time(s.SentAt)}
}

// AlertRule is a rule as JSON.
func AlertRule(r alerts.Rule) wire.Object {
	return wire.Object{
		{"rule", r.Name},
		{"title", r.Title},
		{"when", r.When},
		{"on", r.On},
		{"threshold", r.Setting.Threshold},
		{"unit", r.Unit},
		{"cooldown_minutes", int(r.Setting.Cooldown.Minutes())},
		{"changed", r.Changed},
	}
}

// AlertRuleHeadings are the headings of AlertRuleRow.
const AlertRuleHeadings = "RULE\tON\tTHRESHOLD\tCOOLDOWN\tFIRES WHEN"

// AlertRuleRow is a rule in a table.
func AlertRuleRow(r alerts.Rule) []any {
	on := "yes"
	if !r.On {
		on = "no"
	}
	return []any{r.Name, on, r.Amount(r.Setting.Threshold), alert.Period(r.Setting.Cooldown), r.Fires(r.Setting.Threshold)}
}

// AlertWay is a way as JSON. Members that are shown only once follow the id.
func AlertWay(w alert.Way, once ...wire.Member) wire.Object {
	return append(append(wire.Object{{"way_id", w.ID}}, once...), wire.Object{{"kind", w.Kind}, {"address", w.Shown()}, {"created_at", w.CreatedAt}, {"created_by", w.CreatedBy}}...)
}

// AlertWayHeadings are the headings of AlertWayRow.
const AlertWayHeadings = "WAY\tKIND\tADDRESS\tADDED\tBY"

// AlertWayRow is a way in a table.
func AlertWayRow(w alert.Way) []any {
	return []any{w.ID, w.Kind, terminal.OneLine(w.Shown()), terminal.Time(w.CreatedAt), w.CreatedBy}
}

// AlertMessage is a message about an alert, as JSON.
func AlertMessage(m store.AlertMessage) wire.Object {
	return wire.Object{
		{"id", m.ID},
		{"way_id", m.Way},
		{"kind", m.Kind},
		{"rule", m.Rule},
		{"subject", m.Subject},
		{"title", m.Title},
		{"at", m.At},
		{"state", AlertMessageState(m)},
		{"attempts", m.Attempts},
		{"next_attempt_at", wire.TimeOrNull(m.NextAt)},
		{"sent_at", wire.TimeOrNull(m.SentAt)},
		{"failure", wire.OrNull(m.Failure)},
	}
}

// AlertMessageState says what became of a message: sent, given up, or waiting for the next attempt.
func AlertMessageState(m store.AlertMessage) string {
	switch {
	case !m.SentAt.IsZero():
		return "sent"
	case m.GivenUp():
		return "given_up"
	}
	return "waiting"
}
