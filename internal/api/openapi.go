package api

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

type object = wire.Object

// OpenAPI returns the OpenAPI document of the HTTP interface.
func OpenAPI(b catalog.Brand) []byte {
	return wire.MarshalIndent(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", b.Name + " home-service intake"},
			{"version", catalog.Version},
			{"summary", "Requests for home services, taken in and passed to a contractor network that covers them."},
			{"description", catalog.About + " Assistants can use the same service as MCP tools at " + b.URL("/mcp") + "."},
			{"contact", contact(b)},
			{"license", object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []object{{{"url", b.BaseURL}}}},
		{"security", []object{}},
		{"tags", []object{
			{{"name", "requests"}, {"description", "Asking for a service and looking the request up."}},
			{{"name", "buyers"}, {"description", "What contractor networks that take leads tell us."}},
			{{"name", "about"}, {"description", "What is offered, and whether the service is well."}},
		}},
		{"paths", object{
			{"/v1/services", object{{"get", servicesOperation()}}},
			{"/v1/intake", object{{"post", intakeOperation()}}},
			{"/v1/leads/{lead_id}", object{{"get", leadOperation()}}},
			{"/v1/places/{zip_code}", object{{"get", placeOperation()}}},
			{"/v1/offers/{offer_id}/returned", object{{"post", returnOperation()}}},
			{"/health", object{{"get", healthOperation()}}},
			{"/openapi.json", object{{"get", openAPIOperation()}}},
		}},
		{"components", object{{"schemas", schemas()}, {"securitySchemes", securitySchemes()}}},
	})
}

// contact returns the operator's contact: an email address or a URL, if the setting is one.
func contact(b catalog.Brand) object {
	switch {
	case b.ContactPage() != "":
		return object{{"name", b.Name}, {"url", b.ContactPage()}}
	case b.ContactEmail() != "":
		return object{{"name", b.Name}, {"email", b.ContactEmail()}}
	}
	return object{{"name", b.Name + ", " + b.Contact}}
}

func servicesOperation() object {
	return object{
		{"operationId", "listServices"},
		{"tags", []string{"about"}},
		{"summary", "The services, the plumbing number and the rules"},
		{"description", "Which services are live and which collect requests, and the rules every client keeps to."},
		{"responses", append(object{
			{"200", jsonResponse("The catalog.", ref("Catalog"))},
			{"304", object{{"description", "The client's copy, named in If-None-Match, is still good."}}},
		}, errorResponses(500)...)},
	}
}

func intakeOperation() object {
	body := object{{"allOf", []object{ref("ServiceRequest"), {
		{"type", "object"}, {"properties", object{{lead.DryRun, wire.FieldSchema(lead.IntakeInput, lead.FieldNamed(lead.DryRun))}}},
	}}}}
	media := object{{"schema", body}, {"example", jsontext.Value(catalog.ExampleRequest())}}
	return object{
		{"operationId", "submitRequest"},
		{"tags", []string{"requests"}},
		{"summary", "Submit a request: a lead, not a booking"},
		{"description", "JSON clients get JSON. Form posts are redirected to the thanks page, or to the plumbing page for plumbing; a browser whose form was refused gets the form again. " +
			"For plumbing the answer holds the number, which the person must be given and dials themselves. Members that are not listed are ignored."},
		{"parameters", []object{
			{{"name", lead.DryRun}, {"in", "query"}, {"description", lead.FieldNamed(lead.DryRun).Help}, {"schema", object{{"type", "boolean"}, {"default", false}}}},
			{
				{"name", "Idempotency-Key"},
				{"in", "header"},
				{"description", "Makes a retry safe: for 24 hours the same key with the same request gets the first answer again. All senders share the keys: give one that nobody else would choose, such as a UUID."},
				{"schema", object{{"type", "string"}, {"maxLength", lead.MaxKey}}},
			},
			{
				{"name", lead.SourceHeader},
				{"in", "header"},
				{"description", "The key of a partner or campaign, if the operator gave you one. A key that is unknown or no longer counts is never a reason to refuse a request."},
				{"schema", object{{"type", "string"}, {"maxLength", lead.MaxAttribution}}},
			},
		}},
		{"requestBody", object{{"required", true}, {"content", object{{jsonBody, media}, {formBody, media}}}}},
		{"responses", append(object{
			{"200", jsonResponse("A dry run: the request was checked, nothing was stored.", ref("LeadResponse"))},
			{"202", jsonResponse("The request is stored (received, collected or call_to_connect).", ref("LeadResponse"))},
			{"303", object{
				{"description", "A form was accepted; go to the page in Location."},
				{"headers", object{{"Location", object{{"description", "The page to go to."}, {"schema", object{{"type", "string"}, {"format", "uri"}}}}}}},
			}},
		}, errorResponses(413, 415, 422, 429, 500, 503)...)},
	}
}

