package buyer

// PassedOver is a buyer that was not asked, and why: the rule that kept the offer from it, and the same in words. The name
// is kept because the buyer may be gone by the time somebody reads the history.
type PassedOver struct {
	Buyer  string `json:"buyer"`
	Name   string `json:"name"`
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}
