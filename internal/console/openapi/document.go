// Package openapi describes the operations of the operator's API as an OpenAPI document. Schemas are made from the fields and from samples
// of the answers, so that the document cannot say anything else than the code does; the texts about members of answers are here.
package openapi

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/console/operation"
	"foyer/internal/console/operations"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// Document returns the OpenAPI document of the operator's API.
func Document(b catalog.Brand) []byte {
	paths, schemas := wire.Object{}, wire.Object{{"Error", wire.ErrorSchema()}}
	for i := range operations.All {
		o := &operations.All[i]
		member := wire.Member{strings.ToLower(o.Method), documentOf(o)}
		if at := slices.IndexFunc(paths, func(m wire.Member) bool { return m[0] == operation.Prefix+o.Path }); at >= 0 {
			paths[at][1] = append(paths[at][1].(wire.Object), member)
		} else {
			paths = append(paths, wire.Member{operation.Prefix + o.Path, wire.Object{member}})
		}
		if o.Answer.Sample != nil && !slices.ContainsFunc(schemas, func(m wire.Member) bool { return m[0] == schemaName(o.Answer.Name) }) {
			schemas = append(schemas, wire.Member{schemaName(o.Answer.Name), schemaOf(schemaName(o.Answer.Name), o.Answer.Sample)})
		}
	}
	return wire.MarshalIndent(wire.Object{
		{"openapi", "3.1.0"},
		{"info", wire.Object{
			{"title", b.Name + " for its operator"},
			{"version", catalog.Version},
			{"summary", "Leads, buyers, sources, money and reports, for programs of the operator."},
			{"description", intro},
			{"license", wire.Object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []wire.Object{{{"url", b.BaseURL}}}},
		{"security", []wire.Object{{{"Token", []string{}}}}},
		{"tags", operations.Tags()},
		{"paths", paths},
		{"components", wire.Object{{"schemas", schemas}, {"responses", errorResponses()}, {"parameters", wire.Object{{"IdempotencyKey", keyParameter}}}, {"securitySchemes", wire.Object{{"Token", wire.Object{
			{"type", "http"},
			{"scheme", "bearer"},
			{"description", "A token of foyer tokens add, sent as Authorization: Bearer TOKEN."},
		}}}}}},
	})
}

const intro = "A token says what a program may do: read or write, with or without personal data. Lists come in pages: next_cursor of one is the cursor of the next, and null on the last. " +
	"Amounts are whole cents, times are RFC 3339 in UTC. A change with an Idempotency-Key happens once, however often it is sent within 24 hours; what was refused is not remembered, and can be tried again with the same key. Every change is in the audit trail, with the id of the token, and so is every reading of personal data."

// schemaName begins with a capital, as names of schemas do.
func schemaName(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// documentOf describes one operation.
func documentOf(o *operation.Operation) wire.Object {
	d := wire.Object{{"operationId", o.ID}, {"tags", []string{o.Tag}}, {"summary", o.Summary}, {"description", strings.TrimSpace(o.Description + " " + needsOf(o))}}
	if parameters := parametersOf(o); len(parameters) > 0 {
		d = append(d, wire.Member{"parameters", parameters})
	}
	if o.Method == http.MethodPost && len(o.Body) > 0 {
		d = append(d, wire.Member{"requestBody", wire.Object{
			{"required", slices.ContainsFunc(o.Body, func(f operation.Field) bool { return f.Required })},
			{"content", wire.Object{{operation.JSONBody, wire.Object{{"schema", bodySchema(o.Body)}}}}},
		}})
	}
	return append(d, wire.Member{"responses", responsesOf(o)})
}

// needsOf says which token an operation needs.
func needsOf(o *operation.Operation) string {
	switch {
	case o.Write && o.Personal:
		return "Needs a token that may write, with personal data."
	case o.Write:
		return "Needs a token that may write."
	case o.Personal:
		return "Needs a token with personal data."
	}
	return ""
}

func parametersOf(o *operation.Operation) (list []wire.Object) {
	for _, f := range o.InPath {
		list = append(list, wire.Object{{"name", f.Name}, {"in", "path"}, {"required", true}, {"description", f.Help}, {"schema", wire.Object{{"type", "string"}}}})
	}
	for _, f := range o.Query {
		schema := f.Schema()
		if f.Kind == operation.Kind("list") {
			schema = wire.Object{{"type", "string"}}
		}
		list = append(list, wire.Object{{"name", f.Name}, {"in", "query"}, {"required", f.Required}, {"description", f.Help}, {"schema", schema}})
	}
	if o.Keyed() {
		list = append(list, wire.Object{{"$ref", "#/components/parameters/IdempotencyKey"}})
	}
	return list
}

var keyParameter = wire.Object{
	{"name", "Idempotency-Key"},
	{"in", "header"},
	{"description", "Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, with the header Idempotent-Replayed; the note of a return is null there. Keys are those of the token."},
	{"schema", wire.Object{{"type", "string"}, {"maxLength", lead.MaxKey}}},
}

// bodySchema is the schema of a body. Members whose names have a dot are members of an object.
func bodySchema(fields []operation.Field) wire.Object {
	properties, required := wire.Object{}, []string{}
	for _, f := range fields {
		member := append(f.Schema(), wire.Member{"description", f.Help})
		outer, inner, nested := strings.Cut(f.Name, ".")
		if !nested {
			properties = append(properties, wire.Member{f.Name, member})
		} else if at := slices.IndexFunc(properties, func(m wire.Member) bool { return m[0] == outer }); at >= 0 {
			members := &properties[at][1].(wire.Object)[1][1]
			*members = append((*members).(wire.Object), wire.Member{inner, member})
		} else {
			properties = append(properties, wire.Member{outer, wire.Object{{"type", "object"}, {"properties", wire.Object{{inner, member}}}, {"additionalProperties", false}}})
		}
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return wire.Object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

func responsesOf(o *operation.Operation) wire.Object {
	ok := wire.Object{{"description", "Done, or found."}}
	switch ref := (wire.Object{{"$ref", "#/components/schemas/" + schemaName(o.Answer.Name)}}); {
	case o.Answer.Sample == nil:
		ok = append(ok, wire.Member{"content", wire.Object{{"text/csv", wire.Object{{"schema", wire.Object{{"type", "string"}}}}}}})
	case o.Answer.List:
		ok = append(ok, wire.Member{"content", wire.Object{{operation.JSONBody, wire.Object{{"schema", pageSchemaOf(o, ref)}}}}})
	default:
		ok = append(ok, wire.Member{"content", wire.Object{{operation.JSONBody, wire.Object{{"schema", ref}}}}})
	}
	responses := wire.Object{{strconv.Itoa(o.Status()), ok}}
	for _, status := range errorsOf(o) {
		responses = append(responses, wire.Member{strconv.Itoa(status), wire.Object{{"$ref", "#/components/responses/Error" + strconv.Itoa(status)}}})
	}
	return responses
}

// errorResponses describes every error once.
func errorResponses() (responses wire.Object) {
	for _, status := range slices.Sorted(maps.Keys(errorTexts)) {
		responses = append(responses, wire.Member{"Error" + strconv.Itoa(status), wire.Object{
			{"description", errorTexts[status]}, {"content", wire.Object{{operation.JSONBody, wire.Object{{"schema", wire.Object{{"$ref", "#/components/schemas/Error"}}}}}}},
		}})
	}
	return responses
}

// pageSchemaOf is the schema of a page of items. A page of leads says how far back it was searched.
func pageSchemaOf(o *operation.Operation, item wire.Object) wire.Object {
	sample := operation.Page([]wire.Object{{{"x", 0}}}, "")
	if o.Answer.Name == "FoundLead" {
		sample = append(sample, wire.Member{"searched_back_to", (*time.Time)(nil)}, wire.Member{"time_zone", ""})
	}
	schema := objectSchema("Page", sample)
	schema[1][1].(wire.Object)[0][1] = wire.Object{{"type", "array"}, {"items", item}, {"description", memberTexts["Page.data"]}}
	return schema
}

func errorsOf(o *operation.Operation) []int {
	list := []int{401, 403}
	if len(o.InPath) > 0 || len(o.Body) > 0 || len(o.Query) > 0 {
		list = append(list, 404)
	}
	if o.Write || o.ID == "verifyStatements" || strings.Contains(o.Path, "/statements/") || strings.HasSuffix(o.Path, "/held") {
		list = append(list, 409)
	}
	if o.Method == http.MethodPost {
		list = append(list, 413, 415)
	}
	return append(list, 422, 429, 500, 503)
}

// errorTexts says when each error is sent.
var errorTexts = map[int]string{
	401: "There is no valid token. Code: unauthorized.",
	403: "The token may not do this, or was sent in clear. Code: forbidden.",
	404: "There is nothing with this id or name. Code: not_found.",
	409: "It cannot be done as things stand, and nothing was changed. Code: conflict.",
	413: "The body is over " + catalog.BodyLimit + ". Code: payload_too_large.",
	415: "The body is not JSON. Code: unsupported_media_type.",
	422: "The request is invalid, and nothing was changed. Codes: invalid_request, with every problem in fields; rejected; idempotency_key_reused.",
	429: "Too many wrong tokens came from this address; Retry-After says when to come back. Code: rate_limited.",
	500: "A bug. Code: internal.",
	503: "The database does not answer, and nothing was changed. Code: unavailable.",
}
