package web

import (
	"strings"
	"testing"

	"foyer/internal/catalog"
)

// The explanatory pages are like all other pages, and link to the form.
func TestGuidePages(t *testing.T) {
	server := serve(t, sharedSite(t))
	paths := []string{catalog.PageGuide}
	for _, g := range catalog.Groups {
		paths = append(paths, g.Path())
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			answer, body := ask(t, server, "GET", path, browser)
			if answer.StatusCode != 200 {
				t.Fatalf("got %d", answer.StatusCode)
			}
			checkPage(t, answer, body)
			for _, want := range []string{`<link rel="canonical" href="` + origin + path + `">`, "not a booking", `href="` + origin + `/`} {
				if !strings.Contains(body, want) {
					t.Errorf("no %s", want)
				}
			}
		})
	}
	_, cleaning := ask(t, server, "GET", "/services/cleaning", browser)
	for _, service := range []string{"house_cleaning", "deep_cleaning", "move_in_out_cleaning", "recurring_cleaning"} {
		if !strings.Contains(cleaning, `href="`+origin+`/?service_type=`+service+`"`) {
			t.Errorf("cleaning does not lead to a form for %s", service)
		}
	}
	if _, home := ask(t, server, "GET", "/", browser); !strings.Contains(home, `href="`+origin+`/services/cleaning"`) {
		t.Error("the home page does not lead to a group of services")
	}
}
