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

// privacyForm is the form by which people take consent back or have data erased.
type privacyForm struct {
	Action   string
	Words    catalog.WishWords
	Choices  []option
	Choice   string // what is wrong with the choice
	Phone    privacyInput
	LeadID   privacyInput
	Banner   string
	Problems []problem
}

// privacyInput is one input of it.
type privacyInput struct {
	Name, Label, Help, Value, Problem string
	Required                          bool
}

// Describes are the ids of the texts that belong to the input.
func (i privacyInput) Describes() string {
	if i.Problem != "" {
		return i.Name + "-problem " + i.Name + "-help"
	}
	return i.Name + "-help"
}

// privacyForm draws the form, blank or with what was typed.
func (s *Site) privacyForm(p intake.PrivacyInput, e *lead.Error) privacyForm {
	wrong := problemsByField(e)
	f := privacyForm{
		Action: s.brand.URL("/privacy"), Words: catalog.Wishes, Choice: wrong[catalog.WishField],
		Phone:  privacyInput{catalog.PhoneField, catalog.Wishes.Phone, catalog.Wishes.PhoneHelp, p.Phone, wrong[catalog.PhoneField], true},
		LeadID: privacyInput{catalog.ReferenceField, catalog.Wishes.Reference, catalog.Wishes.ReferenceHelp, p.LeadID, wrong[catalog.ReferenceField], false},
	}
	for i, kind := range lead.PrivacyKinds {
		chosen := p.Kind == string(kind) || p.Kind == "" && i == 0
		f.Choices = append(f.Choices, option{Value: string(kind), Label: catalog.WishLabel(kind), Selected: chosen})
	}
	if e != nil && len(e.Problems) == 0 {
		f.Banner = e.Message
	}
	if e != nil {
		for _, x := range e.Problems {
			f.Problems = append(f.Problems, problem{ID: x.Field, Text: x.ForPerson()})
		}
	}
	return f
}

// privacyView is the page with the form at its end.
func (s *Site) privacyView(holdDays int) view {
	v := s.guided(s.view(s.brand.PrivacyPage(holdDays)))
	v.After, v.PartData = "wish", s.privacyForm(intake.PrivacyInput{}, nil)
	return v
}

func (s *Site) privacyRoutes() []edge.Resource {
	return []edge.Resource{
		{Path: "/privacy", Doc: s.pages["/privacy"], Post: s.postPrivacyRequest, Page: true, Work: true},
		{Path: "/consent/{hash}", Get: s.getConsent, Page: true},
	}
}

// privacyTimeout is when a wish is answered, counted from its arrival. To close a request takes longer than to leave it, so an
// answer as soon as the work is done would tell whether the number was right.
const privacyTimeout = 100 * time.Millisecond

// postPrivacyRequest keeps a wish. What was typed never reaches an address: the answer is the page itself.
func (s *Site) postPrivacyRequest(w http.ResponseWriter, r *http.Request) error {
	if edge.MediaType(r) != "application/x-www-form-urlencoded" {
		w.Header().Set("Accept-Post", "application/x-www-form-urlencoded")
		return catalog.NotAForm()
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return err
	}
	plea := intake.PrivacyInput{
		Kind: wire.FormValue(body, catalog.WishField), Phone: wire.FormValue(body, catalog.PhoneField), LeadID: wire.FormValue(body, catalog.ReferenceField),
		Client: edge.RequestInfoOf(r.Context()).Client, Evidence: edge.EvidenceOf(r, lead.DoorForm),
	}
	answer := time.NewTimer(privacyTimeout)
	defer answer.Stop()
	wish, err := s.Intake.RequestPrivacy(r.Context(), plea)
	if err != nil {
		return s.privacyFormAgain(r, plea, err)
	}
	select {
	case <-answer.C:
	case <-r.Context().Done():
	}
	s.once(w, http.StatusOK, s.mustRender(s.view(s.brand.WishPage(wish.PrivacyRequest, wish.Status)).unlisted()))
	return nil
}

// privacyFormAgain gives a browser the form back, with what was typed; a program gets the Error object.
func (s *Site) privacyFormAgain(r *http.Request, p intake.PrivacyInput, err error) error {
	if !edge.AsksForHTML(r) {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		v := s.guided(s.view(s.brand.WishAgainPage())).unlisted().showing("wish", s.privacyForm(p, e))
		v.Title = catalog.ProblemTitle + v.Title
		edge.SetErrorHeaders(w.Header(), e)
		w.Header().Add("Vary", "Accept")
		s.once(w, edge.Status(e), s.mustRender(v))
	}}
}
