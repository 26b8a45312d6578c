package web

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode"
)

// drawing is Markdown as HTML. It knows what our own pages use and no more: headings, paragraphs, lists, tables, code,
// bold, links. Everything else is text, and all text is escaped.
type drawing struct {
	headings []entry // those of the second level
	html     template.HTML
}

// entry is a line of a table of contents.
type entry struct {
	Text, ID string
}

// markdownRenderer draws Markdown block by block.
type markdownRenderer struct {
	lines    []string
	out      strings.Builder
	headings []entry
	heading  string         // the last one; tables are named after it
	ids      map[string]int // how often each id was taken
}

func renderMarkdown(text string) drawing {
	p := &markdownRenderer{lines: strings.Split(text, "\n"), ids: map[string]int{}}
	for len(p.lines) > 0 {
		p.block()
	}
	return drawing{p.headings, template.HTML(p.out.String())}
}

func (p *markdownRenderer) block() {
	switch line := p.lines[0]; {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "<!--"):
		p.lines = p.lines[1:]
	case strings.HasPrefix(line, "```"):
		p.code()
	case strings.HasPrefix(line, "#"):
		p.title()
	case strings.HasPrefix(line, "|"):
		p.table()
	case itemOf(line) != "":
		p.list()
	default:
		p.out.WriteString("<p>" + inline(strings.Join(p.take(startsBlock), " ")) + "</p>\n")
	}
}

// take takes the first line, and those behind it until one ends it.
func (p *markdownRenderer) take(ends func(string) bool) []string {
	n := 1
	for n < len(p.lines) && !ends(p.lines[n]) {
		n++
	}
	taken := p.lines[:n]
	p.lines = p.lines[n:]
	return taken
}

func startsBlock(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<!--") || itemOf(line) != ""
}

func (p *markdownRenderer) code() {
	taken := p.take(func(line string) bool { return strings.HasPrefix(line, "```") })
	if len(p.lines) > 0 {
		p.lines = p.lines[1:] // the fence that closes it
	}
	class := ""
	if language := strings.TrimPrefix(taken[0], "```"); language != "" {
		class = ` class="language-` + html.EscapeString(language) + `"`
	}
	p.out.WriteString(`<pre tabindex="0"><code` + class + ">" + html.EscapeString(strings.Join(taken[1:], "\n")) + "</code></pre>\n")
}

func (p *markdownRenderer) title() {
	level := len(p.lines[0]) - len(strings.TrimLeft(p.lines[0], "#"))
	text := strings.TrimSpace(p.lines[0][level:])
	p.lines = p.lines[1:]
	p.heading = strings.ReplaceAll(text, "`", "")
	id := p.id(p.heading)
	if level == 2 {
		p.headings = append(p.headings, entry{p.heading, id})
	}
	tag := "h" + string(rune('0'+min(level, 6)))
	p.out.WriteString("<" + tag + ` id="` + id + `">` + inline(text) + "</" + tag + ">\n")
}

// id makes a heading's address within the page, each of them once.
func (p *markdownRenderer) id(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	id := strings.Join(words, "-")
	p.ids[id]++
	if n := p.ids[id]; n > 1 {
		id += strings.Repeat("-again", n-1)
	}
	return id
}

// table draws a table. Its first column names the rows.
func (p *markdownRenderer) table() {
	rows := p.take(func(line string) bool { return !strings.HasPrefix(line, "|") })
	p.out.WriteString(`<div class="wide" role="group" aria-label="` + html.EscapeString(p.heading) + `" tabindex="0">` + "\n<table>\n<thead><tr>")
	for _, cell := range cells(rows[0]) {
		p.out.WriteString(`<th scope="col">` + inline(cell) + "</th>")
	}
	p.out.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range rows[min(2, len(rows)):] {
		p.out.WriteString("<tr>")
		for i, cell := range cells(row) {
			if i == 0 {
				p.out.WriteString(`<th scope="row">` + inline(cell) + "</th>")
			} else {
				p.out.WriteString("<td>" + inline(cell) + "</td>")
			}
		}
		p.out.WriteString("</tr>\n")
	}
	p.out.WriteString("</tbody>\n</table>\n</div>\n")
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

var itemMark = regexp.MustCompile(`^(- |[0-9]+\. )`)

// itemOf is the mark of a list's item, or "".
func itemOf(line string) string { return itemMark.FindString(line) }

func (p *markdownRenderer) list() {
	tag := "ul"
	if itemOf(p.lines[0]) != "- " {
		tag = "ol"
	}
	p.out.WriteString("<" + tag + ">\n")
	for len(p.lines) > 0 && itemOf(p.lines[0]) != "" {
		mark := itemOf(p.lines[0])
		item := strings.Join(p.take(startsBlock), " ")
		p.out.WriteString("<li>" + inline(strings.TrimPrefix(item, mark)) + "</li>\n")
	}
	p.out.WriteString("</" + tag + ">\n")
}

var marks = regexp.MustCompile("`([^`]+)`" + `|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)`)

// inline draws code, bold and links within a line.
func inline(text string) string {
	var out strings.Builder
	text = strings.Join(strings.Fields(text), " ")
	at := 0
	for _, m := range marks.FindAllStringSubmatchIndex(text, -1) {
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

// link draws a link to a page. Anything else, a script above all, stays text.
func link(text, address string) string {
	for _, scheme := range []string{"https://", "http://", "/", "#", "mailto:"} {
		if strings.HasPrefix(address, scheme) {
			return `<a href="` + html.EscapeString(address) + `">` + inline(text) + "</a>"
		}
	}
	return html.EscapeString(text)
}
