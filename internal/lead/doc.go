// Package lead holds the words of the trade: the fields of a request, how they are read, what is decided about them,
// the statuses a lead can have and the errors a person can be told.
//
// It is pure. It reads no clock, no file, no network and no random source, and it imports only the standard library;
// time, ids and chance arrive as arguments.
package lead
