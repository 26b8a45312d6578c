package buyers

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// withEffect gives a form a button that checks it, and what a check found.
func withEffect(v *page.Visit, f page.Form, check, try string) page.Form {
	f.Check = v.Address(page.FillPath(check, v.R))
	if try != "" {
		f.Try = v.Address(page.FillPath(try, v.R))
	}
	if v.Effect != nil && v.Brand.Path()+v.R.URL.EscapedPath() == f.Check {
		f.Effect = effectShown(v, f)
	}
	return f
}

func effectShown(v *page.Visit, f page.Form) *page.Effect {
	wrong := f.Problem != "" || slices.ContainsFunc(f.Inputs, func(in page.Input) bool { return in.Problem != "" })
	if counted, _ := page.MemberOf(v.Effect, "counted").(bool); !counted {
		if wrong {
			return &page.Effect{Tone: "stop", Says: "These terms cannot be used as they are: what is wrong stands beside the fields."}
		}
		says, _ := page.MemberOf(v.Effect, "says").(string)
		return &page.Effect{Says: says}
	}
	covered, here, money := effectCounts(v.Effect)
	e := &page.Effect{Tone: "good", Says: fmt.Sprintf("Covers %s. %s of the last 7 days would have come here: %s.", coveredPlaces(v.Effect), terminal.Count(here, "lead"), money.String())}
	if wrong {
		e.Tone = "stop"
	}
	e.Note = fmt.Sprintf("Of %s in its area, those that it would have been asked about first, by today's priorities and within its caps. Buyers before it are taken to accept everything, so more may come.", terminal.Count(covered, "lead"))
	if left, _ := page.MemberOf(v.Effect, "left_out").([]string); len(left) > 0 {
		e.Note += " Not considered: " + strings.Join(left, ", ") + "."
	}
	e.Table = effectTable(v.Effect)
	return e
}

func effectCounts(o wire.Object) (covered, here int64, money buyer.Cents) {
	covered, _ = page.MemberOf(o, "leads_covered").(int64)
	here, _ = page.MemberOf(o, "leads_here").(int64)
	money, _ = page.MemberOf(o, "money_cents").(buyer.Cents)
	return covered, here, money
}

func coveredPlaces(o wire.Object) string {
	zips, _ := page.MemberOf(o, "covers_zips").(*int)
	if zips == nil {
		return "all ZIP codes"
	}
	return terminal.Count(int64(*zips), "ZIP code")
}

// effectTable lists the services with leads, if there are several.
func effectTable(o wire.Object) *page.Table {
	services, _ := page.MemberOf(o, "services").([]wire.Object)
	t := &page.Table{Caption: "The effect by service", Head: page.Heads("Service", ">In its area", ">Would have come here", ">Money")}
	for _, s := range services {
		covered, here, money := effectCounts(s)
		if name, _ := page.MemberOf(s, "service_type").(lead.Service); covered > 0 {
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Text(page.ServiceName(name)), page.Count(covered), page.Count(here), {Text: money.String(), Right: true}}})
		}
	}
	if len(t.Rows) < 2 {
		return nil
	}
	return t
}

// check finds out what terms would do. The form is shown again as it was sent, with what is wrong.
func check(v *page.Visit, form url.Values, edit string) error {
	answer, err := v.API.Do(v.Ctx, v.Caller(), "effectOfTerms", nil, form, "")
	problem, known := errors.AsType[*lead.Error](err)
	if err != nil && (!known || problem.Kind != lead.Invalid) {
		return err
	}
	v.Refused, v.Problem, v.Effect, v.ShowNow = edit, &lead.Error{}, answer, true
	if v.Effect == nil {
		v.Effect = wire.Object{}
	}
	if problem != nil {
		v.Problem.Problems = problem.Problems
	}
	return nil
}

func CheckBuyer(v *page.Visit) error {
	b, err := v.BuyerOfPath()
	if err != nil {
		return err
	}
	form := page.Differing("editBuyer", v.Form, entered.TermTexts(b.Terms))
	form.Set("buyer", b.ID)
	return check(v, form, "/buyers/{buyer}/edit")
}

// CheckNewBuyer says nothing about fields that are still empty: they are marked as required.
func CheckNewBuyer(v *page.Visit) error {
	form := url.Values{}
	for name := range v.Form {
		if text := v.Form.Get(name); strings.TrimSpace(text) != "" && name != "buyer" {
			form.Set(name, text)
		}
	}
	err := check(v, form, "/buyers/add")
	if err == nil {
		v.Problem.Problems = slices.DeleteFunc(v.Problem.Problems, func(p lead.Problem) bool { return !form.Has(p.Field) })
	}
	return err
}

// CheckedBuyer is the page of a buyer's terms, or nothing but the form if a script asks for it while somebody types.
func CheckedBuyer(v *page.Visit) (page.View, error) {
	if !byScript(v) {
		return Terms(v)
	}
	b, err := v.BuyerOfPath()
	return page.View{Title: b.Terms.Name, Parts: []page.Part{editBuyerForm(v, b)}}, err
}

func CheckedNewBuyer(v *page.Visit) (page.View, error) {
	if !byScript(v) {
		return Buyers(v)
	}
	return page.View{Title: "Add a buyer", Parts: []page.Part{addBuyerForm(v, true)}}, nil
}

// byScript reports whether a script sent the request, as browsers say.
func byScript(v *page.Visit) bool { return v.R.Header.Get("Sec-Fetch-Dest") == "empty" }