func leadOperation() object {
	return object{
		{"operationId", "getLead"},
		{"tags", []string{"requests"}},
		{"summary", "Where a request stands"},
		{"description", "An addition to the interface specification: the answer of the tool get_lead_status over HTTP. It never holds a name, a phone number, an address or notes. Once a privacy request has named the request, the status is rejected and stays so, whatever became of it: otherwise it would tell whether the phone number in the privacy request was right."},
		{"x-addition", true},
		{"parameters", []object{
			parameter("path", "lead_id", "The lead_id that the request was answered with.", object{{"type", "string"}}),
		}},
		{"responses", append(object{
			{"200", jsonResponse("Where the request stands.", statusAnswer())},
		}, errorResponses(404, 429, 500, 503)...)},
	}
}

func healthOperation() object {
	word := object{{"type", "string"}, {"enum", []string{"ok", "unavailable"}}}
	body := object{
		{"type", "object"},
		{"properties", object{{"status", word}, {"version", object{{"type", "string"}}}, {"database", word}}},
		{"required", []string{"status", "version", "database"}},
	}
	return object{
		{"operationId", "getHealth"},
		{"tags", []string{"about"}},
		{"summary", "Whether requests can be taken"},
		{"responses", object{
			{"200", jsonResponse("Requests can be taken.", body)},
			{"503", jsonResponse("The store does not answer. The plumbing number is still served.", body)},
		}},
	}
}

func openAPIOperation() object {
	return object{
		{"operationId", "getOpenAPI"},
		{"tags", []string{"about"}},
		{"summary", "This document"},
		{"responses", append(object{
			{"200", jsonResponse("The OpenAPI description.", object{{"type", "object"}})},
			{"304", object{{"description", "The client's copy, named in If-None-Match, is still good."}}},
		}, errorResponses(500)...)},
	}
}

func ref(component string) object { return object{{"$ref", "#/components/schemas/" + component}} }

func jsonResponse(description string, schema object) object {
	return object{{"description", description}, {"content", object{{jsonBody, object{{"schema", schema}}}}}}
}

// errorDescriptions says when each error status is sent, and with which codes.
var errorDescriptions = map[int]string{
	http.StatusUnauthorized:          "The signature is missing or wrong, or there is no such offer. Code: unauthorized.",
	http.StatusNotFound:              "No request has this id. Code: not_found.",
	http.StatusRequestEntityTooLarge: "The body is over " + catalog.BodyLimit + ". Code: payload_too_large.",
	http.StatusUnsupportedMediaType:  "A kind of body that is not read; Accept-Post says what is. Code: unsupported_media_type.",
	http.StatusUnprocessableEntity:   "The request is invalid or refused, and nothing was kept. Codes: invalid_request (with every problem in fields), rejected, idempotency_key_reused.",
	http.StatusTooManyRequests:       "Too many requests from this address; Retry-After says when to come back. Code: rate_limited.",
	http.StatusInternalServerError:   "A bug. Code: internal.",
	http.StatusServiceUnavailable:    "The request cannot be taken now and nothing was accepted; Retry-After says when to try again. Code: unavailable.",
}

var retryAfter = header("Retry-After", "Whole seconds to wait.", "integer")

// errorHeaders are the headers that come with an error.
var errorHeaders = map[int]object{
	http.StatusUnauthorized:         {header("WWW-Authenticate", "The scheme, Webhook-Signature.", "string")},
	http.StatusUnsupportedMediaType: {header("Accept-Post", "The media types that are read.", "string")},
	http.StatusTooManyRequests: {
		retryAfter,
		header("RateLimit-Policy", "The limit: its name, its quota q and its window w in seconds.", "string"),
		header("RateLimit", "What is left of it: r requests, and t seconds until there are more.", "string"),
	},
	http.StatusServiceUnavailable: {retryAfter},
}

// errorResponses describes the errors of an operation.
func errorResponses(statuses ...int) (responses object) {
	for _, status := range statuses {
		response := jsonResponse(errorDescriptions[status], ref("Error"))
		if headers := errorHeaders[status]; headers != nil {
			response = append(response, wire.Member{"headers", headers})
		}
		responses = append(responses, wire.Member{strconv.Itoa(status), response})
	}
	return responses
}

// parameter describes a required parameter.
func parameter(in, name, description string, schema object) object {
	return object{{"name", name}, {"in", in}, {"required", true}, {"description", description}, {"schema", schema}}
}

func header(name, description, kind string) wire.Member {
	return wire.Member{name, object{{"description", description}, {"schema", object{{"type", kind}}}}}
}
