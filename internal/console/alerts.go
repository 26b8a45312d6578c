package console

import (
	"foyer/internal/alert"
	"foyer/internal/lead"
	"foyer/internal/operator/alerts"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const tagAlerts = "alerts"

var (
	alertRuleName   = []field{{name: "rule", kind: text, required: true, help: "The name of the rule, such as buyer_down."}}
	alertRuleFields = inputFields[entered.AlertSetting]()
	alertWayID      = []field{{name: "way_id", kind: text, required: true, help: "The id of the way."}}
	alertWayKinds   = []string{string(alert.Mail), string(alert.Slack), string(alert.Event)}
)

var alertOperations = []operation{
	{
		method: get, path: "/alerts", id: "listAlerts", tag: tagAlerts, summary: "What fires now, what fires longest first",
		query: []field{limitField, cursorField}, answer: answer{"Alert", report.Alert(alert.State{}), true},
		run: func(c *call) (any, error) {
			list, err := c.op.Alerts().Firing(c.ctx)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(s alert.State) string { return string(s.Rule) + " " + s.Subject }, report.Alert)
		},
	},
	{
		method: get, path: "/alerts/rules", id: "listAlertRules", tag: tagAlerts, summary: "What you hear about",
		query: []field{limitField, cursorField}, answer: answer{"AlertRule", report.AlertRule(alerts.Rule{}), true},
		run: func(c *call) (any, error) {
			list, err := c.op.Alerts().Rules(c.ctx)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(r alerts.Rule) string { return string(r.Name) }, report.AlertRule)
		},
	},
	{
		method: post, path: "/alerts/rules/{rule}", id: "editAlertRule", tag: tagAlerts, write: true, summary: "Change a rule",
		description: "What is left out stays as it is.",
		inPath:      alertRuleName, body: alertRuleFields, answer: answer{"AlertRule", report.AlertRule(alerts.Rule{}), false}, run: (*call).editAlertRule,
	},
	{
		method: get, path: "/alerts/ways", id: "listAlertWays", tag: tagAlerts, summary: "How you hear about it",
		query: []field{limitField, cursorField}, answer: answer{"AlertWay", report.AlertWay(alert.Way{}), true},
		run: func(c *call) (any, error) {
			list, err := c.op.Alerts().Ways(c.ctx)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(w alert.Way) string { return w.ID }, func(w alert.Way) object { return report.AlertWay(w) })
		},
	},
	{
		method: post, path: "/alerts/ways", id: "addAlertWay", tag: tagAlerts, write: true, created: true, summary: "Add a way to hear about alerts",
		description: "By mail; by a webhook that takes {\"text\": …}, as those of Slack and Mattermost do; or by events for a program, signed like messages to buyers (Standard Webhooks), of the types alert.fired, alert.recovered and alert.test.",
		body: []field{
			{name: "kind", kind: text, required: true, choices: alertWayKinds, help: "mail, slack for a webhook of a chat, or event for a program."},
			{name: "address", kind: text, required: true, help: "An address of mail, or the URL of the webhook."},
		},
		answer: answer{"AlertWayWithSecret", report.AlertWay(alert.Way{}, wire.Member{"secret", new("")}), false},
		run: func(c *call) (any, error) {
			w, secret, err := c.op.Alerts().AddWay(c.ctx, c.by(), alert.WayKind(c.in.text("kind")), c.in.text("address"))
			return report.AlertWay(w, wire.Member{"secret", wire.OrNull(secret)}), err
		},
	},
	{
		method: post, path: "/alerts/ways/{way_id}/remove", id: "removeAlertWay", tag: tagAlerts, write: true, summary: "Remove a way",
		description: "What was not sent by it yet never is.",
		inPath:      alertWayID, answer: answer{"RemovedAlertWay", object{{"way_id", ""}, {"removed", true}}, false},
		run: func(c *call) (any, error) {
			w, err := c.op.Alerts().RemoveWay(c.ctx, c.by(), c.in.text("way_id"))
			return object{{"way_id", w.ID}, {"removed", true}}, err
		},
	},
	{
		method: post, path: "/alerts/ways/{way_id}/test", id: "testAlertWay", tag: tagAlerts, write: true, sends: true, summary: "Send a test message by a way",
		inPath: alertWayID, answer: answer{"TestedAlertWay", object{{"way_id", ""}, {"sent", true}, {"failure", new("")}}, false},
		run: func(c *call) (any, error) {
			w, failure, err := c.op.Alerts().TestWay(c.ctx, c.by(), c.in.text("way_id"))
			return object{{"way_id", w.ID}, {"sent", failure == ""}, {"failure", wire.OrNull(failure)}}, err
		},
	},
	{
		method: get, path: "/alerts/messages", id: "listAlertMessages", tag: tagAlerts, summary: "The newest messages, and whether they were sent",
		query: []field{limitField, cursorField}, answer: answer{"AlertMessage", report.AlertMessage(store.AlertMessage{}), true},
		run: func(c *call) (any, error) {
			list, err := c.op.Alerts().Messages(c.ctx, 500)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(m store.AlertMessage) string { return m.ID }, report.AlertMessage)
		},
	},
}

func (c *call) editAlertRule() (any, error) {
	in := fill[entered.AlertSetting](alertRuleFields, c.in)
	if in == (entered.AlertSetting{}) {
		return nil, lead.InvalidField("body", "body: there is nothing to change. Name at least one field, as in {\"threshold\": 5}.")
	}
	r, err := c.op.Alerts().EditRule(c.ctx, c.by(), c.in.text("rule"), in)
	return report.AlertRule(r), err
}
