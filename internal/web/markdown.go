package web

import (
	"net/http"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

const markdownType = "text/markdown; charset=utf-8"

// markdown formats a page as llms.txt specifies: a title, a quoted summary, then sections.
func markdown(p catalog.Page) string {
	var out strings.Builder
	out.WriteString("# " + p.Heading + "\n")
	for i, text := range p.Opening {
		if i == 0 {
			text = "> " + text
		}
		out.WriteString("\n" + text + "\n")
	}
	for _, s := range p.Sections {
		writeSection(&out, s, "##")
	}
	return out.String()
}

// writeSection writes the parts of a section in the order in which pages show them.
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

// table formats the first column as code.
func table(head []string, rows [][]string) string {
	var out strings.Builder
	writeRow := func(cells []string) {
		for _, cell := range cells {
			out.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		out.WriteString("|\n")
	}
	out.WriteString("\n")
	writeRow(head)
	out.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		writeRow(append([]string{"`" + row[0] + "`"}, row[1:]...))
	}
	return out.String()
}

// markdownOf is a page as Markdown. What only browsers can use, the number to tap and the form, is described in words.
func (s *Site) markdownOf(v view) string {
	if a, ok := v.PartData.(article); ok {
		return a.markdown
	}
	var instead catalog.Section
	if v.Call != "" {
		instead.Text = append(instead.Text, s.brand.WhatToTell())
	}
	if v.Part == "form" {
		instead.Text = append(instead.Text, s.brand.FormInWords())
	}
	v.Sections = append([]catalog.Section{instead}, v.Sections...)
	return markdown(v.Page)
}

// writeMarkdown renders the Markdown versions of all pages that search engines may list.
func (s *Site) writeMarkdown(views map[string]view, pages map[string]*edge.Document) {
	texts := make(map[string]string)
	s.markdown = make(map[string]*edge.Document)
	for address, v := range views {
		if v.Unlisted {
			continue
		}
		texts[address] = s.markdownOf(v)
		// search engines should list the page itself
		s.markdown[address] = edge.NewDocument(markdownType, cacheOf(address), []byte(texts[address])).With("Vary", "Accept").
			With("Link", "<"+s.brand.URL(address)+`>; rel="canonical"`).With("X-Robots-Tag", "noindex")
		if page := pages[address]; page != nil {
			page.With("Vary", "Accept")
		}
	}
	s.llmsPages = fullText(s.brand, texts)
}

// markdownPath is the address of a page's Markdown version.
func markdownPath(address string) string {
	if address == "/" {
		return "/index.md"
	}
	return address + ".md"
}

// withMarkdown adds a Markdown version to every page that has one: at its own address, and at the page's address for
// clients that prefer Markdown.
func (s *Site) withMarkdown(routes []edge.Resource) []edge.Resource {
	all := make([]edge.Resource, 0, 2*len(routes))
	for _, route := range routes {
		address := strings.TrimSuffix(route.Path, "{$}")
		version := s.markdown[address]
		if version == nil {
			all = append(all, route)
			continue
		}
		route.Get = negotiate(route.Get, version.Get)
		all = append(all, route, edge.Resource{Path: markdownPath(address), Get: version.Get, Page: true, Open: true})
	}
	return all
}

// negotiate serves the version that the client prefers. The documents set Vary for caches.
func negotiate(page, markdown edge.Handler) edge.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if edge.Prefers(r, "text/markdown", "text/html") {
			return markdown(w, r)
		}
		return page(w, r)
	}
}
