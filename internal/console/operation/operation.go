// Package operation is what every operation of the operator's API is made of: its fields, how they are read from JSON, a query or a form,
// who calls it, the pages of lists, and how refusals read to a client.
//
// A field is described once, for reading it, for its form and for the OpenAPI document. What there is to do is in package operations.
package operation

import (
	"net/http"
	"slices"

	"foyer/internal/wire"
)

// Operation is one thing that the API can do. The table of operations feeds the routes, the checks, the reading of requests and the
// OpenAPI document.
type Operation struct {
	Method, Path string
	ID           string // operationId
	Tag          string
	Summary      string
	Description  string

	Write    bool // needs a token that may change things
	Personal bool // needs a token with personal data
	Sends    bool // sends messages and changes nothing, so that an idempotency key has no use
	Created  bool // answers 201

	InPath, Query, Body []Field
	Answer              Answer
	Run                 func(c *Call) (any, error)
}

// Answer says what an operation answers with.
type Answer struct {
	Name   string // of its schema
	Sample any    // an object with one of everything, from which the schema is made; nil for a file
	List   bool   // a page of them
	Unkept string // a member that may name a person: it is not kept for a repeat of the answer, which has null there
}

// Kept is what is kept of an answer. Whoever erases a person must not have to look for what names them among the answers.
func (a Answer) Kept(result any) any {
	object, isObject := result.(wire.Object)
	if !isObject || a.Unkept == "" {
		return result
	}
	kept := slices.Clone(object)
	for i, m := range kept {
		if m[0] == a.Unkept {
			kept[i][1] = nil
		}
	}
	return kept
}

// JSONBody is the type of bodies and answers.
const JSONBody = "application/json"

// Prefix begins the addresses of all operations.
const Prefix = "/v1/operator"

// Keyed reports whether an operation can be repeated safely with an idempotency key.
func (o *Operation) Keyed() bool { return o.Write && !o.Sends }

// Status is the status of an answer that went well.
func (o *Operation) Status() int {
	if o.Created {
		return http.StatusCreated
	}
	return http.StatusOK
}
