package api

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

const (
	jsonBody   = "application/json"
	formBody   = "application/x-www-form-urlencoded"
	acceptPost = jsonBody + ", " + formBody
)

// doors tell a form from JSON by its media type. No media type means JSON.
var doors = map[string]lead.Door{"": lead.DoorJSON, jsonBody: lead.DoorJSON, formBody: lead.DoorForm}

// intake takes a request in, as JSON or as a form.
func (a *API) intake(w http.ResponseWriter, r *http.Request) error {
	door, known := doors[edge.MediaType(r)]
	if !known {
		w.Header().Set("Accept-Post", acceptPost)
		return catalog.NeitherJSONNorForm()
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return a.refuse(r, door, &intake.Submission{}, err)
	}
	order := a.submission(r, door, body)
	receipt, err := a.Intake.Submit(r.Context(), order)
	if err != nil {
		return a.refuse(r, door, order, err)
	}
	a.accept(w, r, door, receipt)
	return nil
}

// submission writes down what arrived.
func (a *API) submission(r *http.Request, door lead.Door, body []byte) *intake.Submission {
	o := &intake.Submission{
		Client: edge.RequestInfoOf(r.Context()).Client, Evidence: edge.EvidenceOf(r, door), Keys: r.Header["Idempotency-Key"],
	}
	if door == lead.DoorForm {
		o.Raw = wire.ReadForm(lead.IntakeInput, body)
		own := wire.FormValues(body, catalog.ConsentTextField, catalog.FormTokenField, catalog.TrapField)
		o.ConsentHash, o.FormToken, o.Honeypot = own[0], own[1], own[2]
	} else {
		o.Raw = wire.ReadJSON(lead.IntakeInput, body)
	}
	wire.ReadQuery(o.Raw, r.URL.RawQuery)
	return o
}

// accept answers programs with JSON and sends browsers on to a page. The target is never taken from the request.
func (a *API) accept(w http.ResponseWriter, r *http.Request, door lead.Door, receipt lead.Receipt) {
	if door == lead.DoorForm && !edge.AsksForJSON(r) {
		w.Header().Set("Location", a.pageAfter(receipt))
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	status := http.StatusAccepted
	if receipt.DryRun {
		status = http.StatusOK
	}
	edge.WriteJSON(w, status, wire.Receipt(receipt))
}

func (a *API) pageAfter(receipt lead.Receipt) string {
	switch {
	case receipt.DryRun:
		return a.Brand.URL(catalog.PageChecked)
	case receipt.Status == lead.CallToConnect:
		return a.Brand.URL(catalog.PagePlumbing)
	default:
		return a.Brand.URL(catalog.ThanksFor(receipt.LeadID))
	}
}

// refuse gives a browser its form back, with what was typed; everybody else gets the Error object.
func (a *API) refuse(r *http.Request, door lead.Door, o *intake.Submission, err error) error {
	if door != lead.DoorForm || !edge.AsksForHTML(r) {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, r *http.Request, e *lead.Error) {
		a.FormAgain(w, r, o, e)
	}}
}
