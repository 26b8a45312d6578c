package web

import (
	"net/http"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// reference identifies a request on the thanks and status pages.
type reference struct {
	ID      string
	Address string // of the status page
}

func (s *Site) newReference(id string) reference {
	return reference{id, s.brand.URL(catalog.PageStatus + "/" + id)}
}

// getThanks confirms that a request was accepted, or only validated. From the address it shows only the reference, and
// only if it is one of ours, with the status of that request.
func (s *Site) getThanks(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	if query.Has(lead.DryRun) {
		return s.pages[catalog.PageChecked].Get(w, r)
	}
	id := query.Get(catalog.RefField)
	if !lead.MayBeID(id) {
		return s.pages[catalog.PageThanks].Get(w, r)
	}
	page := s.brand.ThanksPage()
	found, err := s.Intake.LookUp(r.Context(), edge.RequestInfoOf(r.Context()).Client, id)
	switch {
	case lead.KindOf(err) == lead.NotFound:
		return s.pages[catalog.PageThanks].Get(w, r)
	case err == nil:
		page = s.brand.ThanksPageFor(found)
	} // a person who just sent a request gets the reference even if the lookup fails now
	v := s.view(page).withCall(callLast).unlisted().withPart("reference", s.newReference(id))
	s.writePage(w, http.StatusOK, v)
	return nil
}

// lookupForm is the form that asks for a reference.
type lookupForm struct {
	Action string
	Name   string
}

func (s *Site) lookupForm() lookupForm {
	return lookupForm{s.brand.URL(catalog.PageStatus), catalog.RefField}
}

func (s *Site) lookupView(p catalog.Page) view {
	return s.view(p).unlisted().withPart("look-up", s.lookupForm())
}

// findStatus redirects to the status page of the typed reference, or asks for one.
func (s *Site) findStatus(w http.ResponseWriter, r *http.Request) error {
	id := strings.TrimSpace(r.URL.Query().Get(catalog.RefField))
	switch {
	case id == "":
		return s.pages[catalog.PageStatus].Get(w, r)
	case !lead.MayBeID(id):
		return s.unknownReference(r, catalog.UnknownLead)
	}
	w.Header().Set("Location", s.newReference(id).Address)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// getStatus shows the status of a request. A client that keeps guessing references is rate limited, as on the other
// interfaces.
func (s *Site) getStatus(w http.ResponseWriter, r *http.Request) error {
	found, err := s.Intake.LookUp(r.Context(), edge.RequestInfoOf(r.Context()).Client, r.PathValue("lead_id"))
	if lead.KindOf(err) == lead.NotFound {
		return s.unknownReference(r, err)
	}
	if err != nil {
		return err
	}
	details := statusDetails{found, catalog.StatusTextOf(found), catalog.Label(found.Service)}
	v := s.view(s.brand.StatusPage(found)).unlisted().withPart("status", details)
	if found.Status == lead.CallToConnect {
		v = v.withCall(callAfter)
	}
	s.writePage(w, http.StatusOK, v)
	return nil
}

// unknownReference answers a reference that no request has.
func (s *Site) unknownReference(r *http.Request, err error) error {
	if !edge.AsksForHTML(r) {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		w.Header().Add("Vary", "Accept")
		s.writePage(w, edge.Status(e), s.lookupView(s.brand.NoReferencePage()).withCall(callAfter))
	}}
}

// statusDetails is what the status page shows of a request.
type statusDetails struct {
	lead.StatusAnswer
	catalog.StatusText
	ServiceLabel string
}
