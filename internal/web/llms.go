package web

import (
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

const plainType = "text/plain; charset=utf-8"

// SetCoverage rewrites the documents that list which services are covered. Pages for people are worded so that they hold
// either way.
func (s *Site) SetCoverage(covered ...lead.Service) {
	short := markdown(s.brand.LLMsPage(covered...))
	s.llms.Put(edge.NewDocument(plainType, cacheOf("/llms.txt"), []byte(short)))
	s.llmsFull.Put(edge.NewDocument(plainType, cacheOf("/llms-full.txt"), []byte(short+s.llmsPages)))
}

// fullPaths are the pages that llms-full.txt appends to llms.txt. The contract for buyers is not for assistants, so
// llms.txt only links to it.
var fullPaths = []string{"/plumbing", "/how-it-works", "/privacy", "/docs"}

// fullText joins pages into one document, with each page's headings one level deeper.
func fullText(b catalog.Brand, pages map[string]string) string {
	var out strings.Builder
	for _, path := range fullPaths {
		if pages[path] != "" {
			out.WriteString("\n" + demoteHeadings(pages[path]) + "\nFrom " + b.URL(path) + "\n")
		}
	}
	return out.String()
}

// demoteHeadings moves every heading down one level, except inside code blocks.
func demoteHeadings(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	inCode := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if !inCode && strings.HasPrefix(line, "#") {
			lines[i] = "#" + line
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
