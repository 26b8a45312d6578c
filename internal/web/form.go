package web

import (
	"net/url"
	"slices"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/place"
)

// form is the request form, blank or filled with what was typed.
type form struct {
	Action      string
	Check       string // a request that is right, and no real one, for the script to check single fields with
	Places      string // where the script asks for the place of a ZIP code
	Thanks      string // to whom the list of places is owed
	Groups      []group
	Consent     control
	ConsentText string
	ConsentHash string
	ConsentName string            // the field that carries the hash
	Token       string            // shows when the form was served
	TokenName   string            // the field that carries it
	TrapName    string            // a field that people do not see
	Hidden      map[string]string // what is not asked, but was sent and must come back
	Banner      string            // a refusal that belongs to no field
	Problems    []problem         // every problem of a field, for the summary
}

// group is some fields that belong together. A folded one is opened where something in it needs to be seen, or is asked
// for certain services only, the chosen one among them.
type group struct {
	Heading  string
	Folded   bool
	Open     bool
	Controls []control
}

// problem is one line of the summary. A field that is not on the form has no ID to go to.
type problem struct {
	ID, Text string
}

const consentField = "consent_to_contact"

// formPlan is the order in which a person is asked. The two fields that are missing here, source_agent and dry_run, are
// for programs.
var formPlan = []struct {
	heading string
	folded  bool
	fields  []string
}{
	{catalog.FormWork, false, []string{"service_type", "zip_code", "notes"}},
	{catalog.FormHome, true, []string{"home_type", "bedrooms", "bathrooms", "square_feet"}},
	{catalog.FormWhen, true, []string{"frequency", "preferred_date", "flexible_dates"}},
	{catalog.FormYou, false, []string{"customer_name", "customer_phone", "customer_email"}},
	{catalog.FormAddress, true, []string{"address_line", "city", "state"}},
}

// form draws the form, with what an order typed into it. Consent is checked again only where it was given to the same words,
// on a page of ours: another website must not bring people here with the box checked.
func (s *Site) form(o *intake.Submission, e *lead.Error) *form {
	shown := s.brand.ConsentShown()
	f := &form{
		Action: s.brand.URL("/v1/intake"), Check: sample(), Places: s.brand.URL("/v1/places/"), Thanks: place.Attribution,
		ConsentText: shown.Text, ConsentHash: shown.Ref().Hash, ConsentName: catalog.ConsentTextField, Hidden: hidden(o),
		Token: tokenPlace, TokenName: catalog.FormTokenField, TrapName: catalog.TrapField,
	}
	problems, service := problemsByField(e), lead.Service(typed(o, serviceField))
	for _, plan := range formPlan {
		g := group{Heading: plan.heading, Folded: plan.folded}
		for _, name := range plan.fields {
			c := newControl(lead.FieldNamed(name), typed(o, name), problems[name])
			g.Open = g.Open || c.changed() || c.Problem != "" || slices.Contains(c.Prompt(), service)
			g.Controls = append(g.Controls, c)
		}
		f.Groups = append(f.Groups, g)
	}
	f.Consent = newControl(lead.FieldNamed(consentField), typed(o, consentField), problems[consentField])
	f.Consent.Checked = o.ConsentHash == f.ConsentHash && o.Evidence.OwnOrigin(s.brand.Origin()) && f.Consent.Problem == "" && lead.Yes(f.Consent.Value)
	f.summarise(e)
	return f
}

// sample is a check that passes, made of the examples of the field table. The script puts into it one field that a person
// has filled in, so that the server judges that field before the rest is there. It is for the one service that is answered
// without consent: a check says nothing of the kind.
func sample() string {
	values := url.Values{lead.DryRun: {"true"}}
	for _, name := range lead.Required() {
		values.Set(name, lead.FieldNamed(name).Example)
	}
	values.Set("service_type", string(lead.Plumbing))
	values.Set(consentField, "no")
	return values.Encode()
}

// hidden keeps what another form sent along with what is asked here. A check above all must stay one.
func hidden(o *intake.Submission) map[string]string {
	kept := map[string]string{}
	if o.Raw == nil {
		return kept
	}
	if o.Raw.MeantDry() {
		kept[lead.DryRun] = "true"
	}
	if sender := o.Raw.Typed("source_agent"); sender != "" {
		kept["source_agent"] = sender
	}
	return kept
}

// summarise lists the problems for the head of the page.
func (f *form) summarise(e *lead.Error) {
	switch {
	case e == nil:
	case len(e.Problems) == 0:
		f.Banner = e.Message
	default:
		for _, p := range e.Problems {
			line := problem{Text: p.ForPerson()}
			if f.asks(p.Field) {
				line.ID = p.Field
			}
			f.Problems = append(f.Problems, line)
		}
	}
}

// asks says that a field is on the form.
func (f *form) asks(name string) bool {
	for _, g := range f.Groups {
		for _, c := range g.Controls {
			if c.Name == name {
				return true
			}
		}
	}
	return name == consentField
}

func typed(o *intake.Submission, name string) string {
	if o.Raw == nil {
		return ""
	}
	return o.Raw.Typed(name)
}

// problemsByField joins what is wrong with each field, to stand beside it.
func problemsByField(e *lead.Error) map[string]string {
	texts := map[string]string{}
	if e == nil {
		return texts
	}
	for _, p := range e.Problems {
		texts[p.Field] = strings.TrimSpace(texts[p.Field] + " " + p.ForPerson())
	}
	return texts
}
