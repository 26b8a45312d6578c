package web

import (
	"net/http"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// privacyForm is the form for withdrawing consent or asking for erasure.
type privacyForm struct {
	Action  string
	Choices []option
	Choice  string // the problem with the choice, or ""
	Phone   privacyInput
	LeadID  privacyInput
	summary
}

// privacyInput is one input of the form. Its name is also the key of its label.
type privacyInput struct {
	Name, Value, Problem string
	Required             bool
}

// privacyForm builds the form, blank or with the typed values.
func (s *Site) privacyForm(p intake.PrivacyInput, e *lead.Error) privacyForm {
	problems := problemsByField(e)
	f := privacyForm{
		Action: s.brand.URL("/privacy"), Choice: problems[catalog.PrivacyKindField],
		Phone:  privacyInput{catalog.PhoneField, p.Phone, problems[catalog.PhoneField], true},
		LeadID: privacyInput{catalog.ReferenceField, p.LeadID, problems[catalog.ReferenceField], false},

		summary: newSummary(e, catalog.PrivacyKindField, catalog.PhoneField, catalog.ReferenceField),
	}
	for i, kind := range lead.PrivacyKinds {
		chosen := p.Kind == string(kind) || p.Kind == "" && i == 0
		f.Choices = append(f.Choices, option{Value: string(kind), Label: catalog.PrivacyKindLabel(kind), Selected: chosen})
	}
	return f
}

// privacyView is the privacy page, with the form at its end.
func (s *Site) privacyView(holdDays int) view {
	v := s.withGuideStyle(s.view(s.brand.PrivacyPage(holdDays)))
	v.After, v.PartData = "wish", s.privacyForm(intake.PrivacyInput{}, noError)
	return v
}

// privacyResponseTime is when a privacy request is answered, counted from its arrival. Closing a lead takes longer than
// leaving it open, so answering as soon as the work is done would reveal whether the phone number was right.
const privacyResponseTime = 100 * time.Millisecond

// postPrivacyRequest stores a privacy request. It answers with the page itself, so that no address ever contains what
// was typed.
func (s *Site) postPrivacyRequest(w http.ResponseWriter, r *http.Request) error {
	if edge.MediaType(r) != "application/x-www-form-urlencoded" {
		w.Header().Set("Accept-Post", "application/x-www-form-urlencoded")
		return catalog.NotAForm
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return err
	}
	values, _ := wire.FormValues(body)
	input := intake.PrivacyInput{
		Kind: values.Get(catalog.PrivacyKindField), Phone: values.Get(catalog.PhoneField), LeadID: values.Get(catalog.ReferenceField),
		Client: edge.RequestInfoOf(r.Context()).Client, Evidence: edge.EvidenceOf(r, lead.ChannelForm),
	}
	timer := time.NewTimer(privacyResponseTime)
	defer timer.Stop()
	request, err := s.Intake.RequestPrivacy(r.Context(), input)
	if err != nil {
		return s.privacyFormAgain(r, input, err)
	}
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
	s.writePage(w, http.StatusOK, s.view(s.brand.PrivacyRequestPage(request.PrivacyRequest, request.Status)).unlisted())
	return nil
}

// privacyFormAgain returns the form with the typed values to a browser, and the Error object to a program.
func (s *Site) privacyFormAgain(r *http.Request, p intake.PrivacyInput, err error) error {
	if !edge.AsksForHTML(r) {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		v := s.withGuideStyle(s.view(s.brand.PrivacyFormAgainPage())).unlisted().withPart("wish", s.privacyForm(p, e))
		v.Title = catalog.ProblemTitle + v.Title
		w.Header().Add("Vary", "Accept")
		s.writePage(w, edge.Status(e), v)
	}}
}

// getConsent shows the exact consent text behind a hash. Texts that existed at startup are in memory and stay readable
// even if the disk fails.
func (s *Site) getConsent(w http.ResponseWriter, r *http.Request) error {
	hash := r.PathValue("hash")
	if page, ok := s.consents.Load(hash); ok {
		return page.(*edge.Document).Get(w, r)
	}
	text, err := s.Intake.ConsentText(r.Context(), edge.RequestInfoOf(r.Context()).Client, hash)
	if err != nil {
		return err
	}
	page := s.document(s.mustRender(s.view(s.brand.ConsentPage(text, s.interfaces.Now)).unlisted()), cacheOf("/privacy"))
	s.consents.Store(hash, page)
	return page.Get(w, r)
}
