// Package api is the HTTP interface for programs and forms: the catalog, intake, look-ups, health and the OpenAPI document.
//
// It reads requests and writes answers. Packages lead and intake decide what is allowed; package web renders pages.
package api

import (
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

// health reports whether requests can be accepted, and nothing about the setup.
func (a *API) health(w http.ResponseWriter, r *http.Request) error {
	status, word, database := http.StatusOK, "ok", "ok"
	if a.Ping(r.Context()) != nil {
		status, word, database = http.StatusServiceUnavailable, "unavailable", "unavailable"
		w.Header().Set("Retry-After", "1")
	}
	edge.WriteJSON(w, status, wire.Marshal(wire.Object{
		{"status", word}, {"version", catalog.Version}, {"database", database},
	}))
	return nil
}
