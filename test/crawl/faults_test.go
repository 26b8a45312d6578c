package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// findings collects what is wrong with one document.
type findings []string

func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// faultsOf returns everything that is wrong with one document.
func (s *Site) faultsOf(p *Page) []string {
	var f findings
	if !s.resolves(p) {
		f.add("answers %d", p.Status)
	}
	if p.Header.Get("Set-Cookie") != "" {
		f.add("sets a cookie")
	}
	for _, promise := range findPromises(p) {
		f.add("promises: %s", promise)
	}
	if p.IsHTML() {
		f = append(f, s.faultsOfHTML(p)...)
	}
	return f
}

// resolves reports whether an address exists. Addresses for programs may accept only POST.
func (s *Site) resolves(p *Page) bool {
	switch {
	case p.Address == Nowhere:
		return p.Status == http.StatusNotFound
	case p.Address == "/sitemap.xml" && Lacks(Sitemap), p.Address == "/robots.txt" && Lacks(Robots):
		return true
	case p.Status == http.StatusMethodNotAllowed:
		return !s.people[p.Address] && p.Header.Get("Allow") != ""
	}
	return p.Status == http.StatusOK || p.Status/100 == 3
}

func (s *Site) faultsOfHTML(p *Page) []string {
	var f findings
	if p.Broken != nil {
		f.add("cannot be read: %v", p.Broken)
	}
	for what, where := range map[string]func(*Element) bool{
		"h1":       func(e *Element) bool { return e.Name == "h1" && e.Text != "" },
		"title":    func(e *Element) bool { return e.Name == "title" && e.Text != "" },
		"language": func(e *Element) bool { return e.Name == "html" && e.Attr["lang"] != "" },
		"main":     func(e *Element) bool { return e.Name == "main" },
		"viewport": func(e *Element) bool { return e.Name == "meta" && e.Attr["name"] == "viewport" },
		"description": func(e *Element) bool {
			return e.Name == "meta" && e.Attr["name"] == "description" && e.Attr["content"] != ""
		},
	} {
		if n := len(p.all(where)); n != 1 {
			f.add("has %d times a %s, want 1", n, what)
		}
	}
	for id, n := range p.ids() {
		if n > 1 {
			f.add("has %d elements with the id %s", n, id)
		}
	}
	f = append(f, s.wrongCanonical(p)...)
	f = append(f, policyFaults(p.Header.Get("Content-Security-Policy"), s.Origin)...)
	f = append(f, structuredFaults(p)...)
	return f
}

func (p *Page) all(where func(*Element) bool) []*Element {
	return slices.DeleteFunc(slices.Clone(p.Elements), func(e *Element) bool { return !where(e) })
}

func (p *Page) ids() map[string]int {
	count := map[string]int{}
	for _, e := range p.Elements {
		if id := e.Attr["id"]; id != "" {
			count[id]++
		}
	}
	return count
}

// wrongCanonical wants a listed page to name its own address without a query, and any other page to name none.
func (s *Site) wrongCanonical(p *Page) []string {
	var named []string
	for _, e := range p.all(func(e *Element) bool { return e.Name == "link" && e.is("rel", "canonical") }) {
		named = append(named, e.Attr["href"])
	}
	path, _, _ := strings.Cut(p.Address, "?")
	switch {
	case p.Listed() && !slices.Equal(named, []string{s.Origin + path}):
		return []string{fmt.Sprintf("is listed, and its canonical address is %v", named)}
	case !p.Listed() && named != nil:
		return []string{fmt.Sprintf("is not listed, and has a canonical address: %v", named)}
	}
	return nil
}

// duplicates returns listed pages with the same title or description: a search engine shows only one of them.
func (s *Site) duplicates() []string {
	var f findings
	seen := map[string]string{}
	for _, p := range s.HTML() {
		if path, _, _ := strings.Cut(p.Address, "?"); !p.Listed() || path != p.Address {
			continue
		}
		for _, e := range p.Elements {
			text := ""
			switch {
			case e.Name == "title":
				text = e.Text
			case e.Name == "meta" && e.Attr["name"] == "description":
				text = e.Attr["content"]
			}
			if other := seen[e.Name+text]; text != "" && other != "" {
				f.add("%s and %s have the same %s", p.Address, other, e.Name)
			}
			seen[e.Name+text] = p.Address
		}
	}
	return f
}
