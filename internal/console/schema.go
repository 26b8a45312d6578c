package console

import (
	"fmt"
	"reflect"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// enums are the types that have few values.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[lead.Status]():       texts(lead.Statuses),
	reflect.TypeFor[lead.Service]():      texts(lead.Services),
	reflect.TypeFor[lead.Mark]():         texts(lead.Marks),
	reflect.TypeFor[lead.ReturnCode]():   texts(lead.ReturnCodes),
	reflect.TypeFor[lead.Channel]():      texts([]lead.Channel{lead.ChannelJSON, lead.ChannelForm, lead.ChannelMCP}),
	reflect.TypeFor[buyer.State]():       texts([]buyer.State{buyer.Testing, buyer.Active, buyer.Paused, buyer.Off, buyer.Removed}),
	reflect.TypeFor[buyer.OfferState]():  texts(buyer.OfferStates),
	reflect.TypeFor[buyer.ReturnState](): texts([]buyer.ReturnState{buyer.ReturnWaiting, buyer.ReturnApproved, buyer.ReturnDenied}),
	reflect.TypeOf(store.TokenRead):      {string(store.TokenRead), string(store.TokenWrite)},
	reflect.TypeFor[source.State]():      texts([]source.State{source.Active, source.Blocked}),
}

// schemaOf makes the JSON Schema of what an operation answers from a sample of it: the code that writes an answer is its description.
// path names the sample, for the texts that describe its members.
func schemaOf(path string, sample any) object {
	switch v := sample.(type) {
	case wire.Object:
		return objectSchema(path, v)
	case *wire.Object:
		return nullable(objectSchema(path, *v))
	case []wire.Object:
		if len(v) == 0 {
			panic(path + ": a sample needs an element")
		}
		return object{{"type", "array"}, {"items", objectSchema(path, v[0])}}
	}
	return typeSchema(path, reflect.TypeOf(sample))
}

func objectSchema(path string, o wire.Object) object {
	if len(o) == 0 { // its members have no fixed names, and are numbers
		return object{{"type", "object"}, {"additionalProperties", object{{"type", "integer"}}}}
	}
	properties, names := object{}, []string{}
	for _, m := range o {
		name := m[0].(string)
		member := schemaOf(path+"."+name, m[1])
		if text := memberText(path, name); text != "" {
			member = append(member, wire.Member{"description", text})
		}
		properties, names = append(properties, wire.Member{name, member}), append(names, name)
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", names}, {"additionalProperties", false}}
}

func typeSchema(path string, t reflect.Type) object {
	if t.Kind() == reflect.Pointer {
		return nullable(typeSchema(path, t.Elem()))
	}
	if t == reflect.TypeFor[time.Time]() {
		return object{{"type", "string"}, {"format", "date-time"}}
	}
	switch t.Kind() {
	case reflect.String:
		if values := enums[t]; values != nil {
			return object{{"type", "string"}, {"enum", values}}
		}
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Int, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Slice:
		return object{{"type", "array"}, {"items", typeSchema(path, t.Elem())}}
	}
	panic(fmt.Sprintf("%s: a %s has no schema", path, t))
}

// nullable returns a schema that also allows null.
func nullable(s object) object { return object{{"anyOf", []object{s, {{"type", "null"}}}}} }
