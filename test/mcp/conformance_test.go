package mcp

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mustPass are the scenarios for every server with tools, each with a check that must be among those passed. The suite does
// not list each of them for each version, but runs them on request.
var mustPass = map[string]string{
	"server-initialize":        "wire-schema-valid",
	"ping":                     "wire-schema-valid",
	"tools-list":               "wire-schema-valid",
	"dns-rebinding-protection": "localhost-host-rebinding-rejected",
}

// refusal matches how the service says that it does not offer something.
var refusal = regexp.MustCompile(`Unknown tool\. |This server offers tools only|Tool '\w+' not found|Server did not provide session ID`)

// TestConformance runs every scenario the suite has for a version. The suite itself compares the findings with the list of
// expected failures, in both directions.
func TestConformance(t *testing.T) {
	suite := script(t, "@modelcontextprotocol/conformance/dist/index.js")
	url := serve(t)
	expected := readExpected(t)
	failed := make(map[string]bool) // in any version
	for _, version := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
		t.Run(version, func(t *testing.T) {
			folder := t.TempDir()
			conform := func(which ...string) {
				t.Helper()
				args := []string{suite, "server", "--url", url, "--spec-version", version, "--expected-failures", expectedFailures, "--output-dir", folder}
				if out, errs, code := node(t, append(args, which...)...); code != 0 {
					_, verdict, _ := strings.Cut(out, "=== SUMMARY ===")
					t.Errorf("the suite ends with %d:\n%s%s", code, cmp.Or(verdict, out), errs)
				}
			}
			conform("--suite", "all")
			listed := readFindings(t, folder)
			for scenario := range mustPass {
				if listed[scenario] == nil {
					conform("--scenario", scenario, "--force")
				}
			}
			count(t, version, readFindings(t, folder), expected, failed)
		})
	}
	for entry := range expected {
		if !failed[entry] {
			t.Errorf("%s: %s fails in no version: remove it", expectedFailures, entry)
		}
	}
}

// count checks the scenarios of a version and records which expected failures occurred.
func count(t *testing.T, version string, findings map[string][]check, expected, failed map[string]bool) {
	t.Helper()
	var passed, wrong, notOffered, nothing int
	for scenario, checks := range findings {
		successes, failures := judge(t, scenario, checks, expected)
		must, applies := mustPass[scenario]
		switch {
		case failures == nil && len(successes) > 0 && (!applies || slices.Contains(successes, must)):
			passed++
		case failures == nil && len(successes) == 0 && !applies:
			nothing++
		case failures != nil && allIn(failures, expected) && !applies:
			notOffered++
			for _, f := range failures {
				failed[f] = true
			}
		default:
			wrong++
			t.Errorf("%s: passed %v, failed %v", scenario, successes, failures)
		}
	}
	report("conformance %s: %d passed, %d failed, %d not applicable (expected), %d skipped by the suite", version, passed, wrong, notOffered, nothing)
}

// judge returns the checks that passed and the entries that failed. What is expected to fail must fail by a refusal, not by
// accident.
func judge(t *testing.T, scenario string, checks []check, expected map[string]bool) (successes, failures []string) {
	t.Helper()
	for _, c := range checks {
		name := scenario + ":" + c.ID
		switch {
		case c.Status == "SUCCESS":
			successes = append(successes, c.ID)
		case c.failed():
			failures = append(failures, name)
			if why := c.ErrorMessage + c.Details.Message; expected[name] && !refusal.MatchString(why) {
				t.Errorf("%s is expected to fail, but not like this: %s", name, why)
			}
		}
	}
	return successes, failures
}

func allIn(names []string, set map[string]bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !set[name] })
}
