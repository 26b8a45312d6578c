package pages

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// withEffect gives a form a button that checks it, and what a check found.
func (v *visit) withEffect(f form, check, try string) form {
	f.Check = v.address(fillPath(check, v.r))
	if try != "" {
		f.Try = v.address(fillPath(try, v.r))
	}
	if v.effect != nil && v.Brand.Path()+v.r.URL.EscapedPath() == f.Check {
		f.Effect = v.effectShown(f)
	}
	return f
}

func (v *visit) effectShown(f form) *effect {
	wrong := f.Problem != "" || slices.ContainsFunc(f.Inputs, func(in input) bool { return in.Problem != "" })
	if counted, _ := member(v.effect, "counted").(bool); !counted {
		if wrong {
			return &effect{Tone: "stop", Says: "These terms cannot be used as they are: what is wrong stands beside the fields."}
		}
		says, _ := member(v.effect, "says").(string)
		return &effect{Says: says}
	}
	covered, here, money := effectCounts(v.effect)
	e := &effect{Tone: "good", Says: fmt.Sprintf("Covers %s. %s of the last 7 days would have come here: %s.", coveredPlaces(v.effect), terminal.Count(here, "lead"), money.String())}
	if wrong {
		e.Tone = "stop"
	}
	e.Note = fmt.Sprintf("Of %s in its area, those that it would have been asked about first, by today's priorities and within its caps. Buyers before it are taken to accept everything, so more may come.", terminal.Count(covered, "lead"))
	if left, _ := member(v.effect, "left_out").([]string); len(left) > 0 {
		e.Note += " Not considered: " + strings.Join(left, ", ") + "."
	}
	e.Table = effectTable(v.effect)
	return e
}

func effectCounts(o wire.Object) (covered, here int64, money buyer.Cents) {
	covered, _ = member(o, "leads_covered").(int64)
	here, _ = member(o, "leads_here").(int64)
	money, _ = member(o, "money_cents").(buyer.Cents)
	return covered, here, money
}

func coveredPlaces(o wire.Object) string {
	zips, _ := member(o, "covers_zips").(*int)
	if zips == nil {
		return "all ZIP codes"
	}
	return terminal.Count(int64(*zips), "ZIP code")
}

// effectTable lists the services with leads, if there are several.
func effectTable(o wire.Object) *table {
	services, _ := member(o, "services").([]wire.Object)
	t := &table{Caption: "The effect by service", Head: heads("Service", ">In its area", ">Would have come here", ">Money")}
	for _, s := range services {
		covered, here, money := effectCounts(s)
		if name, _ := member(s, "service_type").(lead.Service); covered > 0 {
			t.Rows = append(t.Rows, row{Cells: []cell{text(serviceName(name)), count(covered), count(here), {Text: money.String(), Right: true}}})
		}
	}
	if len(t.Rows) < 2 {
		return nil
	}
	return t
}

// check finds out what terms would do. The form is shown again as it was sent, with what is wrong.
func (v *visit) check(form url.Values, edit string) error {
	answer, err := v.API.Do(v.ctx, v.caller(), "effectOfTerms", nil, form, "")
	problem, known := errors.AsType[*lead.Error](err)
	if err != nil && (!known || problem.Kind != lead.Invalid) {
		return err
	}
	v.refused, v.problem, v.effect, v.showNow = edit, &lead.Error{}, answer, true
	if v.effect == nil {
		v.effect = wire.Object{}
	}
	if problem != nil {
		v.problem.Problems = problem.Problems
	}
	return nil
}

func (v *visit) checkBuyer() error {
	b, err := v.buyerOfPath()
	if err != nil {
		return err
	}
	form := differing("editBuyer", v.form, entered.TermTexts(b.Terms))
	form.Set("buyer", b.ID)
	return v.check(form, "/buyers/{buyer}/edit")
}

func (v *visit) buyerOfPath() (query.Summary, error) {
	id, err := v.Operator.Find(v.ctx, v.r.PathValue("buyer"))
	if err != nil {
		return query.Summary{}, err
	}
	return v.Operator.Show(v.ctx, id)
}

// checkNewBuyer says nothing about fields that are still empty: they are marked as required.
func (v *visit) checkNewBuyer() error {
	form := url.Values{}
	for name := range v.form {
		if text := v.form.Get(name); strings.TrimSpace(text) != "" && name != "buyer" {
			form.Set(name, text)
		}
	}
	err := v.check(form, "/buyers/add")
	if err == nil {
		v.problem.Problems = slices.DeleteFunc(v.problem.Problems, func(p lead.Problem) bool { return !form.Has(p.Field) })
	}
	return err
}

// checkedBuyer is the page of a buyer, or nothing but the form if a script asks for it while somebody types.
func (v *visit) checkedBuyer() (view, error) {
	if !v.byScript() {
		return v.buyer()
	}
	b, err := v.buyerOfPath()
	return view{Title: b.Terms.Name, Parts: []part{v.editBuyerForm(b)}}, err
}

func (v *visit) checkedNewBuyer() (view, error) {
	if !v.byScript() {
		return v.buyers()
	}
	return view{Title: "Add a buyer", Parts: []part{v.addBuyerForm(true)}}, nil
}

// byScript reports whether a script sent the request, as browsers say.
func (v *visit) byScript() bool { return v.r.Header.Get("Sec-Fetch-Dest") == "empty" }
