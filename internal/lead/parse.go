package lead

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse reads a raw request, or tells every problem it has at once.
func Parse(raw *Raw) (*Request, *Error) {
	req := new(Request)
	if raw.unread != nil {
		return req, raw.unread
	}
	problems := raw.strayProblems()
	for i := range Fields {
		f := &Fields[i]
		given := raw.value(i)
		if given.form == absent && !f.Required {
			continue // the zero of a field is what was not given
		}
		v, t := f.read(given)
		if t != "" {
			problems = append(problems, f.problem(t))
			continue
		}
		f.put(req, v)
	}
	problems = append(problems, raw.mergeQuery(req)...)
	if missing := withoutConsent(raw, req); missing != nil {
		problems = append(problems, *missing)
	}
	if len(problems) > 0 {
		return new(Request), invalid(problems)
	}
	return req, nil
}

// value is what was given for a field, or what the slip says in its place.
func (r *Raw) value(i int) Value {
	if v := r.given[i]; r.spec.defaults[i] == "" || v.twice || !Fields[i].missing(v) {
		return v
	}
	return Typed(r.spec.defaults[i])
}

// withoutConsent refuses a request-form service that the person did not agree to be contacted about. It looks at what
// was said, so that a request with other problems is told of this one too. Where the service is not known, the sender hears
// which one would do without: a wrong service must not hide that nobody agreed.
func withoutConsent(raw *Raw, req *Request) *Problem {
	f := FieldNamed("consent_to_contact")
	said := raw.given[mustIndex(f.Name)]
	if _, t := f.read(said); t != "" || req.Consent || req.Service.Live() {
		return nil
	}
	t := problemText("false")
	if req.Service == "" {
		t = "false, which is enough for plumbing only"
	}
	p := f.problem(t)
	return &p
}

// mergeQuery lets a dry_run in the address count as much as one in the body: true in either is true.
func (r *Raw) mergeQuery(req *Request) []Problem {
	f := FieldNamed(DryRun)
	if text, _ := r.query.String(); r.query.form == typed && strings.TrimSpace(text) == "" {
		return []Problem{f.problem("blank in the address")}
	}
	v, t := f.read(r.query)
	if t != "" {
		return []Problem{f.problem(t + " in the address")}
	}
	req.DryRun = req.DryRun || v.yes
	return nil
}

func (r *Raw) strayProblems() []Problem {
	var problems []Problem
	for _, name := range r.strays {
		field, subject := name, name
		if !nameable(name) {
			field, subject = "unknown", "A member with an unusual name"
		}
		problems = append(problems, Problem{Field: field, Text: subject + " is not a field of " + r.spec.Name + ": " + r.spec.remedy(name)})
	}
	return problems
}

// read understands one value, or says what is the trouble with it.
func (f *Field) read(v Value) (parsed, problemText) {
	if v.twice {
		return parsed{}, "given more than once"
	}
	if f.missing(v) {
		if f.Required {
			return parsed{}, "missing"
		}
		return parsed{}, ""
	}
	switch f.Kind {
	case Text, Lines:
		return f.readText(v)
	case Choice:
		return f.readChoice(v)
	case Whole, Decimal:
		return f.readNumber(v)
	case Date:
		return f.readDate(v)
	default:
		return readYesNo(v)
	}
}

// missing says that nothing was given. A blank counts as nothing where a person may type one: in any form field, and in
// a JSON text. A blank JSON choice or date is a mistake worth telling.
func (f *Field) missing(v Value) bool {
	switch v.form {
	case absent, null:
		return true
	case typed:
		return strings.TrimSpace(v.text) == ""
	case quoted:
		return (f.Kind == Text || f.Kind == Lines) && strings.TrimSpace(v.text) == ""
	}
	return false
}

func (f *Field) readText(v Value) (parsed, problemText) {
	text, t := v.clean(f.Kind == Lines)
	if t != "" {
		return parsed{}, t
	}
	length := utf8.RuneCountInString(text)
	switch {
	case length < f.Min:
		return parsed{}, "too short"
	case f.Limited() && length > f.Max:
		return parsed{}, "too long"
	}
	if f.rule != nil {
		text, t = f.rule(text)
	}
	return parsed{text: text}, t
}

// clean trims a text, turns CRLF into LF and refuses what no text holds.
func (v Value) clean(lines bool) (string, problemText) {
	text, isText := v.String()
	if !isText {
		return "", wrongType(v, "text")
	}
	if !utf8.ValidString(text) {
		return "", "not valid UTF-8 text"
	}
	text = strings.TrimSpace(text)
	if lines {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	for _, c := range text {
		if unicode.IsControl(c) && !(lines && (c == '\n' || c == '\t')) {
			return "", "a control character in it"
		}
	}
	return text, ""
}

func (f *Field) readChoice(v Value) (parsed, problemText) {
	text, isText := v.String()
	if !isText {
		return parsed{}, wrongType(v, "text")
	}
	text = strings.TrimSpace(text)
	for _, c := range f.Choices {
		if c == text {
			return parsed{text: c}, ""
		}
	}
	return parsed{}, "not one of the choices"
}

func (f *Field) readDate(v Value) (parsed, problemText) {
	text, isText := v.String()
	if !isText {
		return parsed{}, wrongType(v, "a date in quotes")
	}
	text = strings.TrimSpace(text)
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return parsed{}, "not a date"
	}
	return parsed{text: text}, ""
}

func readYesNo(v Value) (parsed, problemText) {
	switch v.form {
	case boolean:
		return parsed{yes: v.text == "true"}, ""
	case typed:
		switch strings.ToLower(strings.TrimSpace(v.text)) {
		case "on", "yes", "true", "1": // a browser sends "on" for a checked box
			return parsed{yes: true}, ""
		case "off", "no", "false", "0":
			return parsed{yes: false}, ""
		}
		return parsed{}, "neither yes nor no"
	}
	return parsed{}, wrongType(v, "true or false")
}

// Yes says that a text is one of the ways a form says yes.
func Yes(text string) bool {
	v, t := readYesNo(Typed(text))
	return t == "" && v.yes
}

func wrongType(v Value, belongs string) problemText {
	return problemText(v.form.words() + " where " + belongs + " belongs")
}
