package lead_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"foyer/internal/lead"
)

// FuzzParse checks the parser with the three input specs: it is deterministic, errors repeat no input, requests are within
// bounds, and a parsed request that is sent again parses to the same request.
func FuzzParse(f *testing.F) {
	for spec := range byte(3) {
		f.Add(spec, "aqhvac|bq33139|oqPat Example|pq305-555-0123|rbt", "")
		f.Add(spec, "atplumbing|bt33139|otPat Example|pt(305) 555-0123|rtoff|ttyes", "1")
		f.Add(spec, "bq33139|oqPat Example|pq+13055550123|rbt|fn2|gn1.5|hn1.2e3|lq2027-02-28|mbf|dqfl|qqpat@example.com", "no")
		f.Add(spec, "bt33139-0001|ft1,200|gt.5|ht-0|lt2027-02-30|mtmaybe|rt on |qt@", "\x00")
		f.Add(spec, "a0|bs|cn1|rbt|rb|tq|~qdryRun|~qbudget|~q305 555 0123", "")
		f.Add(spec, "oq\u202ePat\u0000|nqone\r\ntwo\tthree|nt\u2028|jq |dt\u0131d|eq\xff", " ")
	}
	f.Fuzz(func(t *testing.T, which byte, script, query string) {
		spec := []*lead.InputSpec{lead.IntakeInput, lead.ToolInput, lead.CleaningInput}[which%3]
		req, refusal := lead.Parse(rawFromScript(spec, script, query))
		if again, refusedAgain := lead.Parse(rawFromScript(spec, script, query)); !reflect.DeepEqual(req, again) || !reflect.DeepEqual(refusal, refusedAgain) {
			t.Fatalf("first %+v, %+v\nthen %+v, %+v", req, refusal, again, refusedAgain)
		}
		if refusal != nil {
			wantOnlyOwnTexts(t, spec, refusal)
			if *req != (lead.Request{}) {
				t.Fatalf("something is left of a refused request: %+v", req)
			}
			return
		}
		wantWithinBounds(t, req)
		for _, typed := range []bool{false, true} {
			again, refusal := lead.Parse(resend(req, typed))
			if refusal != nil || !reflect.DeepEqual(req, again) {
				t.Fatalf("sent again (as a form: %t)\nfirst %+v\nthen %+v, %+v", typed, req, again, refusal)
			}
		}
	})
}

// rawFromScript builds a raw request from a list of members: a letter for the field, a letter for the type, and the value.
// A letter beyond the table means an unknown name, which is the value.
func rawFromScript(spec *lead.InputSpec, script, query string) *lead.Raw {
	raw := spec.New()
	for line := range strings.SplitSeq(script, "|") {
		if len(line) < 2 {
			continue
		}
		value := scriptValue(line[1], line[2:])
		if i := int(line[0]) - 'a'; i >= 0 && i < len(lead.Fields) {
			raw.Set(lead.Fields[i].Name, value)
		} else {
			raw.Set(line[2:], value)
		}
	}
	if query != "" {
		raw.SetQuery(lead.DryRun, lead.Typed(query))
	}
	return raw
}

func scriptValue(kind byte, text string) lead.Value {
	switch kind {
	case 'q':
		return lead.Quoted(text)
	case 't':
		return lead.Typed(text)
	case 'b':
		return lead.Bool(text != "")
	case 's':
		return lead.Structure()
	case 'n':
		if n := json.Number(text); json.Valid([]byte(text)) && strings.Trim(text, "0123456789.eE+-") == "" {
			return lead.Number(n.String())
		}
	}
	return lead.Null()
}

// resend writes a parsed request again, as JSON values or as a form.
func resend(req *lead.Request, typed bool) *lead.Raw {
	raw := lead.IntakeInput.New()
	for name, find := range valueOf {
		text, value := "", lead.Value{}
		switch v := find(req).(type) {
		case nil:
			continue
		case string:
			text, value = v, lead.Quoted(v)
		case bool:
			text, value = strconv.FormatBool(v), lead.Bool(v)
		case int:
			text, value = strconv.Itoa(v), lead.Number(strconv.Itoa(v))
		case float64:
			text = strconv.FormatFloat(v, 'f', -1, 64)
			value = lead.Number(text)
		}
		switch {
		case text == "": // left out
		case typed:
			raw.Set(name, lead.Typed(text))
		default:
			raw.Set(name, value)
		}
	}
	return raw
}
