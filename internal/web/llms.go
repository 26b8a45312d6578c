package web

import (
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

func llmsDocument(b catalog.Brand, sold []lead.Service) *edge.Document {
	return edge.NewDocument("text/plain; charset=utf-8", cacheOf("/llms.txt"), []byte(markdown(b.LLMsPage(sold...))))
}

// markdown writes a page as llms.txt wants it: a title, a quoted summary, then sections with lists.
func markdown(p catalog.Page) string {
	var out strings.Builder
	out.WriteString("# " + p.Heading + "\n")
	for i, text := range p.Opening {
		if i == 0 {
			text = "> " + text
		}
		out.WriteString("\n" + text + "\n")
	}
	for _, section := range p.Sections {
		out.WriteString("\n## " + section.Heading + "\n")
		for _, text := range section.Text {
			out.WriteString("\n" + text + "\n")
		}
		if items := list(section); items != "" {
			out.WriteString("\n" + items)
		}
	}
	return out.String()
}

func list(section catalog.Section) string {
	var out strings.Builder
	for _, item := range section.Items {
		out.WriteString("- " + item + "\n")
	}
	for _, link := range section.Links {
		out.WriteString("- [" + link.Text + "](" + link.Address + ")\n")
	}
	return out.String()
}
