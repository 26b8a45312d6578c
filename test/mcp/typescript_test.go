package mcp

import (
	"regexp"
	"testing"
)

// tally matches the end of a report of Node's test runner.
var tally = regexp.MustCompile(`(?m)^# pass (\d+)\n# fail (\d+)\n# cancelled 0\n# skipped 0\n`)

// TestTypeScriptClient runs typescript.mjs, the official client as a host uses it.
func TestTypeScriptClient(t *testing.T) {
	script(t, "@modelcontextprotocol/sdk/package.json")
	out, errs, code := node(t, "--test-reporter=tap", "typescript.mjs", serve(t))
	count := tally.FindStringSubmatch(out)
	if code != 0 || count == nil || count[1] == "0" || count[2] != "0" {
		t.Errorf("ends with %d:\n%s%s", code, out, errs)
	}
	if count != nil {
		report("typescript client, three versions: %s passed, %s failed", count[1], count[2])
	}
}
