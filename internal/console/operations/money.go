package operations

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const (
	tagReturns    = "returns"
	tagStatements = "statements"
)

var (
	offerID     = []operation.Field{{Name: "offer_id", Kind: operation.Text, Required: true, Help: "The offer whose lead came back."}}
	buyerFilter = operation.Field{Name: "buyer", Kind: operation.Text, Help: "Only those of one buyer, by its id or name."}
	monthPath   = operation.Field{Name: "month", Kind: operation.Text, Required: true, Help: "The month, such as 2026-11."}
	decided     = operation.Answer{Name: "DecidedReturn", Sample: report.DecidedReturn(buyer.Return{}), Unkept: "note"}
)

var returnOperations = []operation.Operation{
	{
		Method: get, Path: "/returns", ID: "listReturns", Tag: tagReturns, Summary: "Leads that buyers gave back",
		Description: "Those that wait for a decision come with the oldest first, all others with the newest. The reason is in the buyer's words, the note in yours, and both may name the person: they are null for a token without personal data.",
		Query:       []operation.Field{{Name: "state", Kind: operation.Text, Choices: []string{"waiting", "approved", "denied", "all"}, DefaultValue: "waiting", Help: "Which of them."}, buyerFilter, operation.LimitField, operation.CursorField},
		Answer:      operation.Answer{Name: "Return", Sample: report.Return(store.ListedReturn{}), List: true}, Run: listReturns,
	},
	{
		Method: post, Path: "/returns", ID: "addReturn", Tag: tagReturns, Write: true, Created: true, Summary: "Enter a return for a buyer",
		Description: "However long ago the lead was delivered. The buyer hears what became of it.",
		Body: []operation.Field{
			{Name: "offer_id", Kind: operation.Text, Required: true, Help: "The offer whose lead comes back."},
			{Name: "code", Kind: operation.Text, Required: true, Choices: operation.Texts(lead.ReturnCodes), Help: "Why, as a code."},
			{Name: "reason", Kind: operation.Text, Required: true, Help: "Why, in a few words."},
			{Name: "approve", Kind: operation.Boolean, DefaultValue: false, Help: "Approve it at once."},
		},
		Answer: decided,
		Run: func(c *operation.Call) (any, error) {
			r, err := c.Op.AddReturn(c.Ctx, c.By(), operator.ReturnInput{Offer: c.In.Text("offer_id"), Code: lead.ReturnCode(c.In.Text("code")), Reason: c.In.Text("reason"), Approve: c.In.Flag("approve")})
			return report.DecidedReturn(r), err
		},
	},
	{
		Method: post, Path: "/returns/{offer_id}/approve", ID: "approveReturn", Tag: tagReturns, Write: true, Summary: "Approve a return",
		Description: "The buyer gets its price back, and its place under the caps. The lead goes to nobody else.",
		InPath:      offerID, Body: []operation.Field{{Name: "note", Kind: operation.Text, Help: "What the buyer is told about it. No personal details."}}, Answer: decided,
		Run: func(c *operation.Call) (any, error) {
			r, err := c.Op.ApproveReturn(c.Ctx, c.By(), c.In.Text("offer_id"), c.In.Text("note"))
			return report.DecidedReturn(r), err
		},
	},
	{
		Method: post, Path: "/returns/{offer_id}/deny", ID: "denyReturn", Tag: tagReturns, Write: true, Summary: "Deny a return, and tell the buyer why",
		InPath: offerID, Body: []operation.Field{{Name: "note", Kind: operation.Text, Required: true, Help: "Why, for the buyer. No personal details."}}, Answer: decided,
		Run: func(c *operation.Call) (any, error) {
			r, err := c.Op.DenyReturn(c.Ctx, c.By(), c.In.Text("offer_id"), c.In.Text("note"))
			return report.DecidedReturn(r), err
		},
	},
}

func listReturns(c *operation.Call) (any, error) {
	id, err := accountOf(c, "buyer")
	if err != nil {
		return nil, err
	}
	limit := c.In.Number("limit")
	f := store.ReturnFilter{Buyer: id, State: buyer.ReturnState(c.In.Text("state")), After: c.In.Text("cursor"), Limit: limit + 1}
	if f.State == "all" {
		f.State = ""
	}
	if f.After != "" {
		if found, err := hasReturn(c, f.After); err != nil || !found {
			return nil, cmp.Or(err, error(operation.ErrCursor))
		}
	}
	list, err := c.Op.Returns(c.Ctx, f)
	if err != nil {
		return nil, err
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Offer
	}
	personal := c.Caller.PersonalData
	items := make([]wire.Object, len(list))
	for i, r := range list {
		if !personal {
			r.Reason, r.Note = "", ""
		}
		items[i] = report.Return(r)
	}
	if personal && len(list) > 0 {
		err = c.Op.RecordRead(c.Ctx, c.By(), audit.ReturnRead, "", audit.Detail{"returns": len(list)})
	}
	return operation.Page(items, next), err
}

func hasReturn(c *operation.Call, offer string) (found bool, err error) {
	err = c.Op.Store.View(c.Ctx, func(tx *store.Tx) error { _, found, err = tx.Returns().Find(offer); return err })
	return found, err
}

