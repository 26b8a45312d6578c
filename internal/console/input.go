package console

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/buyer"
)

// inputFields describes the fields of an input of package operator by its tags.
func inputFields[T any]() (fields []field) {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		f := field{flag: tag.Get("name"), index: i, help: tag.Get("api-help"), typed: strings.ReplaceAll(tag.Get("help"), "--", "")}
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
			f.kind = boolean
		default:
			if f.kind == "" {
				f.kind = text
			}
		}
		fields = append(fields, f)
	}
	return fields
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
	if f.kind == cents || f.kind == prices {
		return "none"
	}
	return f.empty
}
