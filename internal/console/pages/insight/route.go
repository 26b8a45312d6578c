package insight

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
)

// Route explains who would be asked about a lead, and why the others would not: today, and with edited terms of one buyer.
func Route(v *page.Visit) (page.View, error) {
	service, zip, id := v.Query("service"), v.Query("zip"), v.Query("lead")
	f := page.Form{Get: true, Row: true, Action: v.Address("/route"), Submit: "Explain", Inputs: []page.Input{page.TextInput("service", "Service", service, ""), page.TextInput("zip", "ZIP", zip, "such as 33139"), page.TextInput("lead", "Or a lead", id, "its id")}}
	for _, s := range lead.Services {
		f.Inputs[0].Choices = append(f.Inputs[0].Choices, string(s))
	}
	shown := page.View{Title: "Route", Wide: true, Lede: "Who would be asked now, in which order, and why the others would not."}
	trial, problem, err := readTrial(v, &f)
	if err != nil {
		return shown, err
	}
	var now, tried query.Route
	past := ""
	if problem == nil {
		now, err = explain(v, operator.Trial{}, service, zip, id)
		if err == nil && now.Nobody != "" && now.Lead != nil && !now.Service.Live() { // what would be, if a lead like it came now
			past, service, zip, id = now.Nobody, string(now.Service), now.ZIP, ""
			now, err = explain(v, operator.Trial{}, service, zip, id)
		}
		if err == nil && trial.Buyer != "" {
			tried, err = explain(v, trial, service, zip, id)
		}
		if problem = page.AsProblem(console.TermsProblems(err)); problem == nil && err != nil {
			return shown, err
		}
	}
	if problem != nil {
		for i := range f.Folded.Inputs {
			f.Folded.Inputs[i].Problem = page.ProblemOf(problem, f.Folded.Inputs[i].Name)
		}
		f.Problem = page.OtherProblems(problem, f.Folded.Inputs)
	}
	shown.Parts = []page.Part{page.Panel{Broad: true, Parts: []page.Part{f}}}
	if past != "" {
		shown.Parts = append(shown.Parts, page.Notice{Text: "No buyer is asked about this lead: " + past + ". Below is who would be asked if another one for the same service and ZIP code came now."})
	}
	where := page.ServiceName(now.Service) + " in " + now.ZIP
	switch {
	case problem != nil || now.ZIP == "":
	case trial.Buyer == "":
		shown.Parts = append(shown.Parts, page.Panel{Title: where, Parts: v.RouteParts(now, "Buyers", "")})
	default:
		shown.Wide = false
		shown.Parts = append(shown.Parts, page.Panel{Title: "With these terms: " + where, Parts: v.RouteParts(tried, "Buyers with these terms", trial.Buyer)}, page.Panel{Title: "Today", Parts: v.RouteParts(now, "Buyers today", "")})
	}
	return shown, nil
}

// explain asks for a route, or for nothing if the form is empty.
func explain(v *page.Visit, trial operator.Trial, service, zip, id string) (query.Route, error) {
	if id != "" {
		return v.Operator.TryRouteLead(v.Ctx, trial, id)
	}
	if service == "" || zip == "" {
		return query.Route{}, nil
	}
	code, ok := lead.ZIP(zip)
	if !ok {
		return query.Route{}, &lead.Error{Kind: lead.Invalid, Message: "This is not a ZIP code: write five digits such as 33139."}
	}
	return v.Operator.TryRoute(v.Ctx, trial, lead.Service(service), code)
}

// triedTerms are the terms that can be edited here: those that decide about a route.
var triedTerms = []string{
	"priority", "services", "zips", "exclude_zips", "states", "hours", "time_zone", "caps.hour", "caps.day", "caps.month", "caps.total", "caps.money_day_cents", "caps.money_month_cents",
	"price_cents", "credit_limit_cents", "own_form_only", "plausible_phones_only", "no_duplicates", "street_required",
}

// maxListed is how long a list of ZIP codes may be that is shown here: it becomes a part of the address.
const maxListed = 1_000

