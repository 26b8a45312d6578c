package web

import (
	"regexp"
	"strings"
	"testing"

	"foyer/internal/catalog"
)

// brandedSite returns the site of an operator who set every branding option.
func brandedSite(t *testing.T, width int) *Site {
	t.Helper()
	b := brand
	b.Consent, b.Foot = "You may call me, says the operator <&>.", "Example Services LLC\nLicense <12345>"
	b.Look = catalog.Look{
		Accent: "#7a1f6b", AccentDark: "#b684ae", Style: ".own { color: red; }",
		Logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`, LogoType: "image/svg+xml", LogoWidth: width,
	}
	s, err := New(b, 30, testInterfaces(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOperatorBranding(t *testing.T) {
	server := serve(t, brandedSite(t, 144))
	for _, path := range []string{"/", "/docs", "/nowhere"} {
		_, body := ask(t, server, "GET", path, browser)
		sheets := regexp.MustCompile(`<link rel="stylesheet" href="`+origin+`(/assets/[a-z]+)-`).FindAllStringSubmatch(body, -1)
		if len(sheets) < 2 || sheets[len(sheets)-1][1] != "/assets/brand" {
			t.Errorf("%s: the operator's style is not the last of %v", path, sheets)
		}
		for _, want := range []string{"Example Services LLC", "License &lt;12345&gt;", `height="32" alt="Foyer"`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %s", path, want)
			}
		}
	}
	_, home := ask(t, server, "GET", "/", browser)
	if !strings.Contains(home, "You may call me, says the operator &lt;&amp;&gt;.") {
		t.Error("the operator's consent is not on the form")
	}
	for pattern, want := range map[string]string{`/assets/brand-[0-9a-f]+\.css`: ".own { color: red; }", `/assets/logo-[0-9a-f]+\.svg`: "<svg"} {
		answer, body := ask(t, server, "GET", regexp.MustCompile(pattern).FindString(home))
		if answer.StatusCode != 200 || !strings.Contains(body, want) || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v %s", pattern, answer.StatusCode, answer.Header, body)
		}
	}
	answer, _ := ask(t, server, "GET", regexp.MustCompile(`/assets/logo-[0-9a-f]+\.svg`).FindString(home))
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox") {
		t.Errorf("a drawing that is opened by itself may do what it likes: %q", policy)
	}
}

// A narrow logo is shown next to the name; a wide one replaces it.
func TestLogoAndName(t *testing.T) {
	for width, beside := range map[int]bool{32: true, 64: true, 65: false} {
		_, home := ask(t, serve(t, brandedSite(t, width)), "GET", "/", browser)
		if got := strings.Contains(home, "<span>Foyer</span>"); got != beside {
			t.Errorf("%d wide: the name stands beside it: %v, want %v", width, got, beside)
		}
	}
	if _, home := ask(t, serve(t, sharedSite(t)), "GET", "/", browser); !strings.Contains(home, "<span>Foyer</span>") || strings.Contains(home, "/assets/brand-") || strings.Contains(home, "<img") {
		t.Error("without a look of its own, the page is not as ours")
	}
}
