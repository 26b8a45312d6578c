package operation

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/wire"
)

// Values are the fields of a request that were given, by their names, and the fallbacks of the others.
type Values map[string]any

func (v Values) Text(name string) string { s, _ := v[name].(string); return s }
func (v Values) Number(name string) int  { n, _ := v[name].(int); return n }
func (v Values) Flag(name string) bool   { b, _ := v[name].(bool); return b }
func (v Values) List(name string) []string {
	l, _ := v[name].([]string)
	return l
}
func (v Values) Cents(name string) buyer.Cents { c, _ := v[name].(buyer.Cents); return c }
func (v Values) Time(name string) time.Time    { t, _ := v[name].(time.Time); return t }

// Reader collects the values of a request, and everything that is wrong with them.
type Reader struct {
	Values   Values
	problems []lead.Problem
	Clock    entered.Clock // of times that a form has
}

func (in *Reader) problem(name, format string, args ...any) {
	in.problems = append(in.problems, lead.Problem{Field: name, Text: name + ": " + fmt.Sprintf(format, args...) + "."})
}

// Err returns all problems, or nil.
func (in *Reader) Err() error {
	if len(in.problems) == 0 {
		return nil
	}
	return lead.InvalidFields(in.problems)
}

// ReadQuery reads the fields of a query.
func (in *Reader) ReadQuery(fields []Field, query string) {
	given, err := url.ParseQuery(query)
	if err != nil {
		in.problems = append(in.problems, lead.Problem{Field: "query", Text: "The query of the address could not be read: send name=value pairs joined by &, percent-encoded."})
		return
	}
	for name, texts := range given {
		f := Named(fields, name)
		switch {
		case f == nil:
			in.unknown(fields, name)
		case f.Kind == List:
			in.Values[name] = texts
		case len(texts) > 1:
			in.problem(name, "it is given %d times: send it once", len(texts))
		default:
			in.set(f, jsonOf(f.Kind, texts[0]))
		}
	}
	in.complete(fields)
}

// jsonOf writes a value of a query as a body would: numbers and yes or no are as they are in JSON.
func jsonOf(k Kind, given string) jsontext.Value {
	if k == Number || k == Boolean || k == Cents {
		if v := jsontext.Value(strings.TrimSpace(given)); v.IsValid() {
			return v
		}
	}
	quoted, err := jsontext.AppendQuote(nil, given)
	if err != nil { // not UTF-8
		return jsontext.Value(`""`)
	}
	return quoted
}

// ReadBody reads the members of a JSON object. Members of an object in it have names with a dot.
func (in *Reader) ReadBody(fields []Field, body []byte) {
	if len(strings.TrimSpace(string(body))) == 0 {
		body = []byte("{}")
	}
	if in.readMembers(fields, "", body) {
		in.complete(fields)
	}
}

// readMembers reports whether the body could be read at all.
func (in *Reader) readMembers(fields []Field, prefix string, body []byte) bool {
	err := wire.Members(body, func(name string, value jsontext.Value) {
		name = prefix + name
		f := Named(fields, name)
		switch {
		case f != nil:
			in.set(f, value)
		case slices.ContainsFunc(fields, func(f Field) bool { return strings.HasPrefix(f.Name, name+".") }):
			if value.Kind() != '{' {
				in.problem(name, "send an object")
				return
			}
			in.readMembers(fields, name+".", value)
		default:
			in.unknown(fields, name)
		}
	})
	if err != nil {
		in.problems = append(in.problems, lead.Problem{Field: "body", Text: "The body is not a JSON object, or a member is given twice: send one object such as {}."})
	}
	return err == nil
}

// complete adds fallbacks, and names what is missing. What package operator reads, it misses itself.
func (in *Reader) complete(fields []Field) {
	for _, f := range fields {
		if _, given := in.Values[f.Name]; given {
			continue
		}
		if f.DefaultValue != nil {
			in.Values[f.Name] = f.DefaultValue
		} else if f.Required && f.Flag == "" && !slices.ContainsFunc(in.problems, func(p lead.Problem) bool { return p.Field == f.Name }) {
			in.problem(f.Name, "it is missing. %s", strings.TrimSuffix(f.Help, "."))
		}
	}
}

