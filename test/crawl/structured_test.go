package crawl

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// What a page may tell search engines about itself. It is a page, and may be about a service; we are no local business, and
// know neither prices nor opinions. Under these two, a few types say who provides the service, and where.
var (
	things  = []string{"WebPage", "Service"}
	helpers = []string{"Organization", "WebSite", "Country", "ServiceChannel", "ContactPoint", "ImageObject"}
	never   = []string{"rating", "review", "price", "offer", "award"}
)

// structuredFaults checks the JSON-LD of a page, if it has some.
func structuredFaults(p *Page) []string {
	var f findings
	for _, data := range p.structured() {
		var thing any
		if err := json.Unmarshal([]byte(data), &thing); err != nil {
			f.add("structured data: %v", err)
			continue
		}
		top, _ := thing.(map[string]any)
		if context, _ := top["@context"].(string); strings.TrimSuffix(context, "/") != "https://schema.org" {
			f.add("structured data: the @context is %q", context)
		}
		if graph, ok := top["@graph"].([]any); ok {
			for _, thing := range graph {
				f.check(thing, things)
			}
			continue
		}
		f.check(top, things)
	}
	return f
}

// check checks a value and everything inside it.
func (f *findings) check(v any, allowed []string) {
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			f.check(each, allowed)
		}
	case map[string]any:
		kind, named := v["@type"].(string)
		_, refers := v["@id"]
		if !slices.Contains(allowed, kind) && (named || !refers) {
			f.add("structured data: a %q", kind)
		}
		for key, value := range v {
			if slices.ContainsFunc(never, func(word string) bool { return strings.Contains(strings.ToLower(key), word) }) {
				f.add("structured data: %s", key)
			}
			f.check(value, slices.Concat(things, helpers))
		}
	}
}

// structured returns the JSON-LD of a page.
func (p *Page) structured() []string {
	var all []string
	for _, e := range p.all(func(e *Element) bool { return e.Name == "script" && e.Attr["type"] == "application/ld+json" }) {
		all = append(all, e.Text)
	}
	return all
}

func TestStructuredData(t *testing.T) {
	Await(t, StructuredData)
	for _, p := range walk(t).HTML() {
		if all := strings.Join(p.structured(), ""); p.Listed() && !strings.Contains(all, `"WebPage"`) {
			t.Errorf("%s does not say that it is a WebPage: %s", p.Address, all)
		}
	}
}
