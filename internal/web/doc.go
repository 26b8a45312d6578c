// Package web serves the public pages: the form, the plumbing number, thanks, privacy, docs and llms.txt.
//
// It holds structure and style; catalog holds every text, and lead's field table defines every input. Pages are
// rendered once and served as bytes. The package stores nothing itself (the form posts to the intake, and privacy
// requests are passed to it), sets no cookies, loads nothing from other hosts, and works without scripts. What a person
// typed appears only in their own form.
package web
