package wire_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// wantSameResult checks that equivalent JSON and form bodies get the same result.
func wantSameResult(t *testing.T, typed, form *lead.Raw, other string) {
	t.Helper()
	fromJSON, refusedJSON := lead.Parse(typed)
	fromForm, refusedForm := lead.Parse(form)
	if !reflect.DeepEqual(fromJSON, fromForm) || !slices.Equal(summary(refusedJSON), summary(refusedForm)) {
		t.Fatalf("JSON %+v, %v\nform %+v, %v\nthe other way to say it: %s", fromJSON, summary(refusedJSON), fromForm, summary(refusedForm), other)
	}
}

// summary returns the kind of an error and the fields it names.
func summary(refusal *lead.Error) []string {
	if refusal == nil {
		return nil
	}
	fields := []string{string(refusal.Kind)}
	for _, p := range refusal.Problems {
		fields = append(fields, p.Field)
	}
	return fields
}

var ownWords = regexp.MustCompile(`^(This is not valid JSON: (it is not an object|a key is given more than once|something follows the JSON object|` +
	`it nests deeper than 32 levels|it has more than 200 members|it ends too early|look near byte [0-9]+)\. ` +
	`Send one JSON object with the fields of (the request|request_home_service|request_cleaning)\.` +
	`|The body looks like JSON but came as a form\. .*|The form could not be read: .*|The query of the address could not be read: .*)$`)

var identifier = regexp.MustCompile(`^[A-Za-z_-]{1,40}$`)

// wantNoEcho checks that an error repeats no input but names. Package lead tests the texts about values.
func wantNoEcho(t *testing.T, refusal *lead.Error) {
	t.Helper()
	if refusal.Kind != lead.Invalid || len(refusal.Problems) == 0 && !ownWords.MatchString(refusal.Message) {
		t.Fatalf("refused with %s, %q", refusal.Kind, refusal.Message)
	}
	for _, p := range refusal.Problems {
		f, known := fieldNamed(p.Field)
		switch {
		case known && strings.HasPrefix(p.Text, f.Label+": ") && strings.HasSuffix(p.Text, ". "+f.Wants+"."):
		case identifier.MatchString(p.Field) && strings.Contains(p.Text, " is not a field of "):
		default:
			t.Fatalf("%q is told %q", p.Field, p.Text)
		}
	}
}

func fieldNamed(name string) (*lead.Field, bool) {
	if !lead.Known(name) {
		return nil, false
	}
	return lead.FieldNamed(name), true
}

// formFromJSON converts a JSON body to a form if a form can express it: no text in place of a number, no blank choice, no
// exponent, nothing malformed.
func formFromJSON(body []byte) (form string, same bool) {
	same, count, seen := true, 0, map[string]bool{}
	err := wire.Members(body, func(name string, value jsontext.Value) {
		count++
		text, ok := typedText(name, value)
		same = same && ok && json.Valid(value) && !seen[name]
		seen[name] = true
		if value.Kind() != 'n' {
			form += "&" + url.QueryEscape(name) + "=" + url.QueryEscape(text)
		}
	})
	return strings.TrimPrefix(form, "&"), same && err == nil && count < 100
}

// typedText returns what a person would type for a JSON value.
func typedText(name string, value jsontext.Value) (string, bool) {
	text, isText := wire.Text(value)
	f, known := fieldNamed(name)
	switch {
	case !known:
		return "1", value.Kind() != '{' && value.Kind() != '['
	case value.Kind() == 'n':
		return "", true
	case f.Kind == lead.Text || f.Kind == lead.Lines:
		return text, isText
	case f.Kind == lead.Choice || f.Kind == lead.Date:
		return text, isText && strings.TrimSpace(text) != ""
	case f.Kind == lead.YesNo:
		return string(value), value.Kind() == 't' || value.Kind() == 'f'
	default:
		return string(value), value.Kind() == '0' && !strings.ContainsAny(string(value), "eE")
	}
}

// jsonFromForm converts a form to typed JSON. Repeated names stay repeated.
func jsonFromForm(form string) (document string, same bool) {
	if strings.HasPrefix(strings.TrimSpace(form), "{") || strings.Count(form, "&") > 100 {
		return "", false
	}
	type member struct{ name, value string }
	var members []member
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(form, "&") {
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(name)
		text, err2 := url.QueryUnescape(text)
		if err1 != nil || err2 != nil || !utf8.ValidString(name) || !utf8.ValidString(text) || seen[name] && !lead.Known(name) {
			return "", false
		}
		seen[name] = true
		quoted, _ := json.Marshal(name)
		members = append(members, member{name, string(quoted) + ":" + typedValue(name, text)})
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) }) // a form is read in this order
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.value
	}
	return "{" + strings.Join(texts, ",") + "}", true
}

// typedValue returns what a program would send for what a person typed. Anything unreadable is sent as text, which is
// neither a number nor a boolean.
func typedValue(name, text string) string {
	quoted, _ := json.Marshal(text)
	f, known := fieldNamed(name)
	switch {
	case !known || f.Kind == lead.Text || f.Kind == lead.Lines:
		return string(quoted)
	case strings.TrimSpace(text) == "":
		return "null"
	case f.Kind == lead.YesNo:
		return yesNo(text, string(quoted))
	case f.Kind == lead.Whole || f.Kind == lead.Decimal:
		return plainNumber(strings.TrimSpace(text), string(quoted))
	}
	return string(quoted)
}

func yesNo(text, otherwise string) string {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "on", "yes", "true", "1":
		return "true"
	case "off", "no", "false", "0":
		return "false"
	}
	return otherwise
}

var typedNumber = regexp.MustCompile(`^(-?)([0-9]*|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]*))?$`)

// plainNumber writes 1,200 and .5 and 007 in JSON notation.
func plainNumber(text, otherwise string) string {
	parts := typedNumber.FindStringSubmatch(text)
	if parts == nil || !strings.ContainsAny(text, "0123456789") {
		return otherwise
	}
	number := parts[1] + "0"
	if whole := strings.TrimLeft(strings.ReplaceAll(parts[2], ",", ""), "0"); whole != "" {
		number = parts[1] + whole
	}
	if parts[3] != "" {
		number += "." + parts[3]
	}
	return number
}
