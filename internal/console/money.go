package console

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/store"
)

const (
	tagReturns    = "returns"
	tagStatements = "statements"
)

var (
	offerID     = []field{{name: "offer_id", kind: text, required: true, help: "The offer whose lead came back."}}
	buyerFilter = field{name: "buyer", kind: text, help: "Only those of one buyer, by its id or name."}
	monthPath   = field{name: "month", kind: text, required: true, help: "The month, such as 2026-11."}
	decided     = answer{"DecidedReturn", report.DecidedReturn(buyer.Return{}), false}
)

var returnOperations = []operation{
	{
		method: get, path: "/returns", id: "listReturns", tag: tagReturns, summary: "Leads that buyers gave back",
		description: "Those that wait for a decision come with the oldest first, all others with the newest. The reason is in the buyer's words and may name the person: it is null for a token without personal data.",
		query:       []field{{name: "state", kind: text, choices: []string{"waiting", "approved", "denied", "all"}, defaultValue: "waiting", help: "Which of them."}, buyerFilter, limitField, cursorField},
		answer:      answer{"Return", report.Return(store.ListedReturn{}), true}, run: (*call).listReturns,
	},
	{
		method: post, path: "/returns", id: "addReturn", tag: tagReturns, write: true, created: true, summary: "Enter a return for a buyer",
		description: "However long ago the lead was delivered. The buyer hears what became of it.",
		body: []field{
			{name: "offer_id", kind: text, required: true, help: "The offer whose lead comes back."},
			{name: "code", kind: text, required: true, choices: texts(lead.ReturnCodes), help: "Why, as a code."},
			{name: "reason", kind: text, required: true, help: "Why, in a few words."},
			{name: "approve", kind: boolean, defaultValue: false, help: "Approve it at once."},
		},
		answer: decided,
		run: func(c *call) (any, error) {
			r, err := c.op.AddReturn(c.ctx, c.by(), operator.ReturnInput{Offer: c.in.text("offer_id"), Code: lead.ReturnCode(c.in.text("code")), Reason: c.in.text("reason"), Approve: c.in.flag("approve")})
			return report.DecidedReturn(r), err
		},
	},
	{
		method: post, path: "/returns/{offer_id}/approve", id: "approveReturn", tag: tagReturns, write: true, summary: "Approve a return",
		description: "The buyer gets its price back, and its place under the caps. The lead goes to nobody else.",
		inPath:      offerID, body: []field{{name: "note", kind: text, help: "What the buyer is told about it."}}, answer: decided,
		run: func(c *call) (any, error) {
			r, err := c.op.ApproveReturn(c.ctx, c.by(), c.in.text("offer_id"), c.in.text("note"))
			return report.DecidedReturn(r), err
		},
	},
	{
		method: post, path: "/returns/{offer_id}/deny", id: "denyReturn", tag: tagReturns, write: true, summary: "Deny a return, and tell the buyer why",
		inPath: offerID, body: []field{{name: "note", kind: text, required: true, help: "Why, for the buyer."}}, answer: decided,
		run: func(c *call) (any, error) {
			r, err := c.op.DenyReturn(c.ctx, c.by(), c.in.text("offer_id"), c.in.text("note"))
			return report.DecidedReturn(r), err
		},
	},
}

func (c *call) listReturns() (any, error) {
	id, err := c.accountOf("buyer")
	if err != nil {
		return nil, err
	}
	limit := c.in.number("limit")
	f := store.ReturnFilter{Buyer: id, State: buyer.ReturnState(c.in.text("state")), After: c.in.text("cursor"), Limit: limit + 1}
	if f.State == "all" {
		f.State = ""
	}
	if f.After != "" {
		if found, err := c.hasReturn(f.After); err != nil || !found {
			return nil, cmp.Or(err, error(errCursor))
		}
	}
	list, err := c.op.Returns(c.ctx, f)
	if err != nil {
		return nil, err
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Offer
	}
	personal := c.caller.PersonalData
	items := make([]object, len(list))
	for i, r := range list {
		if !personal {
			r.Reason = ""
		}
		items[i] = report.Return(r)
	}
	if personal && len(list) > 0 {
		err = c.op.RecordRead(c.ctx, c.by(), audit.ReturnRead, "", audit.Detail{"returns": len(list)})
	}
	return page(items, next), err
}

func (c *call) hasReturn(offer string) (found bool, err error) {
	err = c.op.Store.View(c.ctx, func(tx *store.Tx) error { _, found, err = tx.Returns().Find(offer); return err })
	return found, err
}

