// Package api is the HTTP interface for programs and forms: the catalog, intake, look-ups, returns of buyers, health and the OpenAPI document.
//
// It reads requests and writes answers. Packages lead and intake decide what is allowed; package web renders pages.
package api

import (
	"cmp"
	"context"
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// API serves the operations of the published interface, /openapi.json.
type API struct {
	Brand     catalog.Brand
	Intake    *intake.Service
	Returns   Returns
	Ping      func(context.Context) error                                                       // checks that the store responds
	FormAgain func(w http.ResponseWriter, r *http.Request, o *intake.Submission, e *lead.Error) // shows the form again with the error messages

	services edge.LiveDocument
}

// Routes returns the routes of the API.
func (a *API) Routes() []edge.Resource {
	a.SetCoverage()
	openapi := edge.NewDocument("application/json", "public, max-age=300", OpenAPI(a.Brand))
	return []edge.Resource{
		{Path: "/v1/services", Get: a.services.Get, Open: true},
		{Path: "/v1/intake", Post: a.intake, Open: true},
		{Path: "/v1/leads/{lead_id}", Get: a.lead, Open: true},
		{Path: "/v1/places/{zip_code}", Get: a.place, Open: true},
		{Path: "/v1/offers/{offer_id}/returned", Post: a.returnLead, Open: true},
		{Path: "/v1/", Any: a.notFound, Open: true},
		{Path: "/health", Get: a.health, Open: true},
		{Path: "/openapi.json", Get: openapi.Get, Open: true},
	}
}

// SetCoverage updates the catalog. covered are the services that at least one buyer covers somewhere.
func (a *API) SetCoverage(covered ...lead.Service) {
	a.services.Put(edge.NewDocument("application/json", "public, max-age=60", wire.MarshalIndent(a.Brand.Catalog(covered...))))
}

// lead answers with the status of a request.
func (a *API) lead(w http.ResponseWriter, r *http.Request) error {
	status, err := a.Intake.LookUp(r.Context(), edge.RequestInfoOf(r.Context()).Client, r.PathValue("lead_id"))
	if err != nil {
		return err
	}
	edge.WriteJSON(w, http.StatusOK, wire.Marshal(status))
	return nil
}

// notFound answers unknown paths under /v1/ with CORS headers, so that pages of other websites can read the error.
func (a *API) notFound(http.ResponseWriter, *http.Request) error { return a.Brand.NoOperation() }

// health is the health check, a readiness probe or /healthz elsewhere: it reports whether requests can be accepted, and nothing about the setup.
func (a *API) health(w http.ResponseWriter, r *http.Request) error {
	status, word := http.StatusOK, "ok"
	if a.Ping(r.Context()) != nil {
		status, word = http.StatusServiceUnavailable, "unavailable"
		w.Header().Set("Retry-After", "1")
	}
	edge.WriteJSON(w, status, wire.Marshal(object{{"status", word}, {"version", catalog.Version}, {"database", word}}))
	return nil
}

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
		raw := lead.IntakeInput.New()
		wire.ReadQuery(raw, r.URL.RawQuery) // the form that is shown again is still that of a dry run
		return a.renderRefusal(r, door, &intake.Submission{Raw: raw}, err)
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
		sub.Attribution = lead.ReadAttribution(values.Get)
		sub.ConsentHash, sub.FormToken, sub.Honeypot = values.Get(catalog.ConsentTextField), values.Get(catalog.FormTokenField), values.Get(catalog.HoneypotField)
	} else {
		sub.Raw = wire.ReadJSON(lead.IntakeInput, body)
	}
	sub.Attribution.Key = cmp.Or(sub.Attribution.Key, edge.SourceKey(r))
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
	edge.WriteJSON(w, status, wire.Receipt(receipt))
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
