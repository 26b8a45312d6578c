package catalog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

var update = flag.Bool("update", false, "write the golden files anew")

// catalogJSON returns the catalog as clients get it.
func catalogJSON(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(brand.Catalog()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func catalogMembers(t *testing.T) map[string]any {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(catalogJSON(t), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func wantKeys(t *testing.T, what string, object any, keys ...string) {
	t.Helper()
	slices.Sort(keys)
	if diff := cmp.Diff(keys, slices.Sorted(maps.Keys(object.(map[string]any)))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestCatalogIsGolden(t *testing.T) {
	file := filepath.Join("testdata", "catalog.json")
	got := catalogJSON(t)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the catalog changed; if that is meant, run go test ./internal/catalog -update (-want +got):\n%s", diff)
	}
}

func TestCatalogMembers(t *testing.T) {
	c := catalogMembers(t)
	wantKeys(t, "catalog", c, "name", "about", "version", "live", "collecting", "all_service_types",
		"required_fields_for_requests", "rules", "coverage", "endpoints", "contact")
	wantKeys(t, "endpoints", c["endpoints"], "mcp", "intake", "services", "openapi", "docs", "llms")
	for _, entry := range c["live"].([]any) {
		wantKeys(t, "live entry", entry, "service_type", "label", "mode", "call_to_connect", "call_to_connect_display", "tel_link",
			"what_to_tell_the_user", "call_instruction", "coverage_note", "web_page", "how")
	}
	for _, entry := range c["collecting"].([]any) {
		wantKeys(t, "collecting entry", entry, "service_type", "label", "mode", "status", "note")
	}
}

func TestNoMemberIsBlank(t *testing.T) {
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case string:
			if strings.TrimSpace(v) == "" {
				t.Errorf("%s is blank", path)
			}
		case []any:
			for _, e := range v {
				walk(path+"[]", e)
			}
		case map[string]any:
			for name, e := range v {
				walk(path+"."+name, e)
			}
		default:
			t.Errorf("%s is %T", path, v)
		}
	}
	walk("catalog", catalogMembers(t))
}

func TestOnlyPlumbingIsLive(t *testing.T) {
	c := brand.Catalog()
	if len(c.Live) != 1 || len(c.Collecting) != 8 {
		t.Fatalf("%d live, %d collecting", len(c.Live), len(c.Collecting))
	}
	live := c.Live[0]
	got := []string{string(live.Service), live.Mode, live.Call, live.CallDisplay, live.TelLink, live.WebPage}
	want := []string{"plumbing", "call_to_connect", "+18005550199", "(800) 555-0199", "tel:+18005550199", "https://foyer.example.com/plumbing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, must := range []string{"ZIP code", "time of day"} {
		if !strings.Contains(live.CoverageNote, must) {
			t.Errorf("the coverage note does not speak of the %s", must)
		}
	}
	for _, e := range c.Collecting {
		if e.Service == lead.Plumbing || e.Mode != "request_form" || e.Status != "collecting" {
			t.Errorf("got %+v", e)
		}
	}
}

func TestNineServices(t *testing.T) {
	c := brand.Catalog()
	want := []lead.Service{
		"house_cleaning", "deep_cleaning", "move_in_out_cleaning", "recurring_cleaning", "pest_control", "plumbing", "hvac", "handyman", "other",
	}
	if diff := cmp.Diff(want, c.AllServices); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	listed := map[lead.Service]bool{c.Live[0].Service: true}
	for _, e := range c.Collecting {
		listed[e.Service] = true
	}
	if len(listed) != 9 {
		t.Errorf("%d services are live or collecting", len(listed))
	}
}

func TestValuesFixedBySpecification(t *testing.T) {
	c := brand.Catalog()
	if c.Version != "0.2.0" || !strings.Contains(c.Coverage, "US residential") || c.Name != brand.Name || c.Contact != brand.Contact {
		t.Errorf("got %q, %q, %q, %q", c.Version, c.Coverage, c.Name, c.Contact)
	}
	if diff := cmp.Diff([]string{"service_type", "zip_code", "customer_name", "customer_phone", "consent_to_contact"}, c.RequiredFields); diff != "" {
		t.Errorf("required fields (-want +got):\n%s", diff)
	}
}

// The rules must contain these phrases.
func TestRulesHaveTheirPhrases(t *testing.T) {
	rules := strings.ToLower(strings.Join(brand.Catalog().Rules, "\n"))
	for _, must := range []string{
		"plumbing is live", "the person dials", "never place a call on the person's behalf", "explicit consent", "not a booking",
		"no callback", "no arrival time", "no company", "does not perform the work",
	} {
		if !strings.Contains(rules, must) {
			t.Errorf("no rule says %q", must)
		}
	}
}

func TestEndpointsStartWithThePublicAddress(t *testing.T) {
	want := map[string]any{
		"mcp": "https://foyer.example.com/mcp", "intake": "https://foyer.example.com/v1/intake", "services": "https://foyer.example.com/v1/services",
		"openapi": "https://foyer.example.com/openapi.json", "docs": "https://foyer.example.com/docs", "llms": "https://foyer.example.com/llms.txt",
	}
	if diff := cmp.Diff(want, catalogMembers(t)["endpoints"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
