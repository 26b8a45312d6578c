// Package operators has the commands about those who operate the service: who may sign in, with which tokens programs come, which alerts
// they hear of, and what they changed. It reads flags and prints; package operator has the rules.
package operators

import (
	"foyer/cmd/foyer/cli"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// Operators are the commands about who may sign in to the console.
type Operators struct {
	Add    operatorsAdd    `cmd:"" help:"Add a user and print a link that chooses its password."`
	List   operatorsList   `cmd:"" help:"List the users, with their roles and when they last signed in."`
	Link   operatorsLink   `cmd:"" help:"Print another link for a user, or the link that makes the first one."`
	Reset  operatorsReset  `cmd:"" help:"Take the password and the passkeys of a user away, sign it out everywhere, and print a link."`
	Remove operatorsRemove `cmd:"" help:"Remove a user and sign it out everywhere."`
	Edit   operatorsEdit   `cmd:"" help:"Change the role of a user."`
}

// roles explains the roles once.
const roles = "A viewer sees everything but personal data. An operator sees and changes everything but users. An owner manages the users, too."

// linkFlags are the flags of every command that prints a link, so that the link begins as those of the service do.
type linkFlags struct {
	cli.OperatorFlags
	config.Public
	config.ConsoleListener
}

// url is the address of a link.
func (f linkFlags) url(link string) string {
	brand := config.Brand{Public: f.Public}.Catalog(":8080")
	return app.LinkURL(app.ConsoleURL(brand, f.ConsoleListener), link)
}

// printLink prints a user with its link.
func (f linkFlags) printLink(e cli.Env, a store.User, link, text string) error {
	url := f.url(link)
	object := report.User(a, wire.Member{"link", url})
	if a.ID == "" { // the link makes the user
		object = wire.Object{{"link", url}, {"role", store.RoleOwner}}
	}
	return e.Print(f.JSON, object, cli.Sentence("%s\n\nOpen it within 30 minutes; it works once:\n  %s", text, url))
}

type operatorsAdd struct {
	linkFlags
	Name string `arg:"" help:"The name to sign in with: letters, digits, or . _ @ -, at most 64."`
	Role string `default:"operator" placeholder:"ROLE" help:"What they may do: viewer, operator or owner (default: ${default})."`
}

// Help explains the roles, and where the link goes.
func (*operatorsAdd) Help() string {
	return roles + " Give the link to the person: whoever opens it first chooses the password. Set --base-url, or FOYER_BASE_URL, as for the service, so that the link begins with its address."
}

// Run adds a user. Like a buyer, it can be added before the first start.
func (c *operatorsAdd) Run(e cli.Env) error {
	return e.WithNewOperator(c.Data, config.Network{}, func(op *operator.Operator) error {
		a, link, err := op.Access().AddUser(e.Ctx, e.By, c.Name, store.Role(c.Role))
		if err != nil {
			return err
		}
		return c.printLink(e, a, link, a.ID+" ("+a.Name+") is added as "+string(a.Role)+". This link chooses the password.")
	})
}

type operatorsList struct{ cli.ListFlags }

// Run lists users.
func (c *operatorsList) Run(e cli.Env) error {
	users := func(op *operator.Operator) ([]store.User, error) { return op.Access().Users(e.Ctx) }
	return cli.List(e, c.ListFlags, users, "There are no users: nobody can sign in. foyer operators link prints the link that makes the first one.",
		func(a store.User) wire.Object { return report.User(a) }, report.UserHeadings, report.UserRow)
}

type operatorsLink struct {
	linkFlags
	Name string `arg:"" optional:"" help:"The user's name. Without one, the link makes the first user, an owner."`
}

// Run makes a link. Earlier ones of the user do not work any more.
func (c *operatorsLink) Run(e cli.Env) error {
	return e.WithNewOperator(c.Data, config.Network{}, func(op *operator.Operator) error {
		a, link, err := op.Access().LinkUser(e.Ctx, e.By, c.Name)
		if err != nil {
			return err
		}
		if a.ID == "" {
			return c.printLink(e, a, link, "This link makes the first user, an owner: whoever opens it chooses the name and the password.")
		}
		return c.printLink(e, a, link, "This link chooses the password of "+a.Name+". Earlier links of the user do not work any more.")
	})
}

type operatorsReset struct {
	linkFlags
	Name string `arg:"" help:"The user's name."`
}

// Run resets a user.
func (c *operatorsReset) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		a, link, err := op.Access().ResetUser(e.Ctx, e.By, c.Name)
		if err != nil {
			return err
		}
		return c.printLink(e, a, link, a.Name+" has no password any more and is signed out everywhere. This link chooses a new password.")
	})
}

type operatorsRemove struct {
	cli.OperatorFlags
	Name string `arg:"" help:"The user's name."`
}

// Run removes a user.
func (c *operatorsRemove) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		a, err := op.Access().RemoveUser(e.Ctx, e.By, c.Name)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.User(a), cli.Sentence("%s is removed and signed out everywhere.", a.Name))
	})
}

type operatorsEdit struct {
	cli.OperatorFlags
	Name string `arg:"" help:"The user's name."`
	Role string `required:"" placeholder:"ROLE" help:"What they may do: viewer, operator or owner."`
}

// Help explains the roles.
func (*operatorsEdit) Help() string {
	return roles + " Who is signed in has the new role with the next click."
}

// Run changes the role of a user.
func (c *operatorsEdit) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		a, err := op.Access().SetRole(e.Ctx, e.By, c.Name, store.Role(c.Role))
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.User(a), cli.Sentence("The role of %s is %s now.", a.Name, a.Role))
	})
}
