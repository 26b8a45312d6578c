package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/place"
)

// form is the request form, blank or filled with the typed values.
type form struct {
	Action       string
	Check        string // a valid dry run that the script uses to validate single fields
	Places       string // where the script looks up the place of a ZIP code
	Thanks       string // attribution of the list of places
	Groups       []group
	Consent      control
	ConsentText  string
	ConsentHash  string
	ConsentName  string            // the field that carries the hash
	Token        string            // proves when the form was served
	TokenName    string            // the field that carries the token
	HoneypotName string            // the honeypot: a field that people do not see
	Hidden       map[string]string // values that the form does not ask for but must send back
	summary
}

// summary is what stands above a form that is shown again.
type summary struct {
	Banner   string    // an error that belongs to no field
	Problems []problem // every field problem
}

// group is a set of related fields. A folded group is open if a field in it has a problem or a value other than the
// default, or is asked only for certain services that include the chosen one.
type group struct {
	Heading  string
	Folded   bool
	Open     bool
	Controls []control
}

// problem is one line of the summary. ID is empty if the field is not on the form.
type problem struct {
	ID, Text string
}

const consentField = "consent_to_contact"

// formPlan is the order of the fields. The two missing fields, source_agent and dry_run, are for programs.
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

// form builds the form with the values of a submission. The consent box is checked again only if the person agreed to
// the same text on a page of ours: another website must not send people here with the box already checked.
func (s *Site) form(sub *intake.Submission, e *lead.Error) *form {
	shown := s.consentShown(sub.Attribution.Key)
	f := &form{
		Action: s.brand.URL("/v1/intake"), Check: sampleRequest(), Places: s.brand.URL("/v1/places/"), Thanks: place.Attribution,
		ConsentText: shown.Text, ConsentHash: shown.Ref().Hash, ConsentName: catalog.ConsentTextField, Hidden: hiddenFields(sub),
		Token: tokenPlaceholder, TokenName: catalog.FormTokenField, HoneypotName: catalog.HoneypotField,
	}
	problems, service := problemsByField(e), lead.Service(sub.Raw.Typed(serviceField))
	fields := []string{consentField}
	for _, plan := range formPlan {
		g := group{Heading: plan.heading, Folded: plan.folded}
		for _, name := range plan.fields {
			c := newControl(lead.FieldNamed(name), sub.Raw.Typed(name), problems[name])
			g.Open = g.Open || c.changed() || c.Problem != "" || slices.Contains(c.Prompt, service)
			g.Controls = append(g.Controls, c)
		}
		f.Groups, fields = append(f.Groups, g), append(fields, plan.fields...)
	}
	f.Consent = newControl(lead.FieldNamed(consentField), sub.Raw.Typed(consentField), problems[consentField])
	f.Consent.Checked = sub.ConsentHash == f.ConsentHash && sub.Evidence.OwnOrigin(s.brand.Origin()) && f.Consent.Problem == "" && lead.Yes(f.Consent.Value)
	f.summary = newSummary(e, fields...)
	return f
}

// sampleRequest is a valid dry run made of the field table's examples. The script replaces one field with what the
// person entered, so that the server validates that field before the form is complete. It uses the one service that
// needs no consent, because validating a field is not consent.
func sampleRequest() string {
	values := url.Values{lead.DryRun: {"true"}}
	for _, name := range lead.Required() {
		values.Set(name, lead.FieldNamed(name).Example)
	}
	values.Set("service_type", string(lead.Plumbing))
	values.Set(consentField, "no")
	return values.Encode()
}

// consentShown is the text beside the box, for visitors who come with the key of a source.
func (s *Site) consentShown(key string) lead.ConsentText {
	if key == "" {
		return s.brand.ConsentShown()
	}
	return s.Intake.ConsentShown(key)
}

// hiddenFields keeps where the visitor came from, and values that another form sent and this form does not ask for. Above all, a dry run
// must stay a dry run.
func hiddenFields(sub *intake.Submission) map[string]string {
	kept := sub.Attribution.Values()
	if sub.Raw.MeantDry() {
		kept[lead.DryRun] = "true"
	}
	if agent := sub.Raw.Typed("source_agent"); agent != "" {
		kept["source_agent"] = agent
	}
	return kept
}

// noError is for a form that is shown for the first time.
var noError = new(lead.Error)

// newSummary lists the problems of a form with these fields.
func newSummary(e *lead.Error, fields ...string) (s summary) {
	if len(e.Problems) == 0 {
		s.Banner = e.Message
	}
	for _, p := range e.Problems {
		line := problem{Text: p.ForPerson()}
		if slices.Contains(fields, p.Field) {
			line.ID = p.Field
		}
		s.Problems = append(s.Problems, line)
	}
	return s
}

// problemsByField joins the problems of each field, to show next to it.
func problemsByField(e *lead.Error) map[string]string {
	texts := map[string]string{}
	for _, p := range e.Problems {
		texts[p.Field] = strings.TrimSpace(texts[p.Field] + " " + p.ForPerson())
	}
	return texts
}

// FormAgain answers a refused form post with the form: it keeps the typed values and shows each problem next to its
// field. If the body could not be read, the form is blank.
func (s *Site) FormAgain(w http.ResponseWriter, _ *http.Request, sub *intake.Submission, e *lead.Error) {
	f := s.form(sub, e)
	f.Token = s.formToken(f.ConsentHash, s.Now())
	v := s.homeView(f).unlisted()
	v.Title = catalog.ProblemTitle + v.Title
	w.Header().Add("Vary", "Accept")
	s.writePage(w, edge.Status(e), v)
}
