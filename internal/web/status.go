package web

import (
	"net/http"
	"strings"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// lookUp is the form that asks for a reference.
type lookUp struct {
	Action string
	Name   string
}

func (s *Site) lookUp() lookUp {
	return lookUp{s.brand.URL(catalog.PageStatus), catalog.RefField}
}

func (s *Site) lookUpView(p catalog.Page) view {
	return s.view(p).unlisted().showing("look-up", s.lookUp())
}

// findStatus sends a person on to the page of the reference they typed, or asks for one.
func (s *Site) findStatus(w http.ResponseWriter, r *http.Request) error {
	id := strings.TrimSpace(r.URL.Query().Get(catalog.RefField))
	switch {
	case id == "":
		return s.pages[catalog.PageStatus].Get(w, r)
	case !lead.MayBeID(id):
		return s.noReference(r, catalog.UnknownLead())
	}
	w.Header().Set("Location", s.referTo(id).Address)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// getStatus tells where a request stands. A client that keeps guessing is slowed down, as at the
// other doors.
func (s *Site) getStatus(w http.ResponseWriter, r *http.Request) error {
	found, err := s.Intake.LookUp(r.Context(), edge.RequestInfoOf(r.Context()).Client, r.PathValue("lead_id"))
	if lead.KindOf(err) == lead.NotFound {
		return s.noReference(r, err)
	}
	if err != nil {
		return err
	}
	v := s.view(s.brand.StatusPage(found)).unlisted().showing("status", s.standing(found))
	if found.Status == lead.CallToConnect {
		v = v.with(callAfter)
	}
	s.once(w, http.StatusOK, s.mustRender(v))
	return nil
}

// noReference answers for a reference that no request has.
func (s *Site) noReference(r *http.Request, err error) error {
	if !edge.AsksForHTML(r) {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		w.Header().Add("Vary", "Accept")
		s.once(w, edge.Status(e), s.mustRender(s.lookUpView(s.brand.NoReferencePage()).with(callAfter)))
	}}
}

// standing is what the status page shows of a request.
type standing struct {
	reference
	Label   string
	Tone    catalog.Tone
	Service string
	ZIP     string
	Sent    displayTime
	Changed displayTime
}

// displayTime is a time for people and for programs.
type displayTime struct{ Text, ISO string }

func (s *Site) standing(l lead.StatusAnswer) standing {
	label, tone := catalog.StatusLabel(l)
	return standing{
		reference: s.referTo(l.LeadID), Label: label, Tone: tone, Service: catalog.Label(l.Service), ZIP: l.ZIP,
		Sent: displayTimeOf(l.CreatedAt), Changed: displayTimeOf(l.UpdatedAt),
	}
}

func displayTimeOf(t time.Time) displayTime {
	t = t.UTC()
	return displayTime{t.Format("January 2, 2006, 3:04 PM") + " UTC", t.Format(time.RFC3339)}
}
