package operators

import (
	"errors"
	"fmt"

	"foyer/cmd/foyer/cli"
	"foyer/internal/alert"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/alerts"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/wire"
)

// Alerts are the commands about what needs a person.
type Alerts struct {
	List   alertsList   `cmd:"" help:"List what fires now."`
	Rules  alertsRules  `cmd:"" help:"List what you hear about, and from where on."`
	Edit   alertsEdit   `cmd:"" help:"Change a rule. What you leave out stays as it is."`
	Ways   alertsWays   `cmd:"" help:"List how you hear about it."`
	Add    alertsAdd    `cmd:"" help:"Add a way: mail, the webhook of a chat, or signed events for a program."`
	Remove alertsRemove `cmd:"" help:"Remove a way."`
	Test   alertsTest   `cmd:"" help:"Send a test message by a way, and say what became of it."`
}

type alertsList struct{ cli.ListFlags }

// Run lists what fires.
func (c *alertsList) Run(e cli.Env) error {
	firing := func(op *operator.Operator) ([]alert.State, error) { return op.Alerts().Firing(e.Ctx) }
	return cli.List(e, c.ListFlags, firing, "Nothing fires. A service that runs looks every minute.",
		report.Alert, report.AlertHeadings, report.AlertRow)
}

type alertsRules struct{ cli.ListFlags }

// Run lists the rules.
func (c *alertsRules) Run(e cli.Env) error {
	rules := func(op *operator.Operator) ([]alerts.Rule, error) { return op.Alerts().Rules(e.Ctx) }
	return cli.List(e, c.ListFlags, rules, "", report.AlertRule, report.AlertRuleHeadings, report.AlertRuleRow)
}

type alertsEdit struct {
	cli.OperatorFlags
	Rule      string `arg:"" help:"The rule, as foyer alerts rules names it."`
	On        bool   `xor:"on" help:"Switch it on."`
	Off       bool   `xor:"on" help:"Switch it off."`
	Threshold *int   `placeholder:"N" help:"From where on it fires, in the unit of the rule."`
	Cooldown  *int   `placeholder:"MINUTES" help:"How many minutes it stays silent about the same thing after a message, 5 to 43200."`
}

// Run changes a rule.
func (c *alertsEdit) Run(e cli.Env) error {
	in := entered.AlertSetting{Threshold: c.Threshold, Cooldown: c.Cooldown}
	if c.On || c.Off {
		in.On = &c.On
	}
	if in == (entered.AlertSetting{}) {
		return errors.New("nothing to change: name at least one of --on, --off, --threshold and --cooldown")
	}
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		r, err := op.Alerts().EditRule(e.Ctx, e.By, c.Rule, in)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s is on: it fires when %s. After a message it is silent about the same thing for %s.", r.Name, r.Fires(r.Setting.Threshold), alert.Period(r.Setting.Cooldown))
		if !r.On {
			text = string(r.Name) + " is off."
		}
		return e.Print(c.JSON, report.AlertRule(r), cli.Sentence("%s", text))
	})
}

type alertsWays struct{ cli.ListFlags }

// Run lists the ways.
func (c *alertsWays) Run(e cli.Env) error {
	ways := func(op *operator.Operator) ([]alert.Way, error) { return op.Alerts().Ways(e.Ctx) }
	return cli.List(e, c.ListFlags, ways, "Nobody hears of alerts: they only appear in the console and in foyer alerts list. foyer alerts add makes a way.",
		func(w alert.Way) wire.Object { return report.AlertWay(w) }, report.AlertWayHeadings, report.AlertWayRow)
}

type alertsAdd struct {
	cli.OperatorFlags
	config.Network
	Kind    string `arg:"" enum:"mail,slack,event" help:"mail; slack, for the webhook of a chat that takes {\"text\": …}; or event, for a program."`
	Address string `arg:"" help:"An address of mail, or the URL of the webhook. Alerts hold no personal data."`
}

// Help says what comes next.
func (*alertsAdd) Help() string {
	return "Mail needs a mail server: start the service with --smtp and --mail-from. An event is signed like messages to buyers, with a secret that is printed only once. foyer alerts test tries the way."
}

// Run adds a way.
func (c *alertsAdd) Run(e cli.Env) error {
	return e.WithSender(c.Data, c.Network, func(op *operator.Operator) error {
		w, secret, err := op.Alerts().AddWay(e.Ctx, e.By, alert.WayKind(c.Kind), c.Address)
		if problems, ok := errors.AsType[entered.Problems](err); ok { // the address is no flag here
			return errors.New("<address>: " + problems[0].Text)
		}
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s: alerts go to %s from now on. Try it with foyer alerts test %s.", w.ID, w.Shown(), w.ID)
		if secret != "" {
			text += "\n\nIts secret, shown only once:\n  " + secret
		}
		return e.Print(c.JSON, report.AlertWay(w, wire.Member{"secret", wire.OrNull(secret)}), cli.Sentence("%s", text))
	})
}

// alertWayFlags are the arguments and flags of every command about one way.
type alertWayFlags struct {
	cli.OperatorFlags
	Way string `arg:"" help:"The way's id, as foyer alerts ways lists it."`
}

type alertsRemove struct{ alertWayFlags }

// Run removes a way.
func (c *alertsRemove) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		w, err := op.Alerts().RemoveWay(e.Ctx, e.By, c.Way)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, wire.Object{{"way_id", w.ID}, {"removed", true}}, cli.Sentence("%s is removed: nothing is sent to %s any more.", w.ID, w.Shown()))
	})
}

type alertsTest struct {
	alertWayFlags
	config.Public
	config.ConsoleListener
	config.Network
	config.Mail
}

// Help says whose settings count.
func (*alertsTest) Help() string {
	return "This command sends the message itself: give it the settings of the service, --smtp and --mail-from or their variables. The button in the console asks the service."
}

// Run sends a test message. It fails if the message was not sent.
func (c *alertsTest) Run(e cli.Env) error {
	op, err := app.OpenOperator(e.Ctx, c.Data, c.AllowPrivate, e.By)
	if err != nil {
		return err
	}
	op.UseMail(config.Brand{Public: c.Public, Name: "Foyer"}.Catalog(":8080"), c.ConsoleListener, c.Mail)
	w, failure, err := op.Alerts().TestWay(e.Ctx, e.By, c.Way)
	if err == nil && failure == "" {
		err = e.Print(c.JSON, wire.Object{{"way_id", w.ID}, {"sent", true}, {"failure", nil}}, cli.Sentence("A test message was sent to %s. Look whether it arrived.", w.Shown()))
	} else if err == nil {
		err = fmt.Errorf("the test message was not sent to %s: %s", w.Shown(), failure)
	}
	return errors.Join(err, op.Close())
}
