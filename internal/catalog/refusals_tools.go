package catalog

import "foyer/internal/lead"

// ForeignHost refuses the tools to a page that made a name of its own lead to this machine.
func ForeignHost() *lead.Error {
	return &lead.Error{Kind: lead.Forbidden, Message: "This Host is not served on a loopback connection. If it is the public address of this service, set base-url to it."}
}

// ForeignOrigin refuses the tools to pages that the operator does not let use them.
func ForeignOrigin() *lead.Error {
	return &lead.Error{Kind: lead.Forbidden, Message: "Pages from this origin may not use the tools. The operator can allow them with allowed-origins."}
}

// NotJSONRPC refuses a message to the tools that is no JSON.
func NotJSONRPC() *lead.Error {
	return &lead.Error{Kind: lead.UnsupportedMedia, Message: "Send one JSON-RPC message with Content-Type: application/json."}
}

// OnlyJSON refuses a client of the tools that takes no JSON.
func OnlyJSON() *lead.Error {
	return &lead.Error{Kind: lead.NotAcceptable, Message: "Answers are JSON. Send Accept: application/json, text/event-stream."}
}

// NoLeadID refuses a look-up by a tool that names no request.
func NoLeadID() *lead.Error {
	return lead.InvalidField("lead_id", "lead_id is missing. Give the lead_id that the request returned, as a string.")
}
