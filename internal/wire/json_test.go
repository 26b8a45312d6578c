package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

func TestJSONAccepted(t *testing.T) {
	for name, body := range map[string]string{
		"shortest":             complete + `}`,
		"blanks around":        " \n\t" + complete + "}\r\n ",
		"unknown members":      complete + `,"utm_source":"x","extra":{"a":[1,2,{"b":null}]}}`,
		"an escaped name":      strings.Replace(complete, `"zip_code"`, `"zip_\u0063ode"`, 1) + `}`,
		"a surrogate pair":     complete + `,"notes":"\ud83d\ude00"}`,
		"null in optional":     complete + `,"city":null,"frequency":null,"dry_run":null}`,
		"number with fraction": complete + `,"bedrooms":3.0}`,
	} {
		t.Run(name, func(t *testing.T) {
			if req := wantAccepted(t, readJSON(body)); req.ZIP != "33139" || req.Service != lead.HVAC || !req.Consent {
				t.Errorf("got %+v", req)
			}
		})
	}
}

func TestJSONTypesReachTheFields(t *testing.T) {
	req := wantAccepted(t, readJSON(complete+`,"bedrooms":2e0,"bathrooms":1.5,"square_feet":1200,"flexible_dates":false,"notes":"a\r\nb","dry_run":true}`))
	if *req.Home.Bedrooms != 2 || *req.Home.Bathrooms != 1.5 || *req.Home.SquareFeet != 1200 || req.FlexibleDates || req.Contact.Notes != "a\nb" || !req.DryRun {
		t.Errorf("got %+v", req)
	}
	for body, field := range map[string]string{
		`,"bedrooms":"2"}`: "bedrooms", `,"bedrooms":true}`: "bedrooms", `,"city":5}`: "city", `,"notes":["a"]}`: "notes",
		`,"flexible_dates":"true"}`: "flexible_dates", `,"home_type":{}}`: "home_type", `,"bathrooms":1e400}`: "bathrooms",
	} {
		wantProblem(t, readJSON(complete+body), field, lead.FieldNamed(field).Label+": ")
	}
}

