package lead

import (
	"bytes"
	"strings"
	"unicode"
)

// zipRule requires exactly five digits. A ZIP+4 gets its own message, because the fix is different.
func zipRule(text string) (string, problemText) {
	switch {
	case len(text) == 5 && allDigits(text):
		return text, ""
	case zipPlusFour(text):
		return "", "more than five digits; send the first five digits only"
	}
	return "", "not five digits"
}

func zipPlusFour(text string) bool {
	text = strings.NewReplacer("-", "", " ", "").Replace(text)
	return len(text) == 9 && allDigits(text)
}

// notAPhone uses the wording of the published interface.
const notAPhone problemText = "not a 10-digit US number"

// phoneRule accepts the usual spellings of a US number and returns E.164. Whether the number can exist is a mark, not a
// rule.
func phoneRule(text string) (string, problemText) {
	number, plus := make([]byte, 0, 16), false
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			number = append(number, byte(c))
		case c == '+' && !plus && len(number) == 0:
			plus = true
		case strings.ContainsRune(" .-()\u00a0", c) || unicode.Is(unicode.Pd, c): // web pages contain other dashes and spaces
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
	if len(text) != 2 || !strings.Contains(stateCodes, " "+code+" ") { // the original length, because some letters of other scripts have an ASCII upper case
		return "", "not a US state code"
	}
	return code, ""
}

// stateCodes are the codes of the Postal Service: states, DC, territories and associated states, military regions.
const stateCodes = " AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY" +
	" DC AS GU MP PR VI FM MH PW AA AE AP "

// ZIP parses a ZIP code, and reports whether it is valid.
func ZIP(text string) (string, bool) {
	zip, wrong := zipRule(strings.TrimSpace(text))
	return zip, wrong == ""
}

// Email parses an email address, and reports whether it is valid.
func Email(text string) (string, bool) {
	address, wrong := emailRule(strings.TrimSpace(text))
	return address, wrong == ""
}

// Phone parses a US phone number into E.164, and reports whether it is valid.
func Phone(text string) (string, bool) {
	phone, wrong := phoneRule(strings.TrimSpace(text))
	return phone, wrong == ""
}
