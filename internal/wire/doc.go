// Package wire knows how requests and answers look on the wire: it reads JSON, forms and queries into a lead.Raw, writes
// JSON, and draws JSON Schemas of the field table.
//
// It decides nothing about a request. What is malformed is refused here, what is wrong is refused by lead.
package wire
