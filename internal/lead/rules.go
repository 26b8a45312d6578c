package lead

import (
	"bytes"
	"strings"
	"unicode"
)

// zipRule wants exactly five digits. A ZIP+4 gets its own words, because its remedy is different.
func zipRule(text string) (string, problemText) {
	switch {
	case len(text) == 5 && digits(text):
		return text, ""
	case zipPlusFour(text):
		return "", "more than five digits; send the first five digits only"
	}
	return "", "not five digits"
}

func zipPlusFour(text string) bool {
	text = strings.NewReplacer("-", "", " ", "").Replace(text)
	return len(text) == 9 && digits(text)
}

// notAPhone is said in the words of the published interface.
const notAPhone problemText = "not a 10-digit US number"

// phoneRule takes the ways US numbers are written and keeps E.164. Whether the number can exist is a mark, not a rule.
func phoneRule(text string) (string, problemText) {
	number, plus := make([]byte, 0, 16), false
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			number = append(number, byte(c))
		case c == '+' && !plus && len(number) == 0:
			plus = true
		case strings.ContainsRune(" .-()\u00a0", c) || unicode.Is(unicode.Pd, c): // pages print other dashes and spaces
		default:
			return "", notAPhone
		}
	}
	if plus || len(number) == 11 {
		var one bool
		if number, one = bytes.CutPrefix(number, []byte("1")); !one {
			return "", notAPhone
		}
	}
	if len(number) != 10 {
		return "", notAPhone
	}
	return "+1" + string(number), ""
}

func emailRule(text string) (string, problemText) {
	local, domain, found := strings.Cut(text, "@")
	if !found || local == "" || domain == "" || strings.Contains(domain, "@") || strings.ContainsFunc(text, unicode.IsSpace) {
		return "", "not an email address"
	}
	return text, ""
}

func stateRule(text string) (string, problemText) {
	code := strings.ToUpper(text)
	if len(text) != 2 || !strings.Contains(usps, " "+code+" ") { // the length as given: other scripts have letters that are raised to ours
		return "", "not a US state code"
	}
	return code, ""
}

// usps are the codes of the Postal Service: states, DC, territories and associated states, military regions.
const usps = " AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY" +
	" DC AS GU MP PR VI FM MH PW AA AE AP "

// ZIP reads a ZIP code, and says whether it is one.
func ZIP(text string) (string, bool) {
	zip, t := zipRule(strings.TrimSpace(text))
	return zip, t == ""
}

// Email reads an e-mail address, and says whether it is one.
func Email(text string) (string, bool) {
	address, t := emailRule(strings.TrimSpace(text))
	return address, t == ""
}

// Phone reads a US phone number into E.164, and says whether it is one.
func Phone(text string) (string, bool) {
	phone, t := phoneRule(strings.TrimSpace(text))
	return phone, t == ""
}
