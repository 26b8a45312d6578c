package operations

import (
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/wire"
)

const tagBuyers = "buyers"

var (
	buyerID    = []operation.Field{{Name: "buyer", Kind: operation.Text, Required: true, Help: "The buyer's id or name."}}
	TermFields = withChoices(operation.InputFields[entered.Terms]())

	buyerAnswer = operation.Answer{Name: "Buyer", Sample: report.Buyer(sampleBuyer())}
	noteField   = operation.Field{Name: "note", Kind: operation.Text, Help: "What the statement says about it, such as the number of a transfer."}
)

// whereContactsGo are the terms that decide who receives a contact. Only a token with personal data may change them.
var whereContactsGo = []string{"url", "one_step", "accept_plain"}

var buyerOperations = []operation.Operation{
	{
		Method: get, Path: "/buyers", ID: "listBuyers", Tag: tagBuyers, Summary: "The buyers in the order in which they are asked",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "BuyerRow", Sample: report.BuyerRow(sampleBuyer()), List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.List(c.Ctx)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(s query.Summary) string { return s.ID }, report.BuyerRow)
		},
	},
	{
		Method: post, Path: "/buyers", ID: "addBuyer", Tag: tagBuyers, Write: true, Personal: true, Created: true, Summary: "Add a buyer, in test",
		Description: "A new buyer gets no leads before it is started. Its secret is in this answer, and in no other but a repetition of it. A buyer receives contacts, so this needs a token with personal data.",
		Body: append(required(TermFields, "name", "url", "services"),
			operation.Field{Name: "secret", Kind: operation.Text, Help: "A secret of its own that the buyer has already, beginning with whsec_. Default: a new one."},
			operation.Field{Name: "live", Kind: operation.Boolean, DefaultValue: false, Help: "Skip the test: offer leads to it right away, held ones included."},
			operation.Field{Name: "paused", Kind: operation.Boolean, DefaultValue: false, Help: "Add it paused: no leads until it is resumed."}),
		Answer: operation.Answer{Name: "BuyerWithSecret", Sample: report.Buyer(sampleBuyer(), wire.Member{"secret", new("")})}, Run: addBuyer,
	},
	{
		Method: get, Path: "/buyers/{buyer}", ID: "getBuyer", Tag: tagBuyers, Summary: "Everything about a buyer except its secrets",
		InPath: buyerID, Answer: buyerAnswer, Run: getBuyer,
	},
	{
		Method: post, Path: "/buyers/{buyer}", ID: "editBuyer", Tag: tagBuyers, Write: true, Summary: "Change a buyer's terms",
		Description: "What is left out stays as it is; null takes a term back. To change url, one_step or accept_plain needs a token with personal data, because they decide who receives contacts.",
		InPath:      buyerID, Body: TermFields, Answer: buyerAnswer, Run: editBuyer,
	},
	{
		Method: post, Path: "/buyers/{buyer}/pause", ID: "pauseBuyer", Tag: tagBuyers, Write: true, Summary: "Stop offering leads to a buyer",
		Description: "Contacts that it has already accepted are still delivered.",
		InPath:      buyerID, Body: []operation.Field{{Name: "why", Kind: operation.Text, Help: "Why. It is shown in the list. Default: the earlier reason stays."}}, Answer: buyerAnswer,
		Run: func(c *operation.Call) (any, error) {
			return changeBuyer(c, func(id string) (buyer.Buyer, error) { return c.Op.Pause(c.Ctx, c.By(), id, c.In.Text("why")) })
		},
	},
	{
		Method: post, Path: "/buyers/{buyer}/resume", ID: "resumeBuyer", Tag: tagBuyers, Write: true, Summary: "Offer leads to a paused buyer again, and clear its failures",
		InPath: buyerID, Answer: buyerAnswer,
		Run: func(c *operation.Call) (any, error) {
			return changeBuyer(c, func(id string) (buyer.Buyer, error) { return c.Op.Resume(c.Ctx, c.By(), id) })
		},
	},
	{
		Method: get, Path: "/buyers/{buyer}/held", ID: "countHeldFor", Tag: tagBuyers, Summary: "How many held leads a buyer would get if it were started",
		InPath: buyerID, Query: []operation.Field{heldField(false)},
		Answer: operation.Answer{Name: "HeldCount", Sample: wire.Object{{"covered", 0}, {"matching", 0}, {"oldest_at", new(time.Time)}}}, Run: countHeld,
	},
	{
		Method: post, Path: "/buyers/{buyer}/start", ID: "startBuyer", Tag: tagBuyers, Write: true, Summary: "Make a buyer in test active",
		Description: "Leads that are held now and that it covers are offered to it only if held says so.",
		InPath:      buyerID, Body: []operation.Field{heldField(true), {Name: "test", Kind: operation.Boolean, DefaultValue: false, Help: "Test it first, offer and delivery, and start it only if that goes well."}}, Answer: buyerAnswer, Run: startBuyer,
	},
	{
		Method: post, Path: "/buyers/{buyer}/test", ID: "testBuyer", Tag: tagBuyers, Write: true, Sends: true, Summary: "Send a buyer a signed test offer, and say how its answer is understood",
		Description: "The messages are signed like real ones, marked \"test\": true, and entirely made up. Nothing follows from the answer, and nothing is stored.",
		InPath:      buyerID, Body: []operation.Field{
			{Name: "service", Kind: operation.Text, Choices: operation.Texts(soldServices), Help: "The service to test with. Default: one that the buyer takes."},
			{Name: "zip", Kind: operation.Text, Help: "The ZIP code to test with. Default: one that the buyer covers."},
			{Name: "deliver", Kind: operation.Boolean, DefaultValue: false, Help: "If the buyer accepts the test offer, send it the made-up contact, too."},
		},
		Answer: operation.Answer{Name: "BuyerTest", Sample: append(report.Test(operator.TestResult{Delivery: &operator.TestStep{}}), wire.Member{"usable", true})}, Run: testBuyer,
	},
	{
		Method: post, Path: "/buyers/{buyer}/rotate-secret", ID: "rotateSecret", Tag: tagBuyers, Write: true, Personal: true, Summary: "Give a buyer a new secret",
		Description: "Messages carry both signatures until the rotation is ended. The secret is in this answer, and in no other but a repetition of it. It waits until messages that only the old secret signed are sent, for at most a minute.",
		InPath:      buyerID, Body: []operation.Field{{Name: "secret", Kind: operation.Text, Help: "A secret of the buyer's own, beginning with whsec_. Default: a new one."}},
		Answer: operation.Answer{Name: "BuyerWithSecret", Sample: report.Buyer(sampleBuyer(), wire.Member{"secret", new("")})}, Run: rotateSecret,
	},
	{
		Method: post, Path: "/buyers/{buyer}/end-rotation", ID: "endRotation", Tag: tagBuyers, Write: true, Personal: true, Summary: "Drop the old secret of a buyer",
		InPath: buyerID, Answer: buyerAnswer,
		Run: func(c *operation.Call) (any, error) {
			return changeBuyer(c, func(id string) (buyer.Buyer, error) { return c.Op.EndRotation(c.Ctx, c.By(), id) })
		},
	},
	{
		Method: post, Path: "/buyers/{buyer}/zips", ID: "importZIPs", Tag: tagBuyers, Write: true, Summary: "Add ZIP codes to a buyer's area",
		Description: "A body has room for some eight thousand ZIP codes: send several requests for more.",
		InPath:      buyerID, Body: []operation.Field{
			{Name: "zips", Kind: operation.List, Required: true, Help: "ZIP codes such as 33139."},
			{Name: "replace", Kind: operation.Boolean, DefaultValue: false, Help: "Replace the list instead of adding to it."},
			{Name: "exclude", Kind: operation.Boolean, DefaultValue: false, Help: "Add them as ZIP codes that the buyer does not cover."},
		},
		Answer: buyerAnswer, Run: importZIPs,
	},
	{
		Method: post, Path: "/buyers/{buyer}/remove", ID: "removeBuyer", Tag: tagBuyers, Write: true, Summary: "Remove a buyer",
		Description: "The history of its leads keeps its name, and its account stays. While offers are open or contacts are being delivered, that needs force: leads whose contact it may have end in error.",
		InPath:      buyerID, Body: []operation.Field{{Name: "force", Kind: operation.Boolean, DefaultValue: false, Help: "Remove it even while something is under way to it."}},
		Answer: operation.Answer{Name: "RemovedBuyer", Sample: wire.Object{{"id", ""}, {"removed", true}, {"deliveries_lost", 0}}}, Run: removeBuyer,
	},
	{
		Method: post, Path: "/buyers/{buyer}/top-up", ID: "topUpBuyer", Tag: tagBuyers, Write: true, Summary: "Enter a payment of a buyer",
		Description: "It raises its balance. Leads that are held because it had no money are offered to it.",
		InPath:      buyerID, Body: []operation.Field{{Name: "amount_cents", Kind: operation.Cents, Min: 1, Required: true, Help: "What the buyer paid."}, noteField},
		Answer: operation.Answer{Name: "AccountEntry", Sample: report.Entered(operator.Entered{})},
		Run: func(c *operation.Call) (any, error) {
			return enter(c, func(id string) (operator.Entered, error) {
				return c.Op.TopUp(c.Ctx, c.By(), id, c.In.Cents("amount_cents"), c.In.Text("note"))
			})
		},
	},
	{
		Method: post, Path: "/buyers/{buyer}/correct", ID: "correctAccount", Tag: tagBuyers, Write: true, Summary: "Enter what a buyer owes more or less",
		Description: "It is a line of its own on the statement. What was charged or paid before stays as it is.",
		InPath:      buyerID, Body: []operation.Field{
			{Name: "amount_cents", Kind: operation.Cents, Min: -int(buyer.MaxAmount), Required: true, Help: "What the buyer owes more; negative for less."},
			{Name: "note", Kind: operation.Text, Required: true, Help: "Why. The buyer reads it on the statement."},
		},
		Answer: operation.Answer{Name: "AccountEntry", Sample: report.Entered(operator.Entered{})},
		Run: func(c *operation.Call) (any, error) {
			return enter(c, func(id string) (operator.Entered, error) {
				return c.Op.Correct(c.Ctx, c.By(), id, c.In.Cents("amount_cents"), c.In.Text("note"))
			})
		},
	},
	{
		Method: post, Path: "/effect-of-terms", ID: "effectOfTerms", Tag: tagBuyers, Summary: "What terms would do, without saving them",
		Description: "It answers for the leads of the last seven days: today and the six days before. Terms that cannot be saved are refused as saving them is.",
		Body: append(slices.Clone(TermFields),
			operation.Field{Name: "buyer", Kind: operation.Text, Help: "The id or name of the buyer whose terms are changed. Default: the terms are those of a new buyer."},
			operation.Field{Name: "secret", Kind: operation.Text, Help: "A secret that a new buyer has already. It is only checked."}),
		Answer: operation.Answer{Name: "Effect", Sample: report.Effect(query.Effect{Services: []query.EffectRow{{}}})}, Run: effectOfTerms,
	},
	{
		Method: get, Path: "/accounts", ID: "listAccounts", Tag: tagBuyers, Summary: "What each buyer owes or has left, removed ones included",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "Account", Sample: report.Account(operator.Account{}), List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.Accounts(c.Ctx)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(a operator.Account) string { return a.Buyer.ID }, report.Account)
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
func required(fields []operation.Field, names ...string) []operation.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		fields[i].Required = slices.Contains(names, fields[i].Name)
	}
	return fields
}

