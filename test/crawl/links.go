package crawl

import (
	"encoding/json"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
)

// link is an address that a page names. A browser that shows the page loads those with Loaded set by itself.
type link struct {
	address string
	loaded  bool
}

// loadedRels are the relations whose targets a browser loads by itself.
var loadedRels = []string{"stylesheet", "icon", "shortcut", "apple-touch-icon", "mask-icon", "manifest", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch"}

// sources are the attributes that make an element load something.
var sources = map[string][]string{
	"script": {"src"}, "img": {"src", "srcset"}, "source": {"src", "srcset"}, "iframe": {"src"}, "audio": {"src"}, "video": {"src", "poster"},
	"track": {"src"}, "embed": {"src"}, "object": {"data"}, "input": {"src"}, "use": {"href", "xlink:href"}, "image": {"href", "xlink:href"},
}

// links finds the addresses in a document, by its type.
func (p *Page) links() []link {
	switch {
	case p.IsHTML():
		return p.linksInHTML()
	case p.is("text/css"):
		return found(inCSS, p.Body, true)
	case p.is("text/plain"), p.is("text/markdown"):
		return found(inMarkdown, p.Body, false)
	case strings.HasSuffix(p.mediaType(), "xml"):
		return inSitemap(p.Body)
	case p.is("application/manifest+json"):
		return inManifest(p.Body)
	}
	return nil
}

func (p *Page) linksInHTML() []link {
	var all []link
	add := func(address string, loaded bool) {
		if address != "" {
			all = append(all, link{address, loaded})
		}
	}
	for _, e := range p.Elements {
		switch e.Name {
		case "a", "area":
			add(e.Attr["href"], false)
		case "link":
			add(e.Attr["href"], slices.ContainsFunc(loadedRels, func(rel string) bool { return e.is("rel", rel) }))
		case "form":
			if !strings.EqualFold(e.Attr["method"], "post") {
				add(e.Attr["action"], false)
			}
		case "meta":
			if strings.HasSuffix(e.Attr["property"], ":image") || e.Attr["property"] == "og:url" {
				add(e.Attr["content"], false)
			}
		}
		for _, attr := range sources[e.Name] {
			for candidate := range strings.SplitSeq(e.Attr[attr], ",") {
				address, _, _ := strings.Cut(strings.TrimSpace(candidate), " ")
				add(address, true)
			}
		}
	}
	return all
}

var (
	inCSS      = regexp.MustCompile(`(?:url\(|@import)\s*["']?([^"')\s]+)`)
	inMarkdown = regexp.MustCompile(`\]\((\S+?)\)`)
)

func found(pattern *regexp.Regexp, body []byte, loaded bool) []link {
	var all []link
	for _, match := range pattern.FindAllSubmatch(body, -1) {
		all = append(all, link{string(match[1]), loaded})
	}
	return all
}

func inSitemap(body []byte) []link {
	var m struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	_ = xml.Unmarshal(body, &m) // a file that is no sitemap has no links
	var all []link
	for _, u := range m.URL {
		all = append(all, link{strings.TrimSpace(u.Loc), false})
	}
	return all
}

func inManifest(body []byte) []link {
	var m struct {
		StartURL string                 `json:"start_url"`
		Icons    []struct{ Src string } `json:"icons"`
	}
	_ = json.Unmarshal(body, &m)
	var all []link
	for _, icon := range m.Icons {
		all = append(all, link{icon.Src, true})
	}
	if m.StartURL != "" {
		all = append(all, link{m.StartURL, false})
	}
	return all
}
