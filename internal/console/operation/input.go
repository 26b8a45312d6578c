package operation

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/buyer"
)

// InputFields describes the fields of an input of package operator by its tags.
func InputFields[T any]() (fields []Field) {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		f := Field{Flag: tag.Get("name"), index: i, Help: tag.Get("api-help"), Typed: strings.ReplaceAll(tag.Get("help"), "--", "")}
		if f.Flag == "" {
			f.Flag = strings.ToLower(t.Field(i).Name)
		}
		if f.Help == "" {
			f.Help = FlagNames.ReplaceAllStringFunc(tag.Get("help"), MemberName)
		}
		parts := append(strings.Split(tag.Get("api"), ","), "", "", "")
		f.Name, f.empty = MemberName(f.Flag), parts[2]
		if parts[1] != "" {
			f.Name = parts[1]
		}
		switch f.Kind = Kind(parts[0]); t.Field(i).Type.Elem().Kind() {
		case reflect.Int:
			f.Kind = Number
		case reflect.Bool:
			f.Kind = Boolean
		default:
			if f.Kind == "" {
				f.Kind = Text
			}
		}
		fields = append(fields, f)
	}
	return fields
}

// Fill writes the values that were given into an input of package operator.
func Fill[T any](fields []Field, v Values) (in T) {
	to := reflect.ValueOf(&in).Elem()
	for _, f := range fields {
		value, given := v[f.Name]
		if !given || f.Flag == "" {
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
func (f *Field) inputText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		if len(v) > 0 {
			return strings.Join(v, ",")
		}
	case buyer.Cents:
		return v.Decimal()
	case map[string]int64:
		var list []string
		for service, price := range v {
			list = append(list, service+"="+buyer.Cents(price).Decimal())
		}
		if slices.Sort(list); len(list) > 0 {
			return strings.Join(list, ",")
		}
	}
	if f.Kind == Cents || f.Kind == prices {
		return "none"
	}
	return f.empty
}
