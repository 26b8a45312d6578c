// Package edge is the HTTP frame around all handlers: handlers return errors, and this package turns them into responses. It
// owns request ids, the log line of a request, body limits, conditional responses, CORS and the only table from an error's kind
// to an HTTP status.
//
// It knows nothing of leads beyond their errors and how they arrived, and it never logs a URL, a header or a body.
package edge
