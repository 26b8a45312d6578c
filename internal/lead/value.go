package lead

// Value is one field as it arrived, before validation. The zero Value means not given.
type Value struct {
	kind     valueKind
	repeated bool
	text     string
}

type valueKind uint8

const (
	absent valueKind = iota
	null
	boolean
	number
	quoted
	structure
	typed
)

// Constructors of values: one for each JSON type, and Typed for text from a form or a query.
func Null() Value           { return Value{kind: null} }
func Structure() Value      { return Value{kind: structure} }
func Number(s string) Value { return Value{kind: number, text: s} }
func Quoted(s string) Value { return Value{kind: quoted, text: s} }
func Typed(s string) Value  { return Value{kind: typed, text: s} }

// Bool returns the JSON value true or false.
func Bool(b bool) Value {
	if b {
		return Value{kind: boolean, text: "true"}
	}
	return Value{kind: boolean, text: "false"}
}

// String returns the text of a JSON string or a form value, and whether the value is one.
func (v Value) String() (string, bool) {
	return v.text, v.kind == quoted || v.kind == typed
}

// describe names the kind in a message, such as "text where a number belongs".
func (k valueKind) describe() string {
	switch k {
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
