package web

import (
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

const plainType = "text/plain; charset=utf-8"

// Tell writes anew what depends on which services somebody covers somewhere. Pages for people say what holds either way.
func (s *Site) Tell(covered ...lead.Service) {
	short := markdown(s.brand.LLMsPage(covered...))
	s.llms.Put(edge.NewDocument(plainType, cacheOf("/llms.txt"), []byte(short)))
	s.llmsFull.Put(edge.NewDocument(plainType, cacheOf("/llms-full.txt"), []byte(short+s.more)))
}

// fullPaths are the pages that llms-full.txt holds behind llms.txt. The contract for buyers is not for assistants: it is
// linked.
var fullPaths = []string{"/plumbing", "/how-it-works", "/privacy", "/docs"}

// fullText joins pages into one document, each a level deeper than it stands alone.
func fullText(b catalog.Brand, pages map[string]string) string {
	var out strings.Builder
	for _, path := range fullPaths {
		if pages[path] != "" {
			out.WriteString("\n" + deeper(pages[path]) + "\nFrom " + b.URL(path) + "\n")
		}
	}
	return out.String()
}

// deeper moves every heading down a level, and leaves code alone.
func deeper(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	code := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "#") {
			lines[i] = "#" + line
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
