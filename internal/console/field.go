package console

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

type object = wire.Object

// kind is what a field holds.
type kind string

const (
	text   kind = "text"
	number kind = "number" // a whole one
	yesNo  kind = "yes or no"
	list   kind = "list"   // of texts, or one text with commas
	cents  kind = "cents"  // an amount of money
	prices kind = "prices" // an amount for each service
	moment kind = "time"   // RFC 3339
)

// field is one value of a request: in its path, its query or its body. It is described here once, for reading it and for the OpenAPI
// document.
type field struct {
	name     string
	kind     kind
	help     string
	required bool
	choices  []string
	min, max int // of a number, if max is not 0
	fallback any // the value if it is not given

	flag  string // the flag of the command line by which package operator names it
	index int    // where it is in an input of package operator
	empty string // how that writes null and an empty list
}

// values are the fields of a request that were given, by their names, and the fallbacks of the others.
type values map[string]any

func (v values) text(name string) string { s, _ := v[name].(string); return s }
func (v values) number(name string) int  { n, _ := v[name].(int); return n }
func (v values) flag(name string) bool   { b, _ := v[name].(bool); return b }
func (v values) list(name string) []string {
	l, _ := v[name].([]string)
	return l
}
func (v values) cents(name string) buyer.Cents { c, _ := v[name].(buyer.Cents); return c }
func (v values) time(name string) time.Time    { t, _ := v[name].(time.Time); return t }

// reader collects the values of a request, and everything that is wrong with them.
type reader struct {
	values   values
	problems []lead.Problem
}

func (in *reader) problem(name, format string, args ...any) {
	in.problems = append(in.problems, lead.Problem{Field: name, Text: name + ": " + fmt.Sprintf(format, args...) + "."})
}

// err returns all problems, or nil.
func (in *reader) err() error {
	if len(in.problems) == 0 {
		return nil
	}
	return lead.InvalidFields(in.problems)
}

// readQuery reads the fields of a query.
func (in *reader) readQuery(fields []field, query string) {
	given, err := url.ParseQuery(query)
	if err != nil {
		in.problems = append(in.problems, lead.Problem{Field: "query", Text: "The query of the address could not be read: send name=value pairs joined by &, percent-encoded."})
		return
	}
	for name, texts := range given {
		f := named(fields, name)
		switch {
		case f == nil:
			in.unknown(fields, name)
		case f.kind == list:
			in.values[name] = texts
		case len(texts) > 1:
			in.problem(name, "it is given %d times: send it once", len(texts))
		default:
			in.set(f, jsonOf(f.kind, texts[0]))
		}
	}
	in.complete(fields)
}

