package api

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/place"
	"foyer/internal/wire"
)

// place returns the city and state of a ZIP code. A ZIP code that is not in the list may still be valid.
func (a *API) place(w http.ResponseWriter, r *http.Request) error {
	zip := r.PathValue("zip_code")
	found, known := place.Of(zip)
	if !known {
		return catalog.UnknownPlace
	}
	w.Header().Set("Cache-Control", "public, max-age=86400")
	edge.WriteJSON(w, http.StatusOK, wire.Marshal(wire.Object{{"zip_code", zip}, {"city", found.City}, {"state", found.State}}))
	return nil
}

func placeOperation() object {
	text := object{{"type", "string"}}
	body := object{
		{"type", "object"},
		{"properties", object{{"zip_code", text}, {"city", text}, {"state", text}}},
		{"required", []string{"zip_code", "city", "state"}},
	}
	return object{
		{"operationId", "getPlace"},
		{"tags", []string{"about"}},
		{"summary", "City and state of a ZIP code"},
		{"description", "An addition to the interface specification: lets a person see that the ZIP code they gave is the one they meant. " +
			"The list is not complete, and a code that is not in it is no reason to refuse anything. " + place.Attribution},
		{"x-addition", true},
		{"parameters", []object{
			parameter("path", "zip_code", "US 5-digit ZIP code.", object{{"type", "string"}, {"examples", []string{"33139"}}}),
		}},
		{"responses", append(object{
			{"200", jsonResponse("Where the ZIP code is.", body)},
			{"404", jsonResponse("The ZIP code is not in the list. Code: not_found.", ref("Error"))},
		}, errorResponses(500)...)},
	}
}