// readTrial reads the edited terms of the address, and folds their fields into the form.
func readTrial(v *page.Visit, f *page.Form) (trial operator.Trial, problem *lead.Error, err error) {
	buyers, _, err := v.Operator.Store.Buyers(v.Ctx)
	if err != nil {
		return trial, nil, err
	}
	choose := page.TextInput("buyer", "Buyer", v.Query("buyer"), "")
	f.Folded = &page.Folded{Title: "Or with edited terms of a buyer", What: "Nothing is saved. Choose a buyer, and its terms are shown here.", Inputs: []page.Input{choose}}
	if len(buyers) == 0 {
		f.Folded.What = "There is no buyer yet."
	}
	for _, b := range buyers {
		f.Folded.Inputs[0].Choices = append(f.Folded.Inputs[0].Choices, cmp.Or(b.Terms.Name, b.ID))
	}
	i := slices.IndexFunc(buyers, func(b buyer.Buyer) bool {
		return v.Query("buyer") == b.ID || v.Query("buyer") == b.Terms.Name && b.Terms.Name != ""
	})
	if i < 0 {
		return trial, nil, nil
	}
	b := buyers[i]
	f.Folded.Inputs[0].None, f.Folded.Inputs[0].Value = "None", cmp.Or(b.Terms.Name, b.ID)
	f.Folded.Open, f.Folded.What, f.Hidden = true, "Nothing is saved. Change what you like, and press Explain.", []page.Pair{{Name: "of", Value: b.ID}}
	typed, query := entered.TermTexts(b.Terms), typedTerms(v, b.ID)
	state := page.TextInput("state", "State", query.Get("state"), "it is "+string(b.State))
	state.None = "As it is"
	state.Choices = []string{string(buyer.Active), string(buyer.Paused)}
	f.Folded.Inputs = append(f.Folded.Inputs, state)
	now := url.Values{}
	for _, in := range console.Inputs("editBuyer") {
		now.Set(in.Name, typed[in.Flag])
		if !slices.Contains(triedTerms, in.Name) || len(typed[in.Flag]) > maxListed {
			continue
		}
		x := page.Input{Input: in, ID: "try-" + in.Name, Value: typed[in.Flag]}
		if x.Required = false; query.Has(in.Name) {
			x.Value = query.Get(in.Name)
		}
		now.Set(in.Name, x.Value)
		f.Folded.Inputs = append(f.Folded.Inputs, x)
	}
	trial = operator.Trial{Buyer: b.ID}
	if s := buyer.State(query.Get("state")); s == buyer.Active || s == buyer.Paused {
		trial.State = s
	}
	trial.Terms, err = console.TermsTyped(page.Differing("editBuyer", now, typed))
	problem = page.AsProblem(err)
	return trial, problem, nil
}

// typedTerms are the terms of the address, unless they are those of another buyer. A box that is not ticked is not sent.
func typedTerms(v *page.Visit, id string) url.Values {
	query := console.JoinTicked(v.R.URL.Query())
	switch query.Get("of") {
	case "":
	case id:
		for _, in := range console.Inputs("editBuyer") {
			switch {
			case query.Has(in.Name):
			case in.Kind == "boolean":
				query.Set(in.Name, "false")
			case in.Kind == "list" && in.Choices != nil:
				query.Set(in.Name, "")
			}
		}
	default:
		return url.Values{}
	}
	return query
}

// maxTried bounds how long an address with edited terms may be.
const maxTried = 4_000

// TryBuyer leads to Route with the terms that were changed. What is no part of the rules stays out of the address, which may hold a key.
func TryBuyer(v *page.Visit) error {
	b, err := v.BuyerOfPath()
	if err != nil {
		return err
	}
	form := url.Values{"buyer": {b.ID}}
	for name, values := range page.Differing("editBuyer", v.Form, entered.TermTexts(b.Terms)) {
		if slices.Contains(triedTerms, name) {
			form[name] = values
		}
	}
	to := v.Address("/route") + "?" + form.Encode()
	if len(to) > maxTried {
		return &lead.Error{Kind: lead.Invalid, Message: "These terms are too long for the address of a page: list fewer ZIP codes, or write patterns such as 331*."}
	}
	http.Redirect(v.W, v.R, to, http.StatusSeeOther)
	return page.ErrLeft
}
