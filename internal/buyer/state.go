package buyer

import "sort"

// states maps the first three digits of a ZIP code to its state: each row applies up to the next one. A few single ZIP codes
// lie across a border; a buyer that cares about those lists ZIP codes instead of states.
var states = []struct {
	from  int
	state string
}{
	{0, ""},
	{5, "NY"},
	{6, "PR"},
	{8, "VI"},
	{9, "PR"},
	{10, "MA"},
	{28, "RI"},
	{30, "NH"},
	{39, "ME"},
	{50, "VT"},
	{55, "MA"},
	{56, "VT"},
	{60, "CT"},
	{70, "NJ"},
	{90, "AE"},
	{99, ""},
	{100, "NY"},
	{150, "PA"},
	{197, "DE"},
	{200, "DC"},
	{201, "VA"},
	{202, "DC"},
	{206, "MD"},
	{220, "VA"},
	{247, "WV"},
	{269, ""},
	{270, "NC"},
	{290, "SC"},
	{300, "GA"},
	{320, "FL"},
	{340, "AA"},
	{341, "FL"},
	{350, "AL"},
	{370, "TN"},
	{386, "MS"},
	{398, "GA"},
	{400, "KY"},
	{428, ""},
	{430, "OH"},
	{460, "IN"},
	{480, "MI"},
	{500, "IA"},
	{529, ""},
	{530, "WI"},
	{550, "MN"},
	{568, ""},
	{569, "DC"},
	{570, "SD"},
	{578, ""},
	{580, "ND"},
	{589, ""},
	{590, "MT"},
	{600, "IL"},
	{630, "MO"},
	{659, ""},
	{660, "KS"},
	{680, "NE"},
	{694, ""},
	{700, "LA"},
	{715, ""},
	{716, "AR"},
	{730, "OK"},
	{733, "TX"},
	{734, "OK"},
	{750, "TX"},
	{800, "CO"},
	{817, ""},
	{820, "WY"},
	{832, "ID"},
	{839, ""},
	{840, "UT"},
	{848, ""},
	{850, "AZ"},
	{866, ""},
	{870, "NM"},
	{885, "TX"},
	{886, ""},
	{889, "NV"},
	{899, ""},
	{900, "CA"},
	{962, "AP"},
	{967, "HI"},
	{969, "GU"},
	{970, "OR"},
	{980, "WA"},
	{995, "AK"},
}

// pacificZIPs are ZIP codes in the Pacific that share their first three digits with another state or territory.
var pacificZIPs = []struct {
	from, to int
	state    string
}{{96799, 96800, "AS"}, {96939, 96941, "PW"}, {96941, 96945, "FM"}, {96950, 96953, "MP"}, {96960, 96961, "MH"}, {96970, 96971, "MH"}}

// stateOfPrefix returns the state of the ZIP codes that begin with three digits, or "".
func stateOfPrefix(prefix int) string {
	i := sort.Search(len(states), func(i int) bool { return states[i].from > prefix })
	return states[i-1].state
}

// StateOf returns the state of a ZIP code, or "".
func StateOf(zip string) string {
	n := zipNumber(zip)
	if n < 0 {
		return ""
	}
	for _, i := range pacificZIPs {
		if i.from <= n && n < i.to {
			return i.state
		}
	}
	return stateOfPrefix(n / 100)
}

// HasZIPs reports whether a state has ZIP codes.
func HasZIPs(state string) bool { return state != "" && statesSet([]string{state}).count() > 0 }
