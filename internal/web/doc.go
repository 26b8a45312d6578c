// Package web is the public pages: the form, the plumbing number, thanks, privacy, docs and llms.txt.
//
// It holds structure and looks; every word is catalog's, and every input is drawn from lead's field table. Pages are
// written once and served as bytes. It takes no requests in (the form posts to the intake, and wishes are handed on to it),
// sets no cookies, loads nothing from elsewhere, needs no script to work, and puts nothing a person typed anywhere but back
// into their own form.
package web