// Named is the field with a name, or nil.
func Named(fields []Field, name string) *Field {
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); i >= 0 {
		return &fields[i]
	}
	return nil
}

func (in *Reader) unknown(fields []Field, name string) {
	known := []string{}
	outer, _, nested := strings.Cut(name, ".")
	for _, f := range fields {
		if !nested || strings.HasPrefix(f.Name, outer+".") {
			known = append(known, f.Name)
		}
	}
	takes := "This takes " + strings.Join(known, ", ")
	if len(known) == 0 {
		takes = "This takes no fields"
	}
	if PersonalFilters[name] {
		takes = "What is personal does not belong into an address: send it in the body of POST " + Prefix + "/leads/search"
	}
	if !plainName.MatchString(name) { // it may be a value, and personal
		name = "unknown"
	}
	in.problem(name, "there is no such field here. %s", takes)
}

// plainName matches names that can be repeated to a client.
var plainName = regexp.MustCompile(`^[a-zA-Z_.-]{1,40}$`)

// set reads a value.
func (in *Reader) set(f *Field, value jsontext.Value) {
	if value.Kind() == 'n' {
		if f.Flag != "" && f.Kind != Boolean { // null takes a term back
			in.Values[f.Name] = nil
		}
		return
	}
	v, want := f.parse(value)
	if want != "" {
		in.problem(f.Name, "%s", want)
		return
	}
	in.Values[f.Name] = v
}

// parse reads a value that is not null. want says what is wanted instead, if it cannot be used.
func (f *Field) parse(value jsontext.Value) (v any, want string) {
	switch f.Kind {
	case Number:
		n, err := strconv.Atoi(string(value))
		if err != nil || f.Max != 0 && (n < f.Min || n > f.Max) {
			return nil, "send a whole number" + f.bounds()
		}
		return n, ""
	case Boolean:
		if k := value.Kind(); k == 't' || k == 'f' {
			return k == 't', ""
		}
		return nil, "send true or false"
	case Cents:
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < int64(f.Min) || n > int64(buyer.MaxAmount) {
			return nil, fmt.Sprintf("send an amount in cents, as a whole number from %d to %d, such as 4500", f.Min, int64(buyer.MaxAmount))
		}
		return buyer.Cents(n), ""
	case List:
		return parseList(value)
	case prices:
		return parsePriceObject(value)
	case Timestamp:
		s, ok := wire.Text(value)
		at, err := time.Parse(time.RFC3339, s)
		if !ok || err != nil {
			return nil, "send a time such as 2026-11-05T08:30:00Z"
		}
		return at, ""
	}
	s, ok := wire.Text(value)
	if value.Kind() == '0' { // a number of days, for example
		s, ok = string(value), true
	}
	switch {
	case !ok:
		return nil, "send a text"
	case f.Choices != nil && !slices.Contains(f.Choices, s):
		return nil, "send one of " + strings.Join(f.Choices, ", ")
	}
	return s, ""
}

func (f *Field) bounds() string {
	if f.Max == 0 {
		return ""
	}
	return fmt.Sprintf(" from %d to %d", f.Min, f.Max)
}

func parseList(value jsontext.Value) (any, string) {
	const want = "send a list of texts, or one text with commas between them"
	if s, ok := wire.Text(value); ok {
		return []string{s}, ""
	}
	elements, err := wire.Elements(value)
	if err != nil || value.Kind() != '[' {
		return nil, want
	}
	texts := make([]string, len(elements))
	for i, e := range elements {
		s, ok := wire.Text(e)
		if !ok {
			return nil, want
		}
		texts[i] = s
	}
	return texts, ""
}

func parsePriceObject(value jsontext.Value) (any, string) {
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && n >= 0 && n <= int64(buyer.MaxAmount) { // one for all services
		return buyer.Cents(n), ""
	}
	given := make(map[string]int64)
	if value.Kind() != '{' || json.Unmarshal(value, &given) != nil {
		return nil, `send a price in cents for all services, such as 4500, or an object with one for each, such as {"hvac": 4500}`
	}
	return given, ""
}