// jsonOf writes a value of a query as a body would: numbers and yes or no are as they are in JSON.
func jsonOf(k kind, given string) jsontext.Value {
	if k == number || k == yesNo || k == cents {
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

// readBody reads the members of a JSON object. Members of an object in it have names with a dot.
func (in *reader) readBody(fields []field, body []byte) {
	if len(strings.TrimSpace(string(body))) == 0 {
		body = []byte("{}")
	}
	if in.readMembers(fields, "", body) {
		in.complete(fields)
	}
}

// readMembers reports whether the body could be read at all.
func (in *reader) readMembers(fields []field, prefix string, body []byte) bool {
	err := wire.Members(body, func(name string, value jsontext.Value) {
		name = prefix + name
		f := named(fields, name)
		switch {
		case f != nil:
			in.set(f, value)
		case slices.ContainsFunc(fields, func(f field) bool { return strings.HasPrefix(f.name, name+".") }):
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
func (in *reader) complete(fields []field) {
	for _, f := range fields {
		if _, given := in.values[f.name]; given {
			continue
		}
		if f.fallback != nil {
			in.values[f.name] = f.fallback
		} else if f.required && f.flag == "" && !slices.ContainsFunc(in.problems, func(p lead.Problem) bool { return p.Field == f.name }) {
			in.problem(f.name, "it is missing. %s", strings.TrimSuffix(f.help, "."))
		}
	}
}

func named(fields []field, name string) *field {
	if i := slices.IndexFunc(fields, func(f field) bool { return f.name == name }); i >= 0 {
		return &fields[i]
	}
	return nil
}

func (in *reader) unknown(fields []field, name string) {
	known := []string{}
	outer, _, nested := strings.Cut(name, ".")
	for _, f := range fields {
		if !nested || strings.HasPrefix(f.name, outer+".") {
			known = append(known, f.name)
		}
	}
	takes := "This takes " + strings.Join(known, ", ")
	if len(known) == 0 {
		takes = "This takes no fields"
	}
	if personalFilters[name] {
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
func (in *reader) set(f *field, value jsontext.Value) {
	if value.Kind() == 'n' {
		if f.flag != "" && f.kind != yesNo { // null takes a term back
			in.values[f.name] = nil
		}
		return
	}
	v, want := f.parse(value)
	if want != "" {
		in.problem(f.name, "%s", want)
		return
	}
	in.values[f.name] = v
}

// parse reads a value that is not null. want says what is wanted instead, if it cannot be used.
func (f *field) parse(value jsontext.Value) (v any, want string) {
	switch f.kind {
	case number:
		n, err := strconv.Atoi(string(value))
		if err != nil || f.max != 0 && (n < f.min || n > f.max) {
			return nil, "send a whole number" + f.bounds()
		}
		return n, ""
	case yesNo:
		if k := value.Kind(); k == 't' || k == 'f' {
			return k == 't', ""
		}
		return nil, "send true or false"
	case cents:
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < int64(f.min) || n > int64(buyer.MaxAmount) {
			return nil, fmt.Sprintf("send an amount in cents, as a whole number from %d to %d, such as 4500", f.min, int64(buyer.MaxAmount))
		}
		return buyer.Cents(n), ""
	case list:
		return parseList(value)
	case prices:
		return parsePriceObject(value)
	case moment:
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
	case f.choices != nil && !slices.Contains(f.choices, s):
		return nil, "send one of " + strings.Join(f.choices, ", ")
	}
	return s, ""
}

func (f *field) bounds() string {
	if f.max == 0 {
		return ""
	}
	return fmt.Sprintf(" from %d to %d", f.min, f.max)
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
	given := make(map[string]int64)
	if value.Kind() != '{' || json.Unmarshal(value, &given) != nil {
		return nil, `send an object with a price in cents for each service, such as {"hvac": 4500}`
	}
	return given, ""
}

// schema is the JSON Schema of the field.
func (f *field) schema() object {
	var s object
	switch f.kind {
	case number:
		s = object{{"type", f.nullable("integer")}}
		if f.max != 0 {
			s = append(s, wire.Member{"minimum", f.min}, wire.Member{"maximum", f.max})
		}
	case yesNo:
		s = object{{"type", "boolean"}}
	case cents:
		s = object{{"type", f.nullable("integer")}, {"minimum", f.min}, {"maximum", int64(buyer.MaxAmount)}}
	case list:
		s = object{{"anyOf", []object{{{"type", "array"}, {"items", object{{"type", "string"}}}}, {{"type", f.nullable("string")}}}}}
	case prices:
		s = object{{"type", f.nullable("object")}, {"additionalProperties", object{{"type", "integer"}, {"minimum", 0}}}}
	case moment:
		s = object{{"type", "string"}, {"format", "date-time"}}
	default:
		s = object{{"type", f.nullable("string")}}
		if f.choices != nil {
			s = append(s, wire.Member{"enum", f.choices})
		}
	}
	if f.fallback != nil {
		s = append(s, wire.Member{"default", f.fallback})
	}
	return s
}

// nullable returns a type, together with null if that takes a term back.
func (f *field) nullable(name string) any {
	if f.flag == "" {
		return name
	}
	return []string{name, "null"}
}

// inputFields describes the fields of an input of package operator by its tags.
func inputFields[T any]() (fields []field) {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		f := field{flag: tag.Get("name"), index: i, help: tag.Get("api-help")}
		if f.flag == "" {
			f.flag = strings.ToLower(t.Field(i).Name)
		}
		if f.help == "" {
			f.help = flagNames.ReplaceAllStringFunc(tag.Get("help"), memberName)
		}
		parts := append(strings.Split(tag.Get("api"), ","), "", "", "")
		f.name, f.empty = memberName(f.flag), parts[2]
		if parts[1] != "" {
			f.name = parts[1]
		}
		switch f.kind = kind(parts[0]); t.Field(i).Type.Elem().Kind() {
		case reflect.Int:
			f.kind = number
		case reflect.Bool:
			f.kind = yesNo
		default:
			if f.kind == "" {
				f.kind = text
			}
		}
		fields = append(fields, f)
	}
	return fields
}

// flagNames matches the names of flags in a text.
var flagNames = regexp.MustCompile(`--[a-z][a-z-]*`)

// memberName is the name of a flag as the name of a member.
func memberName(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// fill writes the values that were given into an input of package operator.
func fill[T any](fields []field, v values) (in T) {
	to := reflect.ValueOf(&in).Elem()
	for _, f := range fields {
		value, given := v[f.name]
		if !given || f.flag == "" {
			continue
		}
		switch target := to.Field(f.index); target.Type().Elem().Kind() {
		case reflect.Int:
			n, given := value.(int)
			if !given {
				n, _ = strconv.Atoi(f.empty)
			}
			target.Set(reflect.ValueOf(&n))
		case reflect.Bool:
			b, _ := value.(bool)
			target.Set(reflect.ValueOf(&b))
		default:
			s := f.inputText(value)
			target.Set(reflect.ValueOf(&s))
		}
	}
	return in
}

// inputText is a value as the command line writes it.
func (f *field) inputText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		if len(v) > 0 {
			return strings.Join(v, ",")
		}
	case buyer.Cents:
		return dollars(int64(v))
	case map[string]int64:
		var list []string
		for service, price := range v {
			list = append(list, service+"="+dollars(price))
		}
		if slices.Sort(list); len(list) > 0 {
			return strings.Join(list, ",")
		}
	}
	if f.kind == cents || f.kind == prices {
		return "none"
	}
	return f.empty
}

// dollars writes cents as the command line does.
func dollars(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}
