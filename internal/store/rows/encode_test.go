package rows

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
)

// TestEncodingByHand compares the encoders with the general one, with no field set and with every field set.
func TestEncodingByHand(t *testing.T) {
	var empty, full struct {
		Job      lead.Job
		Contact  lead.Contact
		Evidence lead.Evidence
	}
	set(t, reflect.ValueOf(&full).Elem())
	for name, l := range map[string]*struct {
		Job      lead.Job
		Contact  lead.Contact
		Evidence lead.Evidence
	}{"empty": &empty, "full": &full} {
		for part, c := range map[string]struct {
			got  []byte
			from any
		}{
			"job":      {EncodeJob(nil, &l.Job), l.Job},
			"contact":  {EncodeContact(nil, &l.Contact), l.Contact},
			"evidence": {EncodeEvidence(nil, &l.Evidence), l.Evidence},
		} {
			want, err := json.Marshal(c.from)
			if err != nil || string(c.got) != string(want) {
				t.Errorf("%s, %s:\n got %s\nwant %s (%v)", part, name, c.got, want, err)
			}
		}
	}
}

// set sets every field of a struct to a nonzero value.
func set(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			set(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		set(t, v.Elem())
	case reflect.String:
		v.SetString("a \"quoted\" \\ text\n<é>\u2028😀")
	case reflect.Int:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Bool:
		v.SetBool(true)
	default:
		t.Fatalf("no value for a %s", v.Kind())
	}
}
