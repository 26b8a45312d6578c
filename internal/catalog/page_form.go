package catalog

import "foyer/internal/lead"

// The texts of the form that are not in the field table.
const (
	FormWork     = "What do you need?"
	FormHome     = "About the home"
	FormWhen     = "When and how often"
	FormYou      = "How to reach you"
	FormAddress  = "Address"
	FormOptional = "optional"
	FormNoAnswer = "No answer"
	FormYes      = "Yes"
	FormNo       = "No"

	// ProblemTitle precedes the title of a page that shows the form again.
	ProblemTitle = "Problem: "
)

var choiceLabels = map[string]map[string]string{
	"home_type": {
		"apartment":     "Apartment",
		"condo":         "Condo",
		"townhouse":     "Townhouse",
		"single_family": "Single-family house",
		"other":         "Other",
	},
	"frequency": {
		"one_time": "Once",
		"weekly":   "Every week",
		"biweekly": "Every two weeks",
		"monthly":  "Every month",
	},
}

// ChoiceLabel returns the label of a field's choice. A choice without a label is shown as it is.
func ChoiceLabel(field, choice string) string {
	if s := lead.Service(choice); field == "service_type" && labels[s] != "" {
		if s.Live() {
			return Label(s) + " (you dial a number)"
		}
		return Label(s)
	}
	if label := choiceLabels[field][choice]; label != "" {
		return label
	}
	return choice
}
