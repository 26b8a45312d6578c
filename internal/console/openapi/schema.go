package openapi

import (
	"fmt"
	"reflect"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// enums are the types that have few values.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[lead.Status]():       operation.Texts(lead.Statuses),
	reflect.TypeFor[lead.Service]():      operation.Texts(lead.Services),
	reflect.TypeFor[lead.Mark]():         operation.Texts(lead.Marks),
	reflect.TypeFor[lead.ReturnCode]():   operation.Texts(lead.ReturnCodes),
	reflect.TypeFor[lead.Channel]():      operation.Texts([]lead.Channel{lead.ChannelJSON, lead.ChannelForm, lead.ChannelMCP}),
	reflect.TypeFor[buyer.State]():       operation.Texts([]buyer.State{buyer.Testing, buyer.Active, buyer.Paused, buyer.Off, buyer.Removed}),
	reflect.TypeFor[buyer.OfferState]():  operation.Texts(buyer.OfferStates),
	reflect.TypeFor[buyer.ReturnState](): operation.Texts([]buyer.ReturnState{buyer.ReturnWaiting, buyer.ReturnApproved, buyer.ReturnDenied}),
	reflect.TypeOf(store.TokenRead):      {string(store.TokenRead), string(store.TokenWrite)},
	reflect.TypeFor[source.State]():      operation.Texts([]source.State{source.Active, source.Blocked}),
}

// schemaOf makes the JSON Schema of what an operation answers from a sample of it: the code that writes an answer is its description.
// path names the sample, for the texts that describe its members.
func schemaOf(path string, sample any) wire.Object {
	switch v := sample.(type) {
	case wire.Object:
		return objectSchema(path, v)
	case *wire.Object:
		return nullable(objectSchema(path, *v))
	case []wire.Object:
		if len(v) == 0 {
			panic(path + ": a sample needs an element")
		}
		return wire.Object{{"type", "array"}, {"items", objectSchema(path, v[0])}}
	}
	return typeSchema(path, reflect.TypeOf(sample))
}

func objectSchema(path string, o wire.Object) wire.Object {
	if len(o) == 0 { // its members have no fixed names, and are numbers
		return wire.Object{{"type", "object"}, {"additionalProperties", wire.Object{{"type", "integer"}}}}
	}
	properties, names := wire.Object{}, []string{}
	for _, m := range o {
		name := m[0].(string)
		member := schemaOf(path+"."+name, m[1])
		if text := memberText(path, name); text != "" {
			member = append(member, wire.Member{"description", text})
		}
		properties, names = append(properties, wire.Member{name, member}), append(names, name)
	}
	return wire.Object{{"type", "object"}, {"properties", properties}, {"required", names}, {"additionalProperties", false}}
}

func typeSchema(path string, t reflect.Type) wire.Object {
	if t.Kind() == reflect.Pointer {
		return nullable(typeSchema(path, t.Elem()))
	}
	if t == reflect.TypeFor[time.Time]() {
		return wire.Object{{"type", "string"}, {"format", "date-time"}}
	}
	switch t.Kind() {
	case reflect.String:
		if values := enums[t]; values != nil {
			return wire.Object{{"type", "string"}, {"enum", values}}
		}
		return wire.Object{{"type", "string"}}
	case reflect.Bool:
		return wire.Object{{"type", "boolean"}}
	case reflect.Int, reflect.Int64:
		return wire.Object{{"type", "integer"}}
	case reflect.Float64:
		return wire.Object{{"type", "number"}}
	case reflect.Slice:
		return wire.Object{{"type", "array"}, {"items", typeSchema(path, t.Elem())}}
	}
	panic(fmt.Sprintf("%s: a %s has no schema", path, t))
}

// nullable returns a schema that also allows null.
func nullable(s wire.Object) wire.Object {
	return wire.Object{{"anyOf", []wire.Object{s, {{"type", "null"}}}}}
}
