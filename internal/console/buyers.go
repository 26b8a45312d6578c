package console

import (
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/wire"
)

const tagBuyers = "buyers"

var (
	buyerID    = []field{{name: "buyer", kind: text, required: true, help: "The buyer's id or name."}}
	termFields = withChoices(inputFields[entered.Terms]())

	buyerAnswer = answer{"Buyer", report.Buyer(sampleBuyer()), false}
	noteField   = field{name: "note", kind: text, help: "What the statement says about it, such as the number of a transfer."}
)

// whereContactsGo are the terms that decide who receives a contact. Only a token with personal data may change them.
var whereContactsGo = []string{"url", "one_step", "accept_plain"}

var buyerOperations = []operation{
	{
		method: get, path: "/buyers", id: "listBuyers", tag: tagBuyers, summary: "The buyers in the order in which they are asked",
		query: []field{limitField, cursorField}, answer: answer{"BuyerRow", report.BuyerRow(sampleBuyer()), true},
		run: func(c *call) (any, error) {
			list, err := c.op.List(c.ctx)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(s query.Summary) string { return s.ID }, report.BuyerRow)
		},
	},
	{
		method: post, path: "/buyers", id: "addBuyer", tag: tagBuyers, write: true, personal: true, created: true, summary: "Add a buyer, in test",
		description: "A new buyer gets no leads before it is started. Its secret is in this answer, and in no other but a repetition of it. A buyer receives contacts, so this needs a token with personal data.",
		body: append(required(termFields, "name", "url", "services"),
			field{name: "secret", kind: text, help: "A secret of its own that the buyer has already, beginning with whsec_. Default: a new one."},
			field{name: "live", kind: boolean, defaultValue: false, help: "Skip the test: offer leads to it right away, held ones included."},
			field{name: "paused", kind: boolean, defaultValue: false, help: "Add it paused: no leads until it is resumed."}),
		answer: answer{"BuyerWithSecret", report.Buyer(sampleBuyer(), wire.Member{"secret", new("")}), false}, run: (*call).addBuyer,
	},
	{
		method: get, path: "/buyers/{buyer}", id: "getBuyer", tag: tagBuyers, summary: "Everything about a buyer except its secrets",
		inPath: buyerID, answer: buyerAnswer, run: (*call).getBuyer,
	},
	{
		method: post, path: "/buyers/{buyer}", id: "editBuyer", tag: tagBuyers, write: true, summary: "Change a buyer's terms",
		description: "What is left out stays as it is; null takes a term back. To change url, one_step or accept_plain needs a token with personal data, because they decide who receives contacts.",
		inPath:      buyerID, body: termFields, answer: buyerAnswer, run: (*call).editBuyer,
	},
	{
		method: post, path: "/buyers/{buyer}/pause", id: "pauseBuyer", tag: tagBuyers, write: true, summary: "Stop offering leads to a buyer",
		description: "Contacts that it has already accepted are still delivered.",
		inPath:      buyerID, body: []field{{name: "why", kind: text, help: "Why. It is shown in the list. Default: the earlier reason stays."}}, answer: buyerAnswer,
		run: func(c *call) (any, error) {
			return c.changeBuyer(func(id string) (buyer.Buyer, error) { return c.op.Pause(c.ctx, c.by(), id, c.in.text("why")) })
		},
	},
	{
		method: post, path: "/buyers/{buyer}/resume", id: "resumeBuyer", tag: tagBuyers, write: true, summary: "Offer leads to a paused buyer again, and clear its failures",
		inPath: buyerID, answer: buyerAnswer,
		run: func(c *call) (any, error) {
			return c.changeBuyer(func(id string) (buyer.Buyer, error) { return c.op.Resume(c.ctx, c.by(), id) })
		},
	},
	{
		method: get, path: "/buyers/{buyer}/held", id: "countHeldFor", tag: tagBuyers, summary: "How many held leads a buyer would get if it were started",
		inPath: buyerID, query: []field{heldField(false)},
		answer: answer{"HeldCount", object{{"covered", 0}, {"matching", 0}, {"oldest_at", new(time.Time)}}, false}, run: (*call).countHeld,
	},
	{
		method: post, path: "/buyers/{buyer}/start", id: "startBuyer", tag: tagBuyers, write: true, summary: "Make a buyer in test active",
		description: "Leads that are held now and that it covers are offered to it only if held says so.",
		inPath:      buyerID, body: []field{heldField(true), {name: "test", kind: boolean, defaultValue: false, help: "Test it first, offer and delivery, and start it only if that goes well."}}, answer: buyerAnswer, run: (*call).startBuyer,
	},
	{
		method: post, path: "/buyers/{buyer}/test", id: "testBuyer", tag: tagBuyers, write: true, sends: true, summary: "Send a buyer a signed test offer, and say how its answer is understood",
		description: "The messages are signed like real ones, marked \"test\": true, and entirely made up. Nothing follows from the answer, and nothing is stored.",
		inPath:      buyerID, body: []field{
			{name: "service", kind: text, choices: texts(soldServices), help: "The service to test with. Default: one that the buyer takes."},
			{name: "zip", kind: text, help: "The ZIP code to test with. Default: one that the buyer covers."},
			{name: "deliver", kind: boolean, defaultValue: false, help: "If the buyer accepts the test offer, send it the made-up contact, too."},
		},
		answer: answer{"BuyerTest", append(report.Test(operator.TestResult{Delivery: &operator.TestStep{}}), wire.Member{"usable", true}), false}, run: (*call).testBuyer,
	},
	{
		method: post, path: "/buyers/{buyer}/rotate-secret", id: "rotateSecret", tag: tagBuyers, write: true, personal: true, summary: "Give a buyer a new secret",
		description: "Messages carry both signatures until the rotation is ended. The secret is in this answer, and in no other but a repetition of it. It waits until messages that only the old secret signed are sent, for at most a minute.",
		inPath:      buyerID, body: []field{{name: "secret", kind: text, help: "A secret of the buyer's own, beginning with whsec_. Default: a new one."}},
		answer: answer{"BuyerWithSecret", report.Buyer(sampleBuyer(), wire.Member{"secret", new("")}), false}, run: (*call).rotateSecret,
	},
	{
		method: post, path: "/buyers/{buyer}/end-rotation", id: "endRotation", tag: tagBuyers, write: true, personal: true, summary: "Drop the old secret of a buyer",
		inPath: buyerID, answer: buyerAnswer,
		run: func(c *call) (any, error) {
			return c.changeBuyer(func(id string) (buyer.Buyer, error) { return c.op.EndRotation(c.ctx, c.by(), id) })
		},
	},
	{
		method: post, path: "/buyers/{buyer}/zips", id: "importZIPs", tag: tagBuyers, write: true, summary: "Add ZIP codes to a buyer's area",
		description: "A body has room for some eight thousand ZIP codes: send several requests for more.",
		inPath:      buyerID, body: []field{
			{name: "zips", kind: list, required: true, help: "ZIP codes such as 33139."},
			{name: "replace", kind: boolean, defaultValue: false, help: "Replace the list instead of adding to it."},
			{name: "exclude", kind: boolean, defaultValue: false, help: "Add them as ZIP codes that the buyer does not cover."},
		},
		answer: buyerAnswer, run: (*call).importZIPs,
	},
	{
		method: post, path: "/buyers/{buyer}/remove", id: "removeBuyer", tag: tagBuyers, write: true, summary: "Remove a buyer",
		description: "The history of its leads keeps its name, and its account stays. While offers are open or contacts are being delivered, that needs force: leads whose contact it may have end in error.",
		inPath:      buyerID, body: []field{{name: "force", kind: boolean, defaultValue: false, help: "Remove it even while something is under way to it."}},
		answer: answer{"RemovedBuyer", object{{"id", ""}, {"removed", true}, {"deliveries_lost", 0}}, false}, run: (*call).removeBuyer,
	},
	{
		method: post, path: "/buyers/{buyer}/top-up", id: "topUpBuyer", tag: tagBuyers, write: true, summary: "Enter a payment of a buyer",
		description: "It raises its balance. Leads that are held because it had no money are offered to it.",
		inPath:      buyerID, body: []field{{name: "amount_cents", kind: cents, min: 1, required: true, help: "What the buyer paid."}, noteField},
		answer: answer{"AccountEntry", report.Entered(operator.Entered{}), false},
		run: func(c *call) (any, error) {
			return c.enter(func(id string) (operator.Entered, error) {
				return c.op.TopUp(c.ctx, c.by(), id, c.in.cents("amount_cents"), c.in.text("note"))
			})
		},
	},
	{
		method: post, path: "/buyers/{buyer}/correct", id: "correctAccount", tag: tagBuyers, write: true, summary: "Enter what a buyer owes more or less",
		description: "It is a line of its own on the statement. What was charged or paid before stays as it is.",
		inPath:      buyerID, body: []field{
			{name: "amount_cents", kind: cents, min: -int(buyer.MaxAmount), required: true, help: "What the buyer owes more; negative for less."},
			{name: "note", kind: text, required: true, help: "Why. The buyer reads it on the statement."},
		},
		answer: answer{"AccountEntry", report.Entered(operator.Entered{}), false},
		run: func(c *call) (any, error) {
			return c.enter(func(id string) (operator.Entered, error) {
				return c.op.Correct(c.ctx, c.by(), id, c.in.cents("amount_cents"), c.in.text("note"))
			})
		},
	},
	{
		method: post, path: "/effect-of-terms", id: "effectOfTerms", tag: tagBuyers, summary: "What terms would do, without saving them",
		description: "It answers for the leads of the last seven days: today and the six days before. Terms that cannot be saved are refused as saving them is.",
		body: append(slices.Clone(termFields),
			field{name: "buyer", kind: text, help: "The id or name of the buyer whose terms are changed. Default: the terms are those of a new buyer."},
			field{name: "secret", kind: text, help: "A secret that a new buyer has already. It is only checked."}),
		answer: answer{"Effect", report.Effect(query.Effect{Services: []query.EffectRow{{}}}), false}, run: (*call).effectOfTerms,
	},
	{
		method: get, path: "/accounts", id: "listAccounts", tag: tagBuyers, summary: "What each buyer owes or has left, removed ones included",
		query: []field{limitField, cursorField}, answer: answer{"Account", report.Account(operator.Account{}), true},
		run: func(c *call) (any, error) {
			list, err := c.op.Accounts(c.ctx)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(a operator.Account) string { return a.Buyer.ID }, report.Account)
		},
	},
}

