package operations

import (
	"foyer/internal/alert"
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const tagAlerts = "alerts"

var (
	alertRuleName   = []operation.Field{{Name: "rule", Kind: operation.Text, Required: true, Help: "The name of the rule, such as buyer_down."}}
	alertRuleFields = operation.InputFields[entered.AlertSetting]()
	alertWayID      = []operation.Field{{Name: "way_id", Kind: operation.Text, Required: true, Help: "The id of the way."}}
	alertWayKinds   = []string{string(alert.Mail), string(alert.Slack), string(alert.Event)}
)

var alertOperations = []operation.Operation{
	{
		Method: get, Path: "/alerts", ID: "listAlerts", Tag: tagAlerts, Summary: "What fires now, what fires longest first",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "Alert", Sample: report.Alert(alert.State{}), List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.FiringAlerts(c.Ctx)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(s alert.State) string { return string(s.Rule) + " " + s.Subject }, report.Alert)
		},
	},
	{
		Method: get, Path: "/alerts/rules", ID: "listAlertRules", Tag: tagAlerts, Summary: "What you hear about",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "AlertRule", Sample: report.AlertRule(operator.AlertRule{}), List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.AlertRules(c.Ctx)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(r operator.AlertRule) string { return string(r.Name) }, report.AlertRule)
		},
	},
	{
		Method: post, Path: "/alerts/rules/{rule}", ID: "editAlertRule", Tag: tagAlerts, Write: true, Summary: "Change a rule",
		Description: "What is left out stays as it is.",
		InPath:      alertRuleName, Body: alertRuleFields, Answer: operation.Answer{Name: "AlertRule", Sample: report.AlertRule(operator.AlertRule{})}, Run: editAlertRule,
	},
	{
		Method: get, Path: "/alerts/ways", ID: "listAlertWays", Tag: tagAlerts, Summary: "How you hear about it",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "AlertWay", Sample: report.AlertWay(alert.Way{}), List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.AlertWays(c.Ctx)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(w alert.Way) string { return w.ID }, func(w alert.Way) wire.Object { return report.AlertWay(w) })
		},
	},
	{
		Method: post, Path: "/alerts/ways", ID: "addAlertWay", Tag: tagAlerts, Write: true, Created: true, Summary: "Add a way to hear about alerts",
		Description: "By mail; by a webhook that takes {\"text\": …}, as those of Slack and Mattermost do; or by events for a program, signed like messages to buyers (Standard Webhooks), of the types alert.fired, alert.recovered and alert.test.",
		Body: []operation.Field{
			{Name: "kind", Kind: operation.Text, Required: true, Choices: alertWayKinds, Help: "mail, slack for a webhook of a chat, or event for a program."},
			{Name: "address", Kind: operation.Text, Required: true, Help: "An address of mail, or the URL of the webhook."},
		},
		Answer: operation.Answer{Name: "AlertWayWithSecret", Sample: report.AlertWay(alert.Way{}, wire.Member{"secret", new("")})},
		Run: func(c *operation.Call) (any, error) {
			w, secret, err := c.Op.AddAlertWay(c.Ctx, c.By(), alert.WayKind(c.In.Text("kind")), c.In.Text("address"))
			return report.AlertWay(w, wire.Member{"secret", wire.OrNull(secret)}), err
		},
	},
	{
		Method: post, Path: "/alerts/ways/{way_id}/remove", ID: "removeAlertWay", Tag: tagAlerts, Write: true, Summary: "Remove a way",
		Description: "What was not sent by it yet never is.",
		InPath:      alertWayID, Answer: operation.Answer{Name: "RemovedAlertWay", Sample: wire.Object{{"way_id", ""}, {"removed", true}}},
		Run: func(c *operation.Call) (any, error) {
			w, err := c.Op.RemoveAlertWay(c.Ctx, c.By(), c.In.Text("way_id"))
			return wire.Object{{"way_id", w.ID}, {"removed", true}}, err
		},
	},
	{
		Method: post, Path: "/alerts/ways/{way_id}/test", ID: "testAlertWay", Tag: tagAlerts, Write: true, Sends: true, Summary: "Send a test message by a way",
		InPath: alertWayID, Answer: operation.Answer{Name: "TestedAlertWay", Sample: wire.Object{{"way_id", ""}, {"sent", true}, {"failure", new("")}}},
		Run: func(c *operation.Call) (any, error) {
			w, failure, err := c.Op.TestAlertWay(c.Ctx, c.By(), c.In.Text("way_id"))
			return wire.Object{{"way_id", w.ID}, {"sent", failure == ""}, {"failure", wire.OrNull(failure)}}, err
		},
	},
	{
		Method: get, Path: "/alerts/messages", ID: "listAlertMessages", Tag: tagAlerts, Summary: "The newest messages, and whether they were sent",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "AlertMessage", Sample: report.AlertMessage(store.AlertMessage{}), List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.AlertMessages(c.Ctx, 500)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(m store.AlertMessage) string { return m.ID }, report.AlertMessage)
		},
	},
}

func editAlertRule(c *operation.Call) (any, error) {
	in := operation.Fill[entered.AlertSetting](alertRuleFields, c.In)
	if in == (entered.AlertSetting{}) {
		return nil, lead.InvalidField("body", "body: there is nothing to change. Name at least one field, as in {\"threshold\": 5}.")
	}
	r, err := c.Op.EditAlertRule(c.Ctx, c.By(), c.In.Text("rule"), in)
	return report.AlertRule(r), err
}