func TestMalformedJSON(t *testing.T) {
	for name, c := range map[string]struct{ body, words string }{
		"empty":                      {"", "it ends too early"},
		"blank":                      {" \n", "it ends too early"},
		"cut off":                    {complete, "it ends too early"},
		"cut off in a text":          {`{"city":"Mia`, "it ends too early"},
		"a list":                     {`[` + complete + `}]`, "is not an object"},
		"a text":                     {`"hello"`, "is not an object"},
		"a number":                   {`5`, "is not an object"},
		"null":                       {`null`, "is not an object"},
		"a form":                     {completeForm, "look near byte"},
		"a byte order mark":          {"\xef\xbb\xbf" + complete + "}", "look near byte"},
		"a second object":            {complete + `}{}`, "something follows"},
		"text behind":                {complete + `} x`, "something follows"},
		"a brace behind":             {complete + `}}`, "something follows"},
		"a comma at the end":         {complete + `,}`, "look near byte"},
		"a comment":                  {complete + `/* */}`, "look near byte"},
		"single quotes":              {`{'zip_code':'33139'}`, "look near byte"},
		"a name without quotes":      {`{zip_code:"33139"}`, "look near byte"},
		"a number with zero ahead":   {complete + `,"bedrooms":02}`, "look near byte"},
		"bad UTF-8 in a name":        {complete + ",\"\xff\":1}", "look near byte"},
		"bad UTF-8 deeper":           {complete + ",\"extra\":[\"\xff\"]}", "look near byte"},
		"an unknown key twice":       {complete + `,"x":1,"x":1}`, "a key is given more than once"},
		"an escaped key twice":       {complete + `,"x":1,"\u0078":1}`, "a key is given more than once"},
		"a key twice deeper":         {complete + `,"extra":{"a":1,"a":1}}`, "a key is given more than once"},
		"a key twice in a list":      {complete + `,"extra":[{"a":1,"a":1}]}`, "a key is given more than once"},
		"a key twice under a field":  {complete + `,"city":{"a":1,"a":1}}`, "a key is given more than once"},
		"a known key twice, deeper":  {complete + `,"extra":{"zip_code":1,"zip_code":1}}`, "a key is given more than once"},
		"deeper than a decoder goes": {complete + `,"extra":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) { wantMalformed(t, readJSON(c.body), c.words) })
	}
}

// TestMalformedFields checks that a syntax error inside a field is reported for that field, as for a form.
func TestMalformedFields(t *testing.T) {
	for name, body := range map[string]string{
		"NaN":                       complete + `,"bedrooms":NaN}`,
		"bad UTF-8":                 complete + ",\"notes\":\"\xff\"}",
		"a lone high surrogate":     complete + `,"notes":"\ud800"}`,
		"a lone low surrogate":      complete + `,"notes":"\udc00"}`,
		"surrogates in wrong order": complete + `,"notes":"\ude00\ud83d"}`,
		"a raw newline in a text":   complete + ",\"notes\":\"a\nb\"}",
	} {
		t.Run(name, func(t *testing.T) {
			field := "notes"
			if name == "NaN" {
				field = "bedrooms"
			}
			wantProblem(t, readJSON(body), field, "not valid JSON or not valid UTF-8 text")
		})
	}
}

// TestTooManyMembers checks that JSON has the same maximum as a form.
func TestTooManyMembers(t *testing.T) {
	many := func(n int) string {
		body := complete
		for i := range n {
			body += fmt.Sprintf(`,"x%d":[]`, i)
		}
		return body + "}"
	}
	wantAccepted(t, readJSON(many(150)))
	wantMalformed(t, readJSON(many(200)), "more than 200 members")
}

// TestRepeatedKnownKey checks that a repeated field is named, so that a person can be asked which value they meant.
func TestRepeatedKnownKey(t *testing.T) {
	for name, body := range map[string]string{
		"equal":     complete + `,"consent_to_contact":true}`,
		"different": complete + `,"consent_to_contact":false}`,
		"null":      complete + `,"consent_to_contact":null}`,
		"escaped":   complete + `,"consent_to_\u0063ontact":true}`,
	} {
		t.Run(name, func(t *testing.T) { wantProblem(t, readJSON(body), "consent_to_contact", "given more than once") })
	}
}

// TestDepth counts the object itself as the first level.
func TestDepth(t *testing.T) {
	nested := func(open, shut string, levels int) string {
		return complete + `,"extra":` + strings.Repeat(open, levels-1) + strings.Repeat(shut, levels-1) + `}`
	}
	objects := func(levels int) string {
		return complete + strings.Repeat(`,"extra":{"a":1`, 1) + strings.Repeat(`,"b":{"a":1`, levels-2) + strings.Repeat("}", levels)
	}
	wantAccepted(t, readJSON(nested("[", "]", 32)))
	wantMalformed(t, readJSON(nested("[", "]", 33)), "nests deeper than 32 levels")
	wantAccepted(t, readJSON(objects(32)))
	wantMalformed(t, readJSON(objects(33)), "nests deeper than 32 levels")
}

// TestMalformedJSONIsNotEchoed checks that an error gives the position of the problem, not the text.
func TestMalformedJSONIsNotEchoed(t *testing.T) {
	const canary = "xqzjvk"
	for _, body := range []string{
		canary, `{"` + canary + `":1,"` + canary + `":2}`, `{"zip_code":"` + canary, `{"zip_code":` + canary + `}`, complete + `}` + canary,
		`{"a":{"` + canary + `":1,"` + canary + `":2}}`, "{\"zip_code\":\"" + canary + "\xff\"}", `{"zip_code":"` + canary + `\ud800"}`,
	} {
		_, refusal := lead.Parse(readJSON(body))
		if refusal == nil || strings.Contains(refusal.Message, canary) || strings.Contains(refusal.Error(), canary) {
			t.Errorf("%s: %+v", body, refusal)
		}
	}
}

func TestMalformedToolArguments(t *testing.T) {
	wantMalformed(t, wire.ReadJSON(lead.ToolInput, []byte(`{"x":1,"x":2}`)), "a key is given more than once")
	wantProblem(t, wire.ReadJSON(lead.ToolInput, []byte(complete+`,"budget":1}`)), "budget", "is not a field of request_home_service")
}
