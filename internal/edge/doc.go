// Package edge is the frame of every door: handlers return errors, and this package turns them into answers. It owns
// request ids, the log line of a request, body limits, conditional answers, CORS and the only table from an error's kind
// to an HTTP status.
//
// It knows nothing of leads beyond their errors and how they came, and it never logs a URL, a header or a body.
package edge
