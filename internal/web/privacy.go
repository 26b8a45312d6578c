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

// wishForm is the form by which people take consent back or have data erased.
type wishForm struct {
	Action   string
	Words    catalog.WishWords
	Choices  []option
	Choice   string // what is wrong with the choice
	Phone    wishInput
	LeadID   wishInput
	Banner   string
	Problems []problem
}

// wishInput is one input of it.
type wishInput struct {
	Name, Label, Help, Value, Problem string
	Required                          bool
}

// Describes are the ids of the texts that belong to the input.
func (i wishInput) Describes() string {
	if i.Problem != "" {
		return i.Name + "-problem " + i.Name + "-help"
	}
	return i.Name + "-help"
}

// wishForm draws the form, blank or with what was typed.
func (s *Site) wishForm(p intake.Plea, e *lead.Error) wishForm {
	wrong := problemsByField(e)
	f := wishForm{
		Action: s.brand.URL("/privacy"), Words: catalog.Wishes, Choice: wrong[catalog.WishField],
		Phone:  wishInput{catalog.PhoneField, catalog.Wishes.Phone, catalog.Wishes.PhoneHelp, p.Phone, wrong[catalog.PhoneField], true},
		LeadID: wishInput{catalog.ReferenceField, catalog.Wishes.Reference, catalog.Wishes.ReferenceHelp, p.LeadID, wrong[catalog.ReferenceField], false},
	}
	for i, kind := range lead.WishKinds {
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
	v.After, v.PartData = "wish", s.wishForm(intake.Plea{}, nil)
	return v
}

func (s *Site) privacyMenu() []edge.Resource {
	return []edge.Resource{
		{Path: "/privacy", Doc: s.pages["/privacy"], Post: s.postWish, Page: true, Work: true},
		{Path: "/consent/{hash}", Get: s.getConsent, Page: true},
	}
}

// wishTime is when a wish is answered, counted from its arrival. To close a request takes longer than to leave it, so an
// answer as soon as the work is done would tell whether the number was right.
const wishTime = 100 * time.Millisecond

// postWish keeps a wish. What was typed never reaches an address: the answer is the page itself.
func (s *Site) postWish(w http.ResponseWriter, r *http.Request) error {
	if edge.MediaType(r) != "application/x-www-form-urlencoded" {
		w.Header().Set("Accept-Post", "application/x-www-form-urlencoded")
		return catalog.NotAForm()
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return err
	}
	plea := intake.Plea{
		Kind: wire.FormValue(body, catalog.WishField), Phone: wire.FormValue(body, catalog.PhoneField), LeadID: wire.FormValue(body, catalog.ReferenceField),
		Client: edge.VisitOf(r.Context()).Client, Evidence: edge.EvidenceOf(r, lead.DoorForm),
	}
	answer := time.NewTimer(wishTime)
	defer answer.Stop()
	wish, err := s.Reception.Ask(r.Context(), plea)
	if err != nil {
		return s.wishAgain(r, plea, err)
	}
	select {
	case <-answer.C:
	case <-r.Context().Done():
	}
	s.once(w, http.StatusOK, s.mustRender(s.view(s.brand.WishPage(wish.Wish, wish.Status)).unlisted()))
	return nil
}

// wishAgain gives a browser the form back, with what was typed; a program gets the Error object.
func (s *Site) wishAgain(r *http.Request, p intake.Plea, err error) error {
	if !edge.AsksForHTML(r) {
		return err
	}
	return &edge.Shown{Err: err, Show: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		v := s.guided(s.view(s.brand.WishAgainPage())).unlisted().showing("wish", s.wishForm(p, e))
		v.Title = catalog.ProblemTitle + v.Title
		edge.SetErrorHeaders(w.Header(), e)
		w.Header().Add("Vary", "Accept")
		s.once(w, edge.Status(e), s.mustRender(v))
	}}
}
