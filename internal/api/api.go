// Package api is the HTTP door for programs and forms: the catalog, the intake, look-ups, health and the OpenAPI document.
//
// It reads requests and writes answers. What is allowed is decided by lead and intake; how a page looks, by web.
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
	Ping      func(context.Context) error                                                       // whether the store answers
	FormAgain func(w http.ResponseWriter, r *http.Request, o *intake.Submission, e *lead.Error) // the form with the messages in it

	services edge.LiveDocument
}

// Routes is what can be asked here.
func (a *API) Routes() []edge.Resource {
	a.Tell()
	openapi := edge.NewDocument("application/json", "public, max-age=300", OpenAPI(a.Brand))
	return []edge.Resource{
		{Path: "/v1/services", Doc: &a.services, Open: true},
		{Path: "/v1/intake", Post: a.intake, Open: true, Work: true},
		{Path: "/v1/leads/{lead_id}", Get: a.lead, Open: true},
		{Path: "/v1/places/{zip_code}", Get: a.place, Open: true},
		{Path: "/v1/offers/{offer_id}/returned", Post: a.returned, Open: true, Work: true},
		{Path: "/v1/", Any: a.missing, Open: true},
		{Path: "/health", Get: a.health, Open: true},
		{Path: "/openapi.json", Doc: openapi, Open: true},
	}
}

// Tell writes the catalog anew. Covered are the services that somebody covers somewhere.
func (a *API) Tell(covered ...lead.Service) {
	a.services.Put(edge.NewDocument("application/json", "public, max-age=60", wire.MarshalIndent(a.Brand.Catalog(covered...))))
}

// lead tells where a request stands.
func (a *API) lead(w http.ResponseWriter, r *http.Request) error {
	standing, err := a.Intake.LookUp(r.Context(), edge.RequestInfoOf(r.Context()).Client, r.PathValue("lead_id"))
	if err != nil {
		return err
	}
	edge.WriteJSON(w, http.StatusOK, wire.Marshal(standing))
	return nil
}

// missing answers for what is not there, so that a page of another website can read the answer.
func (a *API) missing(http.ResponseWriter, *http.Request) error { return a.Brand.NoOperation() }

// health tells whether requests can be taken, and nothing about where.
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