// soldServices are the services that buyers take.
var soldServices = slices.DeleteFunc(slices.Clone(lead.Services), lead.Service.Live)

// sampleBuyer has a use of each period, to describe what a buyer holds.
func sampleBuyer() query.Summary {
	return query.Summary{Use: []query.Use{{Period: "hour"}, {Period: "day"}, {Period: "month"}, {Period: "total"}}}
}

// required marks fields that must be given.
func required(fields []field, names ...string) []field {
	fields = slices.Clone(fields)
	for i := range fields {
		fields[i].required = slices.Contains(names, fields[i].name)
	}
	return fields
}

func heldField(required bool) field {
	f := field{name: "held", kind: text, required: required, help: "Which of the leads held now it gets: none, all, or a number of days such as 7 for those of the last days."}
	if !required {
		f.defaultValue = "all"
	}
	return f
}

func (c *call) showBuyer(id string, once ...wire.Member) (any, error) {
	sum, err := c.op.Show(c.ctx, id)
	if !c.caller.PersonalData {
		sum.Terms.URL = report.WithoutQuery(sum.Terms.URL)
	}
	return report.Buyer(sum, once...), err
}

func (c *call) getBuyer() (any, error) {
	id, err := c.op.Find(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	return c.showBuyer(id)
}

// changeBuyer changes the buyer of the path, and shows it.
func (c *call) changeBuyer(change func(id string) (buyer.Buyer, error)) (any, error) {
	id, err := c.op.Find(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	if _, err := change(id); err != nil {
		return nil, err
	}
	return c.showBuyer(id)
}

func (c *call) addBuyer() (any, error) {
	if c.in.flag("live") && c.in.flag("paused") {
		return nil, lead.InvalidField("paused", "paused: a buyer cannot be live and paused. Send one of them.")
	}
	own := c.in.text("secret")
	b, secret, err := c.op.Add(c.ctx, c.by(), operator.New{Terms: fill[entered.Terms](termFields, c.in), Secret: own, Live: c.in.flag("live"), Paused: c.in.flag("paused")})
	if err != nil {
		return nil, err
	}
	return c.showBuyer(b.ID, secretMember(own, secret))
}

// secretMember is a secret that was made here. One that the caller gave is not repeated.
func secretMember(own, secret string) wire.Member {
	if own != "" {
		secret = ""
	}
	return wire.Member{"secret", wire.OrNull(secret)}
}

func (c *call) editBuyer() (any, error) {
	for _, name := range whereContactsGo {
		if _, given := c.in[name]; given {
			if err := c.caller.allow(true, true); err != nil {
				return nil, err
			}
		}
	}
	in := fill[entered.Terms](termFields, c.in)
	if in == (entered.Terms{}) {
		return nil, lead.InvalidField("body", "body: there is nothing to change. Name at least one term, as in {\"priority\": 10}.")
	}
	return c.changeBuyer(func(id string) (buyer.Buyer, error) { return c.op.Edit(c.ctx, c.by(), id, in) })
}

// effectOfTerms also answers if there are problems, for forms that show both.
func (c *call) effectOfTerms() (any, error) {
	id := c.in.text("buyer")
	if id != "" {
		var err error
		if id, err = c.op.Find(c.ctx, id); err != nil {
			return nil, err
		}
	}
	e, err := c.op.Effect(c.ctx, id, operator.New{Terms: fill[entered.Terms](termFields, c.in), Secret: c.in.text("secret")})
	return report.Effect(e), err
}

// held reads which held leads are meant.
func (c *call) held() (entered.Held, error) {
	held, err := entered.ParseHeld(c.in.text("held"))
	if err != nil {
		return held, lead.InvalidField("held", "held: "+Sentence(err.Error()))
	}
	return held, nil
}

func (c *call) countHeld() (any, error) {
	held, err := c.held()
	if err != nil {
		return nil, err
	}
	id, err := c.op.Find(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	w, err := c.op.HeldFor(c.ctx, id, held)
	return object{{"covered", w.Covered}, {"matching", w.Chosen}, {"oldest_at", wire.TimeOrNull(w.Oldest)}}, err
}

func (c *call) startBuyer() (any, error) {
	held, err := c.held()
	if err != nil {
		return nil, err
	}
	start := c.op.Start
	if c.in.flag("test") {
		start = c.op.StartTested
	}
	return c.changeBuyer(func(id string) (buyer.Buyer, error) { return start(c.ctx, c.by(), id, held) })
}

func (c *call) testBuyer() (any, error) {
	test := operator.Test{Service: lead.Service(c.in.text("service")), Deliver: c.in.flag("deliver")}
	if c.in.text("zip") != "" {
		var err error
		if test.ZIP, err = c.zip(); err != nil {
			return nil, err
		}
	}
	id, err := c.op.Find(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	result, err := c.op.Try(c.ctx, id, test)
	return append(report.Test(result), wire.Member{"usable", result.Usable()}), err
}

// rotateSecret also shows a secret if waiting for older messages failed: it is in use.
func (c *call) rotateSecret() (any, error) {
	id, err := c.op.Find(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	own := c.in.text("secret")
	_, secret, err := c.op.Rotate(c.ctx, c.by(), id, own)
	if secret == "" {
		return nil, err
	}
	return c.showBuyer(id, secretMember(own, secret))
}

func (c *call) importZIPs() (any, error) {
	zips, err := entered.ReadZIPs(strings.NewReader(strings.Join(splitAll(c.in.list("zips")), "\n")))
	if err != nil {
		return nil, lead.InvalidField("zips", "zips: "+Sentence(strings.ReplaceAll(err.Error(), "\n  ", "; ")))
	}
	return c.changeBuyer(func(id string) (buyer.Buyer, error) {
		b, _, err := c.op.Import(c.ctx, c.by(), id, operator.Import{ZIPs: zips, Replace: c.in.flag("replace"), Exclude: c.in.flag("exclude")})
		return b, err
	})
}

// splitAll splits texts with commas.
func splitAll(texts []string) (all []string) {
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ",") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	return all
}

func (c *call) removeBuyer() (any, error) {
	id, err := c.op.Find(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	b, lost, err := c.op.Remove(c.ctx, c.by(), id, c.in.flag("force"))
	return object{{"id", b.ID}, {"removed", true}, {"deliveries_lost", lost}}, err
}

// enter adds an entry to the account of a buyer, removed ones included.
func (c *call) enter(do func(id string) (operator.Entered, error)) (any, error) {
	id, err := c.op.FindAccount(c.ctx, c.in.text("buyer"))
	if err != nil {
		return nil, err
	}
	entered, err := do(id)
	return report.Entered(entered), err
}

// accountOf finds the account that a filter names, or "" for all.
func (c *call) accountOf(name string) (string, error) {
	if c.in.text(name) == "" {
		return "", nil
	}
	return c.op.FindAccount(c.ctx, c.in.text(name))
}

// withChoices names the values that the lists among the terms of a buyer can have. Forms show them as boxes to tick.
func withChoices(fields []field) []field {
	for i := range fields {
		switch fields[i].name {
		case "services":
			fields[i].choices = texts(soldServices)
		case "approve_returns", "deny_returns":
			fields[i].choices = texts(lead.ReturnCodes)
		}
	}
	return fields
}
