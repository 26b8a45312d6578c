package console

import "slices"

// operations is everything that the API can do.
var operations = slices.Concat(leadOperations, buyerOperations, sourceOperations, returnOperations, statementOperations, reportOperations, suppressionOperations, privacyOperations, alertOperations, tokenOperations)

func operationOf(id string) *operation {
	i := slices.IndexFunc(operations, func(o operation) bool { return o.id == id })
	return &operations[i] // the ids are constants; TestFormsAreOperations reads each
}

// tags are the groups of operations, for the document.
func tags() (list []object) {
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
		list = append(list, object{{"name", t[0]}, {"description", t[1]}})
	}
	return list
}
