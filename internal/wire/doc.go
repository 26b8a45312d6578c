// Package wire is the format of requests and answers: it reads JSON, forms and queries into a lead.Raw, writes JSON, and
// generates JSON Schemas from the field table.
//
// It makes no decisions about a request. It refuses malformed input; package lead refuses invalid values.
package wire
