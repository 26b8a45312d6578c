package console

import "net/http"

// operation is one thing that the API can do. The table of operations feeds the routes, the checks, the reading of requests and the
// OpenAPI document.
type operation struct {
	method, path string
	id           string // operationId
	tag          string
	summary      string
	description  string

	write    bool // needs a token that may change things
	personal bool // needs a token with personal data
	sends    bool // sends messages and changes nothing, so that an idempotency key has no use
	created  bool // answers 201

	inPath, query, body []field
	answer              answer
	run                 func(c *call) (any, error)
}

// answer says what an operation answers with.
type answer struct {
	name   string // of its schema
	sample any    // an object with one of everything, from which the schema is made; nil for a file
	list   bool   // a page of them
}

// jsonBody is the type of bodies and answers.
const jsonBody = "application/json"

// prefix begins the addresses of all operations.
const prefix = "/v1/operator"

// keyed reports whether an operation can be repeated safely with an idempotency key.
func (o *operation) keyed() bool { return o.write && !o.sends }

func (o *operation) status() int {
	if o.created {
		return http.StatusCreated
	}
	return http.StatusOK
}
