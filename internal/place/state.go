package place

import "strings"

// stateNames are the names of the states, the District of Columbia, and the other places with codes of the Postal Service.
var stateNames = map[string]string{
	"AA": "Armed Forces Americas",
	"AE": "Armed Forces Europe",
	"AK": "Alaska",
	"AL": "Alabama",
	"AP": "Armed Forces Pacific",
	"AR": "Arkansas",
	"AS": "American Samoa",
	"AZ": "Arizona",
	"CA": "California",
	"CO": "Colorado",
	"CT": "Connecticut",
	"DC": "District of Columbia",
	"DE": "Delaware",
	"FL": "Florida",
	"GA": "Georgia",
	"GU": "Guam",
	"HI": "Hawaii",
	"IA": "Iowa",
	"ID": "Idaho",
	"IL": "Illinois",
	"IN": "Indiana",
	"KS": "Kansas",
	"KY": "Kentucky",
	"LA": "Louisiana",
	"MA": "Massachusetts",
	"MD": "Maryland",
	"ME": "Maine",
	"MI": "Michigan",
	"MN": "Minnesota",
	"MO": "Missouri",
	"MP": "Northern Mariana Islands",
	"MS": "Mississippi",
	"MT": "Montana",
	"NC": "North Carolina",
	"ND": "North Dakota",
	"NE": "Nebraska",
	"NH": "New Hampshire",
	"NJ": "New Jersey",
	"NM": "New Mexico",
	"NV": "Nevada",
	"NY": "New York",
	"OH": "Ohio",
	"OK": "Oklahoma",
	"OR": "Oregon",
	"PA": "Pennsylvania",
	"PR": "Puerto Rico",
	"RI": "Rhode Island",
	"SC": "South Carolina",
	"SD": "South Dakota",
	"TN": "Tennessee",
	"TX": "Texas",
	"UT": "Utah",
	"VA": "Virginia",
	"VI": "U.S. Virgin Islands",
	"VT": "Vermont",
	"WA": "Washington",
	"WI": "Wisconsin",
	"WV": "West Virginia",
	"WY": "Wyoming",
}

// StateName is the name of a state by its two-letter code, or "".
func StateName(code string) string { return stateNames[code] }

// StateCode finds the code of a state by its code or its name, in any case.
func StateCode(text string) (code string, known bool) {
	text = strings.TrimSpace(text)
	if code = strings.ToUpper(text); stateNames[code] != "" {
		return code, true
	}
	for code, name := range stateNames {
		if strings.EqualFold(name, text) {
			return code, true
		}
	}
	return "", false
}
