package store

import (
	"foyer/internal/lead"
	"foyer/internal/store/search"
)

// What is looked for, and what was found.
type (
	LeadFilter = search.Filter
	Span       = search.Span
	LeadPage   = search.Page
	FoundLead  = search.Found
	FoundLeads = search.Result
)

// ListedStatuses are the statuses that have an index of their leads.
var ListedStatuses = search.ListedStatuses

// FindLeads finds leads, newest first. key is that of the search index.
func (tx *Tx) FindLeads(f LeadFilter, key []byte, p LeadPage) (FoundLeads, error) {
	return search.Find(tx.conn, f, key, p)
}

// SearchTerms are what finds a person in the search index, for Erase: nil without a key.
func SearchTerms(key []byte, c lead.Contact) []int64 { return search.ContactTerms(key, c) }

// NotIndexed returns how many leads and attempts the search index lacks.
func (tx *Tx) NotIndexed() (int64, error) { return tx.number(search.BacklogQuery) }
