package lead

// Value is one field as it arrived, before anything is believed about it. The zero Value was not given.
type Value struct {
	form  form
	twice bool
	text  string
}

type form uint8

const (
	absent form = iota
	null
	boolean
	number
	quoted
	structure
	typed
)

// The makers of values: one for each type of JSON, and Typed for text from a form or a query.
func Null() Value           { return Value{form: null} }
func Structure() Value      { return Value{form: structure} }
func Number(s string) Value { return Value{form: number, text: s} }
func Quoted(s string) Value { return Value{form: quoted, text: s} }
func Typed(s string) Value  { return Value{form: typed, text: s} }

// Bool is the JSON value true or false.
func Bool(b bool) Value {
	if b {
		return Value{form: boolean, text: "true"}
	}
	return Value{form: boolean, text: "false"}
}

// String is the text of a JSON string or a form value, and whether the value is one.
func (v Value) String() (string, bool) {
	return v.text, v.form == quoted || v.form == typed
}

// words tell a sender what arrived, for "text where a number belongs".
func (f form) words() string {
	switch f {
	case boolean:
		return "true or false"
	case number:
		return "a number"
	case quoted, typed:
		return "text"
	default:
		return "a list or an object"
	}
}
