// Package operations is the table of everything that the operator's API can do: a row for each, with its fields, which token it needs, a
// sample of its answer, and the method of package operator that it calls. It has no rules of its own, knows no HTTP, and shows everything
// through package report.
package operations

import (
	"slices"

	"foyer/internal/console/operation"
	"foyer/internal/wire"
)

// All is everything that the API can do.
var All = slices.Concat(leadOperations, buyerOperations, sourceOperations, returnOperations, statementOperations, reportOperations, suppressionOperations, privacyOperations, alertOperations, tokenOperations)

// Named is the operation with an id.
func Named(id string) *operation.Operation {
	i := slices.IndexFunc(All, func(o operation.Operation) bool { return o.ID == id })
	return &All[i] // the ids are constants; TestFormsAreOperations reads each
}

// Tags are the groups of operations, for the document.
func Tags() (list []wire.Object) {
	for _, t := range [][2]string{
		{tagLeads, "Finding leads, and what to do about those that need it."},
		{tagBuyers, "Who buys leads, on which terms, and what they owe."},
		{tagSources, "Where leads come from, and what they cost."},
		{tagReturns, "Leads that buyers gave back."},
		{tagStatements, "What each buyer owes for a month."},
		{tagReports, "Leads, offers and money, counted."},
		{tagSuppressions, "Phone numbers whose owners asked not to be contacted."},
		{tagPrivacy, "People who asked for no more contact, or to be erased."},
		{tagToken, "The token that a program has."},
	} {
		list = append(list, wire.Object{{"name", t[0]}, {"description", t[1]}})
	}
	return list
}