func heldField(required bool) operation.Field {
	f := operation.Field{Name: "held", Kind: operation.Text, Required: required, Help: "Which of the leads held now it gets: none, all, or a number of days such as 7 for those of the last days."}
	if !required {
		f.DefaultValue = "all"
	}
	return f
}

func showBuyer(c *operation.Call, id string, once ...wire.Member) (any, error) {
	sum, err := c.Op.Show(c.Ctx, id)
	if !c.Caller.PersonalData {
		sum.Terms.URL = report.WithoutQuery(sum.Terms.URL)
	}
	return report.Buyer(sum, once...), err
}

func getBuyer(c *operation.Call) (any, error) {
	id, err := c.Op.Find(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	return showBuyer(c, id)
}

// changeBuyer changes the buyer of the path, and shows it.
func changeBuyer(c *operation.Call, change func(id string) (buyer.Buyer, error)) (any, error) {
	id, err := c.Op.Find(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	if _, err := change(id); err != nil {
		return nil, err
	}
	return showBuyer(c, id)
}

func addBuyer(c *operation.Call) (any, error) {
	if c.In.Flag("live") && c.In.Flag("paused") {
		return nil, lead.InvalidField("paused", "paused: a buyer cannot be live and paused. Send one of them.")
	}
	own := c.In.Text("secret")
	b, secret, err := c.Op.Add(c.Ctx, c.By(), operator.New{Terms: operation.Fill[entered.Terms](TermFields, c.In), Secret: own, Live: c.In.Flag("live"), Paused: c.In.Flag("paused")})
	if err != nil {
		return nil, err
	}
	return showBuyer(c, b.ID, secretMember(own, secret))
}

// secretMember is a secret that was made here. One that the caller gave is not repeated.
func secretMember(own, secret string) wire.Member {
	if own != "" {
		secret = ""
	}
	return wire.Member{"secret", wire.OrNull(secret)}
}

func editBuyer(c *operation.Call) (any, error) {
	for _, name := range whereContactsGo {
		if _, given := c.In[name]; given {
			if err := c.Caller.Allow(true, true); err != nil {
				return nil, err
			}
		}
	}
	in := operation.Fill[entered.Terms](TermFields, c.In)
	if in == (entered.Terms{}) {
		return nil, lead.InvalidField("body", "body: there is nothing to change. Name at least one term, as in {\"priority\": 10}.")
	}
	return changeBuyer(c, func(id string) (buyer.Buyer, error) { return c.Op.Edit(c.Ctx, c.By(), id, in) })
}

// effectOfTerms also answers if there are problems, for forms that show both.
func effectOfTerms(c *operation.Call) (any, error) {
	id := c.In.Text("buyer")
	if id != "" {
		var err error
		if id, err = c.Op.Find(c.Ctx, id); err != nil {
			return nil, err
		}
	}
	e, err := c.Op.Effect(c.Ctx, id, operator.New{Terms: operation.Fill[entered.Terms](TermFields, c.In), Secret: c.In.Text("secret")})
	return report.Effect(e), err
}

// readHeld reads which held leads are meant.
func readHeld(c *operation.Call) (entered.Held, error) {
	held, err := entered.ParseHeld(c.In.Text("held"))
	if err != nil {
		return held, lead.InvalidField("held", "held: "+operation.Sentence(err.Error()))
	}
	return held, nil
}

func countHeld(c *operation.Call) (any, error) {
	held, err := readHeld(c)
	if err != nil {
		return nil, err
	}
	id, err := c.Op.Find(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	w, err := c.Op.HeldFor(c.Ctx, id, held)
	return wire.Object{{"covered", w.Covered}, {"matching", w.Chosen}, {"oldest_at", wire.TimeOrNull(w.Oldest)}}, err
}

func startBuyer(c *operation.Call) (any, error) {
	held, err := readHeld(c)
	if err != nil {
		return nil, err
	}
	start := c.Op.Start
	if c.In.Flag("test") {
		start = c.Op.StartTested
	}
	return changeBuyer(c, func(id string) (buyer.Buyer, error) { return start(c.Ctx, c.By(), id, held) })
}

func testBuyer(c *operation.Call) (any, error) {
	test := operator.Test{Service: lead.Service(c.In.Text("service")), Deliver: c.In.Flag("deliver")}
	if c.In.Text("zip") != "" {
		var err error
		if test.ZIP, err = readZIP(c); err != nil {
			return nil, err
		}
	}
	id, err := c.Op.Find(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	result, err := c.Op.Try(c.Ctx, id, test)
	return append(report.Test(result), wire.Member{"usable", result.Usable()}), err
}

// rotateSecret also shows a secret if waiting for older messages failed: it is in use.
func rotateSecret(c *operation.Call) (any, error) {
	id, err := c.Op.Find(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	own := c.In.Text("secret")
	_, secret, err := c.Op.Rotate(c.Ctx, c.By(), id, own)
	if secret == "" {
		return nil, err
	}
	return showBuyer(c, id, secretMember(own, secret))
}

func importZIPs(c *operation.Call) (any, error) {
	zips, err := entered.ReadZIPs(strings.NewReader(strings.Join(splitAll(c.In.List("zips")), "\n")))
	if err != nil {
		return nil, lead.InvalidField("zips", "zips: "+operation.Sentence(strings.ReplaceAll(err.Error(), "\n  ", "; ")))
	}
	return changeBuyer(c, func(id string) (buyer.Buyer, error) {
		b, _, err := c.Op.Import(c.Ctx, c.By(), id, operator.Import{ZIPs: zips, Replace: c.In.Flag("replace"), Exclude: c.In.Flag("exclude")})
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

func removeBuyer(c *operation.Call) (any, error) {
	id, err := c.Op.Find(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	b, lost, err := c.Op.Remove(c.Ctx, c.By(), id, c.In.Flag("force"))
	return wire.Object{{"id", b.ID}, {"removed", true}, {"deliveries_lost", lost}}, err
}

// enter adds an entry to the account of a buyer, removed ones included.
func enter(c *operation.Call, do func(id string) (operator.Entered, error)) (any, error) {
	id, err := c.Op.FindAccount(c.Ctx, c.In.Text("buyer"))
	if err != nil {
		return nil, err
	}
	entered, err := do(id)
	return report.Entered(entered), err
}

// accountOf finds the account that a filter names, or "" for all.
func accountOf(c *operation.Call, name string) (string, error) {
	if c.In.Text(name) == "" {
		return "", nil
	}
	return c.Op.FindAccount(c.Ctx, c.In.Text(name))
}

// withChoices names the values that the lists among the terms of a buyer can have. Forms show them as boxes to tick.
func withChoices(fields []operation.Field) []operation.Field {
	for i := range fields {
		switch fields[i].Name {
		case "services":
			fields[i].Choices = operation.Texts(soldServices)
		case "approve_returns", "deny_returns":
			fields[i].Choices = operation.Texts(lead.ReturnCodes)
		}
	}
	return fields
}
