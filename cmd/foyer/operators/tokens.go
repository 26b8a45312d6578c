package operators

import (
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/operator"
	"foyer/internal/operator/access"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// Tokens are the commands about the tokens of programs.
type Tokens struct {
	Add    tokensAdd    `cmd:"" help:"Add a token. It is printed only once."`
	List   tokensList   `cmd:"" help:"List the tokens, with what they may do and when they were last used."`
	Revoke tokensRevoke `cmd:"" help:"Make a token useless at once."`
}

type tokensAdd struct {
	cli.OperatorFlags
	Name         string `arg:"" help:"Which program uses it."`
	Write        bool   `help:"It may change things, not only read them."`
	PersonalData bool   `name:"personal-data" help:"It may see who sent a lead: names, phone numbers, addresses, notes. With --write it may also decide where contacts are sent."`
	Days         int    `default:"90" placeholder:"N" help:"For how many days it is valid, 1 to 730 (default: ${default})."`
}

// Help explains how a token is used.
func (*tokensAdd) Help() string {
	return "A program sends the token with each request to /v1/operator, in the header Authorization: Bearer TOKEN. /v1/operator/openapi.json describes what it can do; /docs/operator is the same for people. " +
		"Without --personal-data it sees leads without the person, and cannot change the address, the secret or the steps of a buyer, because they decide who receives contacts. " +
		"The database holds only a hash: if the token is lost, revoke it and add another."
}

// Run adds a token. Like a buyer, it can be added before the first start.
func (c *tokensAdd) Run(e cli.Env) error {
	return e.WithNewOperator(c.Data, config.Network{}, func(op *operator.Operator) error {
		t, text, err := op.Access().AddToken(e.Ctx, e.By, access.NewToken{Name: c.Name, Write: c.Write, PersonalData: c.PersonalData, Days: c.Days})
		if err != nil {
			return err
		}
		may := "may read everything but personal data"
		switch {
		case c.Write && c.PersonalData:
			may = "may read and change everything, personal data included"
		case c.PersonalData:
			may = "may read everything, personal data included"
		case c.Write:
			may = "may read and change everything but personal data, and who receives it"
		}
		return e.Print(c.JSON, report.Token(t, time.Now(), wire.Member{"token", text}), cli.Sentence("%s (%s) %s, until %s.\n\nThe token, shown only once:\n  %s",
			t.ID, t.Name, may, t.ExpiresAt.Format(time.DateOnly), text))
	})
}

type tokensList struct{ cli.ListFlags }

// Run lists tokens.
func (c *tokensList) Run(e cli.Env) error {
	now := time.Now()
	tokens := func(op *operator.Operator) ([]store.Token, error) { return op.Access().Tokens(e.Ctx) }
	return cli.List(e, c.ListFlags, tokens, "There are no tokens: no program can use the operator's API. foyer tokens add makes one.",
		func(t store.Token) wire.Object { return report.Token(t, now) }, report.TokenHeadings, func(t store.Token) []any { return report.TokenRow(t, now) })
}

type tokensRevoke struct {
	cli.OperatorFlags
	Token string `arg:"" help:"The token's id or name."`
}

// Run revokes a token.
func (c *tokensRevoke) Run(e cli.Env) error {
	return e.WithOperator(c.Data, func(op *operator.Operator) error {
		t, err := op.Access().RevokeToken(e.Ctx, e.By, c.Token)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, report.Token(t, time.Now()), cli.Sentence("%s (%s) is revoked: requests with it are refused from now on.", t.ID, t.Name))
	})
}
