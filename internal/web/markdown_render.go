package web

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode"

	"foyer/internal/catalog"
)

// markdownRenderer renders Markdown block by block.
type markdownRenderer struct {
	lines    []string
	out      strings.Builder
	headings []catalog.Link // to the headings of level 2
	heading  string         // the last heading, which labels the tables below it
	ids      map[string]int // how often each id was used
}

// renderMarkdown renders Markdown as HTML, with its table of contents. It supports only what our own pages use: headings,
// paragraphs, lists, tables, code, bold, links. Everything else is text, and all text is escaped.
func renderMarkdown(text string) (template.HTML, []catalog.Link) {
	r := &markdownRenderer{lines: strings.Split(text, "\n"), ids: map[string]int{}}
	for len(r.lines) > 0 {
		r.renderBlock()
	}
	return template.HTML(r.out.String()), r.headings
}

func (r *markdownRenderer) renderBlock() {
	switch line := r.lines[0]; {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "<!--"):
		r.lines = r.lines[1:]
	case strings.HasPrefix(line, "```"):
		r.renderCode()
	case strings.HasPrefix(line, "#"):
		r.renderHeading()
	case strings.HasPrefix(line, "|"):
		r.renderTable()
	case listMarker(line) != "":
		r.renderList()
	default:
		r.out.WriteString("<p>" + inline(strings.Join(r.takeLines(startsBlock), " ")) + "</p>\n")
	}
}

// takeLines removes and returns the first line and those after it, up to the first line for which ends is true.
func (r *markdownRenderer) takeLines(ends func(string) bool) []string {
	n := 1
	for n < len(r.lines) && !ends(r.lines[n]) {
		n++
	}
	taken := r.lines[:n]
	r.lines = r.lines[n:]
	return taken
}

func startsBlock(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<!--") || listMarker(line) != ""
}

func (r *markdownRenderer) renderCode() {
	taken := r.takeLines(func(line string) bool { return strings.HasPrefix(line, "```") })
	if len(r.lines) > 0 {
		r.lines = r.lines[1:] // the closing fence
	}
	r.out.WriteString(`<pre tabindex="0"><code>` + html.EscapeString(strings.Join(taken[1:], "\n")) + "</code></pre>\n")
}

func (r *markdownRenderer) renderHeading() {
	level := len(r.lines[0]) - len(strings.TrimLeft(r.lines[0], "#"))
	text := strings.TrimSpace(r.lines[0][level:])
	r.lines = r.lines[1:]
	r.heading = strings.ReplaceAll(text, "`", "")
	id := r.headingID(r.heading)
	if level == 2 {
		r.headings = append(r.headings, catalog.Link{Text: r.heading, Address: "#" + id})
	}
	tag := "h" + string(rune('0'+min(level, 6)))
	r.out.WriteString("<" + tag + ` id="` + id + `">` + inline(text) + "</" + tag + ">\n")
}

// headingID makes a unique id for a heading.
func (r *markdownRenderer) headingID(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	id := strings.Join(words, "-")
	r.ids[id]++
	return id + strings.Repeat("-again", r.ids[id]-1)
}

// renderTable renders a table. Its first column holds row headers.
func (r *markdownRenderer) renderTable() {
	rows := r.takeLines(func(line string) bool { return !strings.HasPrefix(line, "|") })
	r.out.WriteString(`<div class="wide" role="group" aria-label="` + html.EscapeString(r.heading) + `" tabindex="0">` + "\n<table>\n<thead><tr>")
	for _, cell := range cells(rows[0]) {
		r.out.WriteString(`<th scope="col">` + inline(cell) + "</th>")
	}
	r.out.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range rows[min(2, len(rows)):] {
		r.out.WriteString("<tr>")
		for i, cell := range cells(row) {
			if i == 0 {
				r.out.WriteString(`<th scope="row">` + inline(cell) + "</th>")
			} else {
				r.out.WriteString("<td>" + inline(cell) + "</td>")
			}
		}
		r.out.WriteString("</tr>\n")
	}
	r.out.WriteString("</tbody>\n</table>\n</div>\n")
}

// cells splits a row at the bars that are not escaped.
func cells(row string) []string {
	const escaped = "\x00"
	row = strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(row), `\|`, escaped), "|"), "|")
	all := strings.Split(row, "|")
	for i := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(all[i]), escaped, "|")
	}
	return all
}

var itemPattern = regexp.MustCompile(`^(- |[0-9]+\. )`)

// listMarker is the marker of a list item, or "".
func listMarker(line string) string { return itemPattern.FindString(line) }

func (r *markdownRenderer) renderList() {
	tag := "ul"
	if listMarker(r.lines[0]) != "- " {
		tag = "ol"
	}
	r.out.WriteString("<" + tag + ">\n")
	for len(r.lines) > 0 && listMarker(r.lines[0]) != "" {
		mark := listMarker(r.lines[0])
		item := strings.Join(r.takeLines(startsBlock), " ")
		r.out.WriteString("<li>" + inline(strings.TrimPrefix(item, mark)) + "</li>\n")
	}
	r.out.WriteString("</" + tag + ">\n")
}

var inlinePattern = regexp.MustCompile("`([^`]+)`" + `|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)`)

// inline renders code, bold and links within a line.
func inline(text string) string {
	var out strings.Builder
	text = strings.Join(strings.Fields(text), " ")
	at := 0
	for _, m := range inlinePattern.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(html.EscapeString(text[at:m[0]]))
		at = m[1]
		switch {
		case m[2] >= 0:
			out.WriteString("<code>" + html.EscapeString(text[m[2]:m[3]]) + "</code>")
		case m[4] >= 0:
			out.WriteString("<strong>" + inline(text[m[4]:m[5]]) + "</strong>")
		default:
			out.WriteString(link(text[m[6]:m[7]], text[m[8]:m[9]]))
		}
	}
	return out.String() + html.EscapeString(text[at:])
}

// link renders a link with a safe scheme. Any other, such as javascript:, stays text.
func link(text, address string) string {
	for _, scheme := range []string{"https://", "http://", "/", "#", "mailto:"} {
		if strings.HasPrefix(address, scheme) {
			return `<a href="` + html.EscapeString(address) + `">` + inline(text) + "</a>"
		}
	}
	return html.EscapeString(text)
}
