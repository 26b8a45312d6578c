// Package lead is the domain: the fields of a request, how they are parsed, what is decided about them, the statuses a lead
// can have and the errors that clients see.
//
// It is pure. It uses no clock, file, network or random source, and imports only the standard library. Time, ids and
// randomness are arguments.
package lead
