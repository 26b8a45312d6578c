package catalog

import "foyer/internal/lead"

// The words of the form that are not in the field table.
const (
	FormWork     = "The work"
	FormHome     = "About the home"
	FormWhen     = "When"
	FormYou      = "About you"
	FormOptional = "optional"
	FormChoose   = "Choose one"
	FormNoAnswer = "No answer"
	FormYes      = "Yes"
	FormNo       = "No"

	// ProblemTitle stands before the title of a page that shows the form again.
	ProblemTitle = "Problem: "
)

var choiceLabels = map[string]map[string]string{
	"home_type": {
		"apartment":     "Apartment",
		"condo":         "Condo",
		"townhouse":     "Townhouse",
		"single_family": "Single-family house",
		"other":         "Another kind",
	},
	"frequency": {
		"one_time": "Once",
		"weekly":   "Every week",
		"biweekly": "Every two weeks",
		"monthly":  "Every month",
	},
}

// ChoiceLabel is a choice of a field in words for people. A choice that has none is shown as it is.
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
