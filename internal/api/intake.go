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

// doorByMediaType tells forms from JSON. No media type means JSON.
var doorByMediaType = map[string]lead.Channel{"": lead.ChannelJSON, jsonBody: lead.ChannelJSON, formBody: lead.ChannelForm}

// intake accepts a request as JSON or as a form.
func (a *API) intake(w http.ResponseWriter, r *http.Request) error {
	door, known := doorByMediaType[edge.MediaType(r)]
	if !known {
		w.Header().Set("Accept-Post", acceptPost)
		return catalog.NeitherJSONNorForm
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return a.renderRefusal(r, door, &intake.Submission{}, err)
	}
	sub := a.newSubmission(r, door, body)
	receipt, err := a.Intake.Submit(r.Context(), sub)
	if err != nil {
		return a.renderRefusal(r, door, sub, err)
	}
	a.writeReceipt(w, r, door, receipt)
	return nil
}

// newSubmission builds a submission from the HTTP request.
func (a *API) newSubmission(r *http.Request, door lead.Channel, body []byte) *intake.Submission {
	sub := &intake.Submission{
		Client: edge.RequestInfoOf(r.Context()).Client, Evidence: edge.EvidenceOf(r, door), Keys: r.Header["Idempotency-Key"],
	}
	if door == lead.ChannelForm {
		sub.Raw = wire.ReadForm(lead.IntakeInput, body)
		values, _ := wire.FormValues(body)
		sub.ConsentHash, sub.FormToken, sub.Honeypot = values.Get(catalog.ConsentTextField), values.Get(catalog.FormTokenField), values.Get(catalog.TrapField)
	} else {
		sub.Raw = wire.ReadJSON(lead.IntakeInput, body)
	}
	wire.ReadQuery(sub.Raw, r.URL.RawQuery)
	return sub
}

// writeReceipt answers programs with JSON and redirects browsers to a page. The redirect target never comes from the
// request.
func (a *API) writeReceipt(w http.ResponseWriter, r *http.Request, door lead.Channel, receipt lead.Receipt) {
	if door == lead.ChannelForm && !edge.AsksForJSON(r) {
		w.Header().Set("Location", a.redirectTarget(receipt))
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	status := http.StatusAccepted
	if receipt.DryRun {
		status = http.StatusOK
	}
	edge.WriteJSON(w, status, wire.Marshal(receipt))
}

func (a *API) redirectTarget(receipt lead.Receipt) string {
	switch {
	case receipt.DryRun:
		return a.Brand.URL(catalog.PageChecked)
	case receipt.Status == lead.CallToConnect:
		return a.Brand.URL(catalog.PagePlumbing)
	default:
		return a.Brand.URL(catalog.ThanksFor(receipt.LeadID))
	}
}

// renderRefusal shows a browser the form again, with what the person typed. Other clients get the Error object.
func (a *API) renderRefusal(r *http.Request, door lead.Channel, sub *intake.Submission, err error) error {
	if door != lead.ChannelForm || !edge.AsksForHTML(r) {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, r *http.Request, e *lead.Error) {
		a.FormAgain(w, r, sub, e)
	}}
}
