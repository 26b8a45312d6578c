package console

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// OpenAPI returns the OpenAPI document of the operator's API.
func OpenAPI(b catalog.Brand) []byte {
	paths, schemas := object{}, object{{"Error", wire.ErrorSchema()}}
	for i := range operations {
		o := &operations[i]
		member := wire.Member{strings.ToLower(o.method), o.document()}
		if at := slices.IndexFunc(paths, func(m wire.Member) bool { return m[0] == prefix+o.path }); at >= 0 {
			paths[at][1] = append(paths[at][1].(object), member)
		} else {
			paths = append(paths, wire.Member{prefix + o.path, object{member}})
		}
		if o.answer.sample != nil && !slices.ContainsFunc(schemas, func(m wire.Member) bool { return m[0] == schemaName(o.answer.name) }) {
			schemas = append(schemas, wire.Member{schemaName(o.answer.name), schemaOf(schemaName(o.answer.name), o.answer.sample)})
		}
	}
	return wire.MarshalIndent(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", b.Name + " for its operator"},
			{"version", catalog.Version},
			{"summary", "Leads, buyers, sources, money and reports, for programs of the operator."},
			{"description", intro},
			{"license", object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []object{{{"url", b.BaseURL}}}},
		{"security", []object{{{"Token", []string{}}}}},
		{"tags", tags()},
		{"paths", paths},
		{"components", object{{"schemas", schemas}, {"responses", errorResponses()}, {"parameters", object{{"IdempotencyKey", keyParameter}}}, {"securitySchemes", object{{"Token", object{
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

// document describes one operation.
func (o *operation) document() object {
	d := object{{"operationId", o.id}, {"tags", []string{o.tag}}, {"summary", o.summary}, {"description", strings.TrimSpace(o.description + " " + o.needs())}}
	if parameters := o.parameters(); len(parameters) > 0 {
		d = append(d, wire.Member{"parameters", parameters})
	}
	if o.method == http.MethodPost && len(o.body) > 0 {
		d = append(d, wire.Member{"requestBody", object{
			{"required", slices.ContainsFunc(o.body, func(f field) bool { return f.required })},
			{"content", object{{jsonBody, object{{"schema", bodySchema(o.body)}}}}},
		}})
	}
	return append(d, wire.Member{"responses", o.responses()})
}

// needs says which token an operation needs.
func (o *operation) needs() string {
	switch {
	case o.write && o.personal:
		return "Needs a token that may write, with personal data."
	case o.write:
		return "Needs a token that may write."
	case o.personal:
		return "Needs a token with personal data."
	}
	return ""
}

func (o *operation) parameters() (list []object) {
	for _, f := range o.inPath {
		list = append(list, object{{"name", f.name}, {"in", "path"}, {"required", true}, {"description", f.help}, {"schema", object{{"type", "string"}}}})
	}
	for _, f := range o.query {
		schema := f.schema()
		if f.kind == kind("list") {
			schema = object{{"type", "string"}}
		}
		list = append(list, object{{"name", f.name}, {"in", "query"}, {"required", f.required}, {"description", f.help}, {"schema", schema}})
	}
	if o.keyed() {
		list = append(list, object{{"$ref", "#/components/parameters/IdempotencyKey"}})
	}
	return list
}

var keyParameter = object{
	{"name", "Idempotency-Key"},
	{"in", "header"},
	{"description", "Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, with the header Idempotent-Replayed. Keys are those of the token."},
	{"schema", object{{"type", "string"}, {"maxLength", lead.MaxKey}}},
}

// bodySchema is the schema of a body. Members whose names have a dot are members of an object.
func bodySchema(fields []field) object {
	properties, required := object{}, []string{}
	for _, f := range fields {
		member := append(f.schema(), wire.Member{"description", f.help})
		outer, inner, nested := strings.Cut(f.name, ".")
		if !nested {
			properties = append(properties, wire.Member{f.name, member})
		} else if at := slices.IndexFunc(properties, func(m wire.Member) bool { return m[0] == outer }); at >= 0 {
			members := &properties[at][1].(object)[1][1]
			*members = append((*members).(object), wire.Member{inner, member})
		} else {
			properties = append(properties, wire.Member{outer, object{{"type", "object"}, {"properties", object{{inner, member}}}, {"additionalProperties", false}}})
		}
		if f.required {
			required = append(required, f.name)
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
}

func (o *operation) responses() object {
	ok := object{{"description", "Done, or found."}}
	switch ref := (object{{"$ref", "#/components/schemas/" + schemaName(o.answer.name)}}); {
	case o.answer.sample == nil:
		ok = append(ok, wire.Member{"content", object{{"text/csv", object{{"schema", object{{"type", "string"}}}}}}})
	case o.answer.list:
		ok = append(ok, wire.Member{"content", object{{jsonBody, object{{"schema", o.pageSchema(ref)}}}}})
	default:
		ok = append(ok, wire.Member{"content", object{{jsonBody, object{{"schema", ref}}}}})
	}
	responses := object{{strconv.Itoa(o.status()), ok}}
	for _, status := range o.errors() {
		responses = append(responses, wire.Member{strconv.Itoa(status), object{{"$ref", "#/components/responses/Error" + strconv.Itoa(status)}}})
	}
	return responses
}

// errorResponses describes every error once.
func errorResponses() (responses object) {
	for _, status := range slices.Sorted(maps.Keys(errorTexts)) {
		responses = append(responses, wire.Member{"Error" + strconv.Itoa(status), object{
			{"description", errorTexts[status]}, {"content", object{{jsonBody, object{{"schema", object{{"$ref", "#/components/schemas/Error"}}}}}}},
		}})
	}
	return responses
}

// pageSchema is the schema of a page of items. A page of leads says how far back it was searched.
func (o *operation) pageSchema(item object) object {
	sample := page([]object{{{"x", 0}}}, "")
	if o.answer.name == "FoundLead" {
		sample = append(sample, wire.Member{"searched_back_to", (*time.Time)(nil)}, wire.Member{"time_zone", ""})
	}
	schema := objectSchema("Page", sample)
	schema[1][1].(object)[0][1] = object{{"type", "array"}, {"items", item}, {"description", memberTexts["Page.data"]}}
	return schema
}

func (o *operation) errors() []int {
	list := []int{401, 403}
	if len(o.inPath) > 0 || len(o.body) > 0 || len(o.query) > 0 {
		list = append(list, 404)
	}
	if o.write || o.id == "verifyStatements" || strings.Contains(o.path, "/statements/") || strings.HasSuffix(o.path, "/held") {
		list = append(list, 409)
	}
	if o.method == http.MethodPost {
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
	413: "The body is over 64 KiB. Code: payload_too_large.",
	415: "The body is not JSON. Code: unsupported_media_type.",
	422: "The request is invalid, and nothing was changed. Codes: invalid_request, with every problem in fields; rejected; idempotency_key_reused.",
	429: "Too many wrong tokens came from this address; Retry-After says when to come back. Code: rate_limited.",
	500: "A bug. Code: internal.",
	503: "The database does not answer, and nothing was changed. Code: unavailable.",
}