var statementOperations = []operation.Operation{
	{
		Method: get, Path: "/statements", ID: "listStatements", Tag: tagStatements, Summary: "The statements that are closed, the newest month first",
		Query: []operation.Field{buyerFilter, operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "Statement", Sample: report.Statement(buyer.Statement{}), List: true},
		Run: func(c *operation.Call) (any, error) {
			id, err := accountOf(c, "buyer")
			if err != nil {
				return nil, err
			}
			list, err := c.Op.Accounts().Statements(c.Ctx, id)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(s buyer.Statement) string { return s.ID }, report.Statement)
		},
	},
	{
		Method: get, Path: "/buyers/{buyer}/statements/{month}", ID: "getStatement", Tag: tagStatements, Summary: "The statement of a buyer for a month",
		Description: "One that is not closed shows what it would be now, and may still change.",
		InPath:      append(slices.Clone(buyerID), monthPath), Answer: operation.Answer{Name: "Statement", Sample: report.Statement(buyer.Statement{})},
		Run: func(c *operation.Call) (any, error) {
			id, month, err := statementOf(c)
			if err != nil {
				return nil, err
			}
			s, err := c.Op.Accounts().Statement(c.Ctx, id, month, c.Zone)
			return report.Statement(s), err
		},
	},
	{
		Method: get, Path: "/buyers/{buyer}/statements/{month}/lines", ID: "getStatementLines", Tag: tagStatements, Summary: "Every line of a statement, as a CSV file",
		Description: "The hash of a closed statement is that of this file.",
		InPath:      append(slices.Clone(buyerID), monthPath), Answer: operation.Answer{Name: "CSV"},
		Run: func(c *operation.Call) (any, error) {
			id, month, err := statementOf(c)
			return operation.File{Name: "statement-" + id + "-" + month.String() + ".csv", Write: func(w io.Writer) error { return c.Op.Accounts().WriteStatement(c.Ctx, c.By(), id, month, c.Zone, w) }}, err
		},
	},
	{
		Method: post, Path: "/statements/close", ID: "closeStatements", Tag: tagStatements, Write: true, Summary: "Close the statements of a month that is over",
		Description: "They never change again. One that cannot be closed does not hold up the others: not_closed says why. To repeat the request closes what is left.",
		Body: []operation.Field{
			{Name: "month", Kind: operation.Text, Help: "Which month, such as 2026-11. Default: the last one."},
			{Name: "buyer", Kind: operation.Text, Help: "Only that of one buyer, by its id or name. Default: of all that have lines."},
		},
		Answer: operation.Answer{Name: "ClosedStatements", Sample: wire.Object{{"closed", []wire.Object{report.Statement(buyer.Statement{})}}, {"not_closed", []string{""}}}}, Run: closeStatements,
	},
	{
		Method: get, Path: "/statements/verify", ID: "verifyStatements", Tag: tagStatements, Summary: "Compare the lines of closed statements with their hashes",
		Description: "A statement that is not what it was when it was closed is a conflict, with what differs.",
		Query:       []operation.Field{buyerFilter}, Answer: operation.Answer{Name: "VerifiedStatements", Sample: wire.Object{{"verified", 0}}},
		Run: func(c *operation.Call) (any, error) {
			id, err := accountOf(c, "buyer")
			if err != nil {
				return nil, err
			}
			n, err := c.Op.Accounts().VerifyStatements(c.Ctx, id)
			return wire.Object{{"verified", n}}, err
		},
	},
}

// statementOf reads which statement a path means.
func statementOf(c *operation.Call) (id string, m buyer.Month, err error) {
	if id, err = c.Op.Accounts().Find(c.Ctx, c.In.Text("buyer")); err == nil {
		m, err = month(c.In.Text("month"))
	}
	return id, m, err
}

func month(text string) (buyer.Month, error) {
	m, err := buyer.ParseMonth(text)
	if err != nil {
		return m, lead.InvalidField("month", "month: this is no month. Send one such as 2026-11.")
	}
	return m, nil
}

func closeStatements(c *operation.Call) (any, error) {
	m := buyer.MonthOf(time.Now().In(c.Zone)).Before()
	var err error
	if given := c.In.Text("month"); given != "" {
		if m, err = month(given); err != nil {
			return nil, err
		}
	}
	ids := []string{""}
	if ids[0], err = accountOf(c, "buyer"); err == nil && ids[0] == "" {
		ids, err = c.Op.Accounts().Closable(c.Ctx, m, c.Zone)
	}
	if err != nil {
		return nil, err
	}
	closed, left := []wire.Object{}, []string{}
	for _, id := range ids {
		s, err := c.Op.Accounts().CloseStatement(c.Ctx, c.By(), id, m, c.Zone)
		if refusal, ok := errors.AsType[entered.Refusal](err); ok {
			left = append(left, operation.Sentence(string(refusal)))
			continue
		}
		if err != nil {
			return nil, err
		}
		closed = append(closed, report.Statement(s))
	}
	return wire.Object{{"closed", closed}, {"not_closed", left}}, nil
}
