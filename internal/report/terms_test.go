package report

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/wire"
)

// TestEveryTermIsTold sets one term of a buyer after the other, and clears it where all others are set. The audit trail, the JSON and the text
// must tell the difference: a term that is added later must not be forgotten there.
func TestEveryTermIsTold(t *testing.T) {
	all := termsOf(reflect.TypeFor[buyer.Terms](), nil)
	var full buyer.Terms
	for _, term := range all {
		set(t, reflect.ValueOf(&full).Elem().FieldByIndex(term.Index))
	}
	tell := map[string]func(query.Summary) string{
		"the JSON": func(sum query.Summary) string { return string(wire.Marshal(Buyer(sum))) },
		"the text": func(sum query.Summary) string { return fmt.Sprint(BuyerFields(sum)) },
		"the audit trail": func(sum query.Summary) string {
			return fmt.Sprint(entered.ChangedTerms(buyer.Buyer{}, sum.Buyer))
		},
	}
	for _, term := range all {
		var only buyer.Terms
		set(t, reflect.ValueOf(&only).Elem().FieldByIndex(term.Index))
		others := full
		reflect.ValueOf(&others).Elem().FieldByIndex(term.Index).SetZero()
		for where, text := range tell {
			if text(summary(buyer.Terms{})) == text(summary(only)) && text(summary(full)) == text(summary(others)) {
				t.Errorf("%s does not tell of %s", where, term.Name)
			}
		}
	}
}

func summary(terms buyer.Terms) query.Summary {
	sum := query.Summary{Buyer: buyer.Buyer{Terms: terms}}
	for _, p := range terms.Periods(sum.At) {
		sum.Use = append(sum.Use, query.Use{Period: p.Name, Cap: p.Cap, MoneyCap: p.MoneyCap})
	}
	return sum
}

// termsOf lists the fields of a struct and of the structs within, with their indexes from the outermost.
func termsOf(terms reflect.Type, outer []int) (list []reflect.StructField) {
	for f := range terms.Fields() {
		f.Index = append(outer[:len(outer):len(outer)], f.Index...)
		if f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]() {
			list = append(list, termsOf(f.Type, f.Index)...)
		} else {
			list = append(list, f)
		}
	}
	return list
}

// set gives a field a value that is not zero.
func set(t *testing.T, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)))
		return
	case *buyer.Cents:
		v.Set(reflect.ValueOf(new(buyer.Cents(7_00))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("changed")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(9) // no default
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		v.Index(0).SetString("hvac")
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("hvac").Convert(v.Type().Key()), reflect.ValueOf(7).Convert(v.Type().Elem()))
	default:
		t.Fatalf("say here how to set a %s", v.Type())
	}
}
