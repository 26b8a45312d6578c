package lead_test

import (
	"testing"

	"foyer/internal/lead"
)

// TestDryRunInBodyOrQuery checks that true in either the body or the query means a dry run.
func TestDryRunInBodyOrQuery(t *testing.T) {
	for _, c := range []struct {
		name        string
		body, query lead.Value
		want        bool
	}{
		{"in neither", lead.Value{}, lead.Value{}, false},
		{"true in the body", lead.Bool(true), lead.Value{}, true},
		{"true in a form", lead.Typed("on"), lead.Value{}, true},
		{"true in the address", lead.Value{}, lead.Typed("true"), true},
		{"1 in the address", lead.Value{}, lead.Typed("1"), true},
		{"true in both", lead.Bool(true), lead.Typed("yes"), true},
		{"true in the body, false in the address", lead.Bool(true), lead.Typed("false"), true},
		{"false in the body, true in the address", lead.Bool(false), lead.Typed("true"), true},
		{"null in the body, true in the address", lead.Null(), lead.Typed("true"), true},
		{"false in both", lead.Bool(false), lead.Typed("0"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw := completeRequest().with("dry_run", c.body).on(lead.IntakeInput)
			raw.SetQuery("dry_run", c.query)
			req, refusal := lead.Parse(raw)
			if refusal != nil {
				t.Fatal(refusal.Message)
			}
			if req.DryRun != c.want {
				t.Errorf("dry run = %t", req.DryRun)
			}
		})
	}
}

// TestDryRunInQueryMustBeBoolean checks that anything else is refused: reading it as false would store a real person's
// data.
func TestDryRunInQueryMustBeBoolean(t *testing.T) {
	for name, values := range map[string][]string{
		"another word": {"maybe"}, "a number": {"2"}, "blank": {""}, "blanks": {" "}, "twice": {"true", "true"}, "two values": {"true", "false"},
	} {
		t.Run(name, func(t *testing.T) {
			raw := completeRequest().on(lead.IntakeInput)
			for _, v := range values {
				raw.SetQuery("dry_run", lead.Typed(v))
			}
			_, refusal := lead.Parse(raw)
			wantOnly(t, refusal, "dry_run", "in the address")
		})
	}
}

func TestInvalidDryRunInBodyAndQuery(t *testing.T) {
	raw := completeRequest().with("dry_run", lead.Quoted("true")).on(lead.IntakeInput)
	raw.SetQuery("dry_run", lead.Typed("maybe"))
	_, refusal := lead.Parse(raw)
	if got := problemsOf(refusal); len(got) != 2 || got[0] != "dry_run" || got[1] != "dry_run" {
		t.Errorf("problems = %v", got)
	}
}

// TestMisspelledDryRun checks that every input spec refuses misspellings of dry_run, whatever the value.
func TestMisspelledDryRun(t *testing.T) {
	for _, name := range []string{"dryRun", "dry-run", "dryrun", "DryRun", "DRY_RUN", "dry run", "dry.run", "dry_run_", "dry_runs", "dr_run", "dry_rum"} {
		t.Run(name, func(t *testing.T) {
			body := completeRequest().on(lead.IntakeInput)
			body.Set(name, lead.Bool(true))
			query := completeRequest().on(lead.IntakeInput)
			query.SetQuery(name, lead.Typed("false"))
			for _, raw := range []*lead.Raw{body, query} {
				_, refusal := lead.Parse(raw)
				wantOnly(t, refusal, echoedName(name), "did you mean dry_run?")
			}
		})
	}
}

// echoedName returns the name that an error shows for an unknown member: only names that look like identifiers are echoed.
func echoedName(name string) string {
	for _, c := range name {
		if c == ' ' || c == '.' {
			return "unknown"
		}
	}
	return name
}

func TestUnknownNamesAreIgnored(t *testing.T) {
	for _, name := range []string{"utm_source", "submit", "run", "dry", "laundry", "drywall_run", "Zip_Code", ""} {
		raw := completeRequest().on(lead.IntakeInput)
		raw.Set(name, lead.Typed("x"))
		raw.Set(name, lead.Typed("y"))
		raw.SetQuery(name, lead.Typed("z"))
		if _, refusal := lead.Parse(raw); refusal != nil {
			t.Errorf("%q: %s", name, refusal.Message)
		}
	}
}

func TestFieldsInQueryAreIgnored(t *testing.T) {
	raw := completeRequest().on(lead.IntakeInput)
	raw.SetQuery("zip_code", lead.Typed("wrong"))
	raw.SetQuery("consent_to_contact", lead.Typed("no"))
	req, refusal := lead.Parse(raw)
	if refusal != nil || req.ZIP != "33139" || !req.Consent {
		t.Errorf("got %+v, %v", req, refusal)
	}
}

// TestMeantDry checks that showing the form again never turns a dry run into a real request.
func TestMeantDry(t *testing.T) {
	for name, c := range map[string]struct {
		body, query map[string]string
		meant       bool
	}{
		"nothing said":      {nil, nil, false},
		"no":                {map[string]string{"dry_run": "no"}, nil, false},
		"blank in the form": {map[string]string{"dry_run": ""}, nil, false},
		"yes":               {map[string]string{"dry_run": "yes"}, nil, true},
		"in the address":    {nil, map[string]string{"dry_run": "1"}, true},
		"blank, in there":   {nil, map[string]string{"dry_run": ""}, true},
		"something else":    {map[string]string{"dry_run": "maybe"}, nil, true},
		"misspelt":          {map[string]string{"dryRun": "x"}, nil, true},
		"misspelt there":    {nil, map[string]string{"dry-run": "x"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			raw := lead.IntakeInput.New()
			for k, v := range c.body {
				raw.Set(k, lead.Typed(v))
			}
			for k, v := range c.query {
				raw.SetQuery(k, lead.Typed(v))
			}
			if raw.MeantDry() != c.meant {
				t.Errorf("got %v", raw.MeantDry())
			}
		})
	}
}