var statementOperations = []operation{
	{
		method: get, path: "/statements", id: "listStatements", tag: tagStatements, summary: "The statements that are closed, the newest month first",
		query: []field{buyerFilter, limitField, cursorField}, answer: answer{"Statement", report.Statement(buyer.Statement{}), true},
		run: func(c *call) (any, error) {
			id, err := c.accountOf("buyer")
			if err != nil {
				return nil, err
			}
			list, err := c.op.Accounts().Statements(c.ctx, id)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(s buyer.Statement) string { return s.ID }, report.Statement)
		},
	},
	{
		method: get, path: "/buyers/{buyer}/statements/{month}", id: "getStatement", tag: tagStatements, summary: "The statement of a buyer for a month",
		description: "One that is not closed shows what it would be now, and may still change.",
		inPath:      append(slices.Clone(buyerID), monthPath), answer: answer{"Statement", report.Statement(buyer.Statement{}), false},
		run: func(c *call) (any, error) {
			id, month, err := c.statementOf()
			if err != nil {
				return nil, err
			}
			s, err := c.op.Accounts().Statement(c.ctx, id, month, c.Zone)
			return report.Statement(s), err
		},
	},
	{
		method: get, path: "/buyers/{buyer}/statements/{month}/lines", id: "getStatementLines", tag: tagStatements, summary: "Every line of a statement, as a CSV file",
		description: "The hash of a closed statement is that of this file.",
		inPath:      append(slices.Clone(buyerID), monthPath), answer: answer{name: "CSV"},
		run: func(c *call) (any, error) {
			id, month, err := c.statementOf()
			return file{"statement-" + id + "-" + month.String() + ".csv", func(w io.Writer) error { return c.op.Accounts().WriteStatement(c.ctx, c.by(), id, month, c.Zone, w) }}, err
		},
	},
	{
		method: post, path: "/statements/close", id: "closeStatements", tag: tagStatements, write: true, summary: "Close the statements of a month that is over",
		description: "They never change again. One that cannot be closed does not hold up the others: not_closed says why. To repeat the request closes what is left.",
		body: []field{
			{name: "month", kind: text, help: "Which month, such as 2026-11. Default: the last one."},
			{name: "buyer", kind: text, help: "Only that of one buyer, by its id or name. Default: of all that have lines."},
		},
		answer: answer{"ClosedStatements", object{{"closed", []object{report.Statement(buyer.Statement{})}}, {"not_closed", []string{""}}}, false}, run: (*call).closeStatements,
	},
	{
		method: get, path: "/statements/verify", id: "verifyStatements", tag: tagStatements, summary: "Compare the lines of closed statements with their hashes",
		description: "A statement that is not what it was when it was closed is a conflict, with what differs.",
		query:       []field{buyerFilter}, answer: answer{"VerifiedStatements", object{{"verified", 0}}, false},
		run: func(c *call) (any, error) {
			id, err := c.accountOf("buyer")
			if err != nil {
				return nil, err
			}
			n, err := c.op.Accounts().VerifyStatements(c.ctx, id)
			return object{{"verified", n}}, err
		},
	},
}

// statementOf reads which statement a path means.
func (c *call) statementOf() (id string, m buyer.Month, err error) {
	if id, err = c.op.Accounts().Find(c.ctx, c.in.text("buyer")); err == nil {
		m, err = month(c.in.text("month"))
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

func (c *call) closeStatements() (any, error) {
	m := buyer.MonthOf(time.Now().In(c.Zone)).Before()
	var err error
	if given := c.in.text("month"); given != "" {
		if m, err = month(given); err != nil {
			return nil, err
		}
	}
	ids := []string{""}
	if ids[0], err = c.accountOf("buyer"); err == nil && ids[0] == "" {
		ids, err = c.op.Accounts().Closable(c.ctx, m, c.Zone)
	}
	if err != nil {
		return nil, err
	}
	closed, left := []object{}, []string{}
	for _, id := range ids {
		s, err := c.op.Accounts().CloseStatement(c.ctx, c.by(), id, m, c.Zone)
		if refusal, ok := errors.AsType[entered.Refusal](err); ok {
			left = append(left, Sentence(string(refusal)))
			continue
		}
		if err != nil {
			return nil, err
		}
		closed = append(closed, report.Statement(s))
	}
	return object{{"closed", closed}, {"not_closed", left}}, nil
}
