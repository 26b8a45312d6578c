package web

import (
	"net/http"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

const markdownType = "text/markdown; charset=utf-8"

// markdown writes a page as llms.txt wants it: a title, a quoted summary, then sections.
func markdown(p catalog.Page) string {
	return "# " + p.Heading + "\n" + opening(p.Opening) + sections(p.Sections)
}

func opening(texts []string) string {
	var out strings.Builder
	for i, text := range texts {
		if i == 0 {
			text = "> " + text
		}
		out.WriteString("\n" + text + "\n")
	}
	return out.String()
}

func sections(all []catalog.Section) string {
	var out strings.Builder
	for _, s := range all {
		writeSection(&out, s, "##")
	}
	return out.String()
}

// writeSection writes what a section has, in the order in which pages show it.
func writeSection(out *strings.Builder, s catalog.Section, level string) {
	if s.Heading != "" {
		out.WriteString("\n" + level + " " + s.Heading + "\n")
	}
	for _, text := range s.Text {
		out.WriteString("\n" + text + "\n")
	}
	if len(s.Items) > 0 {
		out.WriteString("\n- " + strings.Join(s.Items, "\n- ") + "\n")
	}
	if s.Code != "" {
		out.WriteString("\n```" + s.Lang + "\n" + s.Code + "\n```\n")
	}
	if s.Table != nil {
		writeTable(out, s.Table)
	}
	if len(s.Links) > 0 {
		out.WriteString("\n")
	}
	for _, l := range s.Links {
		out.WriteString("- [" + l.Text + "](" + l.Address + ")\n")
	}
	for _, part := range s.Parts {
		writeSection(out, part, level+"#")
	}
}

// writeTable sets the names of the first column in the type of code.
func writeTable(out *strings.Builder, t *catalog.Table) {
	writeRow := func(cells []string) {
		for _, cell := range cells {
			out.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		out.WriteString("|\n")
	}
	out.WriteString("\n")
	writeRow(t.Head)
	out.WriteString(strings.Repeat("|---", len(t.Head)) + "|\n")
	for _, row := range t.Rows {
		writeRow(append([]string{"`" + row[0] + "`"}, row[1:]...))
	}
}

// markdownOf is a page for those who read no HTML. What only a browser can use, a form, is told in words.
func (s *Site) markdownOf(v view) string {
	if a, ok := v.PartData.(article); ok {
		return a.markdown
	}
	text := "# " + v.Heading + "\n" + opening(v.Opening)
	if v.Call != "" {
		text += "\n" + s.brand.WhatToTell() + "\n"
	}
	if v.Form != nil {
		text += "\n" + s.brand.FormInWords() + "\n"
	}
	return text + sections(v.Sections)
}

// translate writes the Markdown versions of all pages that search engines may list.
func (s *Site) translate(views map[string]view, pages map[string]*edge.Document) {
	texts := make(map[string]string)
	s.markdown = make(map[string]*edge.Document)
	for address, v := range views {
		if v.Unlisted {
			continue
		}
		texts[address] = s.markdownOf(v)
		s.markdown[address] = s.markdownDocument(address, texts[address])
		if page := pages[address]; page != nil {
			page.With("Vary", "Accept")
		}
	}
	s.more = fullText(s.brand, texts)
}

// markdownPath is the address of a page's Markdown version.
func markdownPath(address string) string {
	if address == "/" {
		return "/index.md"
	}
	return address + ".md"
}

// translated adds a Markdown version to every page that has one: at an address of its own, and at the page's address for
// those who prefer it.
func (s *Site) translated(menu []edge.Resource) []edge.Resource {
	all := make([]edge.Resource, 0, 2*len(menu))
	for _, x := range menu {
		address := strings.TrimSuffix(x.Path, "{$}")
		version := s.markdown[address]
		if version == nil {
			all = append(all, x)
			continue
		}
		if x.Doc != nil {
			x.Doc = negotiated{x.Doc.Get, version}
		} else {
			x.Get = negotiated{x.Get, version}.Get
		}
		all = append(all, x, edge.Resource{Path: markdownPath(address), Doc: version, Page: true, Open: true})
	}
	return all
}

// negotiated is a page with a Markdown version. Caches are told of it by Vary.
type negotiated struct {
	page    edge.Handler
	version edge.Prepared
}

// Get answers with the version that is asked for.
func (b negotiated) Get(w http.ResponseWriter, r *http.Request) error {
	if edge.Prefers(r, "text/markdown", "text/html") {
		return b.version.Get(w, r)
	}
	return b.page(w, r)
}

// markdownDocument prepares a Markdown version. Search engines are to list the page itself.
func (s *Site) markdownDocument(address, text string) *edge.Document {
	return edge.NewDocument(markdownType, cacheOf(address), []byte(text)).With("Vary", "Accept").
		With("Link", "<"+s.brand.URL(address)+`>; rel="canonical"`).With("X-Robots-Tag", "noindex")
}
