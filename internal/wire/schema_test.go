package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

func decode(t *testing.T, v any) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(wire.Marshal(v), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestFieldSchemas(t *testing.T) {
	for field, want := range map[string]string{
		"service_type":       `{"type":"string","enum":["house_cleaning","deep_cleaning","move_in_out_cleaning","recurring_cleaning","pest_control","plumbing","hvac","handyman","other"]}`,
		"zip_code":           `{"type":"string","pattern":"^[0-9]{5}$"}`,
		"city":               `{"anyOf":[{"type":"string","maxLength":120},{"type":"null"}],"default":null}`,
		"state":              `{"anyOf":[{"type":"string","pattern":"^[A-Za-z]{2}$"},{"type":"null"}],"default":null}`,
		"address_line":       `{"anyOf":[{"type":"string","maxLength":300},{"type":"null"}],"default":null}`,
		"bedrooms":           `{"anyOf":[{"type":"integer","minimum":0,"maximum":20},{"type":"null"}],"default":null}`,
		"bathrooms":          `{"anyOf":[{"type":"number","minimum":0,"maximum":20},{"type":"null"}],"default":null}`,
		"square_feet":        `{"anyOf":[{"type":"integer","minimum":100,"maximum":50000},{"type":"null"}],"default":null}`,
		"home_type":          `{"anyOf":[{"type":"string","enum":["apartment","condo","townhouse","single_family","other"]},{"type":"null"}],"default":null}`,
		"frequency":          `{"type":"string","enum":["one_time","weekly","biweekly","monthly"],"default":"one_time"}`,
		"preferred_date":     `{"anyOf":[{"type":"string","format":"date"},{"type":"null"}],"default":null}`,
		"flexible_dates":     `{"type":"boolean","default":true}`,
		"notes":              `{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}],"default":null}`,
		"customer_name":      `{"type":"string","minLength":2,"maxLength":120}`,
		"customer_phone":     `{"type":"string"}`,
		"customer_email":     `{"anyOf":[{"type":"string","maxLength":254},{"type":"null"}],"default":null}`,
		"consent_to_contact": `{"type":"boolean"}`,
		"source_agent":       `{"anyOf":[{"type":"string","maxLength":200},{"type":"null"}],"default":null}`,
		"dry_run":            `{"type":"boolean","default":false}`,
	} {
		t.Run(field, func(t *testing.T) {
			f := lead.FieldNamed(field)
			var drawn map[string]any
			if err := json.Unmarshal([]byte(want), &drawn); err != nil {
				t.Fatal(err)
			}
			drawn["description"] = lead.IntakeInput.Help(field)
			if f.Kind == lead.Date {
				drawn["description"] = f.Help + " Format YYYY-MM-DD."
			}
			if diff := cmp.Diff(drawn, decode(t, wire.FieldSchema(lead.IntakeInput, f))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSchemas(t *testing.T) {
	all := lead.Required()
	for _, c := range []struct {
		spec     *lead.InputSpec
		fields   int
		required []string
		agent    any // the default of source_agent
	}{
		{lead.IntakeInput, 19, all, nil},
		{lead.ToolInput, 19, all, "mcp"},
		{lead.CleaningInput, 13, all[1:], nil},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			schema := decode(t, wire.Schema(c.spec))
			properties := schema["properties"].(map[string]any)
			if len(properties) != c.fields || schema["type"] != "object" {
				t.Errorf("%d properties of type %v", len(properties), schema["type"])
			}
			var required []string
			for _, name := range schema["required"].([]any) {
				required = append(required, name.(string))
			}
			if diff := cmp.Diff(c.required, required); diff != "" {
				t.Errorf("required (-want +got):\n%s", diff)
			}
			if additional := schema["additionalProperties"]; additional != false {
				t.Errorf("additionalProperties = %v", additional)
			}
			if agent, taken := properties["source_agent"].(map[string]any); taken && agent["default"] != c.agent {
				t.Errorf("default of source_agent = %v", agent["default"])
			}
		})
	}
}

// TestSchemaOrder checks that properties are in the order of the field table, so that generated documents are stable.
func TestSchemaOrder(t *testing.T) {
	schema := wire.Schema(lead.CleaningInput)
	properties := schema[1][1].(wire.Object)
	for i, f := range lead.CleaningInput.Fields() {
		if properties[i][0] != f.Name {
			t.Errorf("property %d is %v, want %s", i, properties[i][0], f.Name)
		}
	}
}
