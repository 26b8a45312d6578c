package crawl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// trusted matches the sources that a strict policy may name, besides the origin itself.
var trusted = regexp.MustCompile(`^('none'|'self'|'(nonce|sha256|sha384|sha512)-[A-Za-z0-9+/=_-]+')$`)

// policyFaults returns where a Content-Security-Policy allows more than the page's own resources.
func policyFaults(policy, origin string) []string {
	if policy == "" {
		return []string{"has no Content-Security-Policy"}
	}
	var f findings
	given := map[string][]string{}
	for directive := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(directive)
		if len(words) == 0 {
			continue
		}
		if _, twice := given[words[0]]; twice {
			f.add("policy: %s twice, and browsers ignore the second", words[0])
		}
		given[words[0]] = words[1:]
		for _, source := range words[1:] {
			if !trusted.MatchString(source) && source != origin && !allowedSource(words[0], source) {
				f.add("policy: %s trusts %s", words[0], source)
			}
		}
	}
	if !slices.Equal(given["default-src"], []string{"'none'"}) {
		f.add("policy: default-src is %v, want 'none'", given["default-src"])
	}
	for _, directive := range []string{"base-uri", "form-action", "frame-ancestors"} { // default-src does not cover them
		if len(given[directive]) == 0 {
			f.add("policy: no %s", directive)
		}
	}
	return f
}

// allowedSource reports whether a source is fine in this one directive: an image inside a style sheet.
func allowedSource(directive, source string) bool {
	return slices.Contains([]string{"img-src data:", "require-trusted-types-for 'script'", "trusted-types 'none'"}, fmt.Sprint(directive, " ", source))
}
