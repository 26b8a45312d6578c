package web

import (
	"strings"
	"testing"

	"foyer/internal/catalog"
)

func TestMarkdownAsHTML(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a paragraph":           {"One\ntwo.\n\nThree.", "<p>One two.</p>\n<p>Three.</p>\n"},
		"headings":              {"## Two steps\n### `a.b`", "<h2 id=\"two-steps\">Two steps</h2>\n<h3 id=\"a-b\"><code>a.b</code></h3>\n"},
		"a heading twice":       {"## A\n## A", "<h2 id=\"a\">A</h2>\n<h2 id=\"a-again\">A</h2>\n"},
		"a list":                {"- one\n  and on\n- two", "<ul>\n<li>one and on</li>\n<li>two</li>\n</ul>\n"},
		"a numbered list":       {"1. one\n2. two\n\nafter", "<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n<p>after</p>\n"},
		"a list behind a text":  {"These:\n- one", "<p>These:</p>\n<ul>\n<li>one</li>\n</ul>\n"},
		"code":                  {"```go\na := \"<b>\"\n\n# no heading\n```\nafter", "<pre tabindex=\"0\"><code>a := &#34;&lt;b&gt;&#34;\n\n# no heading</code></pre>\n<p>after</p>\n"},
		"code that never ends":  {"```\na", "<pre tabindex=\"0\"><code>a</code></pre>\n"},
		"bold, code and a link": {"**one `x`** `**two**` [three](https://example.com/?a=1&b=2)", "<p><strong>one <code>x</code></strong> <code>**two**</code> <a href=\"https://example.com/?a=1&amp;b=2\">three</a></p>\n"},
		"a remark":              {"<!-- sample: x -->\nOne.", "<p>One.</p>\n"},
		"tags are text":         {"<script>alert(1)</script> & <b>", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;</p>\n"},
		"a script is no link":   {"[press](javascript:alert(1))", "<p>press)</p>\n"},
		"nothing":               {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := renderMarkdown(c.text); string(got) != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestMarkdownTable(t *testing.T) {
	got, contents := renderMarkdown("## Codes\n\n| code | when |\n|---|---|\n| `a` | one \\| two |\n| `b` | <i> |\n\nafter")
	for _, want := range []string{
		`aria-label="Codes"`, `<th scope="col">code</th><th scope="col">when</th>`,
		`<th scope="row"><code>a</code></th><td>one | two</td>`, `<td>&lt;i&gt;</td>`, "</table>\n</div>\n<p>after</p>",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if len(contents) != 1 || contents[0] != (catalog.Link{Text: "Codes", Address: "#codes"}) {
		t.Errorf("the contents are %v", contents)
	}
}

func TestAPageAsMarkdown(t *testing.T) {
	got := markdown(catalog.Page{Heading: "Title", Opening: []string{"First.", "Second."}, Sections: []catalog.Section{
		{Heading: "All", Text: []string{"Text."}, Items: []string{"one", "two"}, Links: []catalog.Link{{Text: "Home", Address: "https://foyer.example.com/"}}},
		{Heading: "Parts", Parts: []catalog.Section{{Heading: "Part", Text: []string{"Within."}}}},
	}})
	const want = "# Title\n\n> First.\n\nSecond.\n\n## All\n\nText.\n\n- one\n- two\n\n- [Home](https://foyer.example.com/)\n" +
		"\n## Parts\n\n### Part\n\nWithin.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTable(t *testing.T) {
	const want = "\n| Name | Meaning |\n|---|---|\n| `a` | x\\|y |\n"
	if got := table([]string{"Name", "Meaning"}, [][]string{{"a", "x|y"}}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDemoteHeadings(t *testing.T) {
	if got := demoteHeadings("# A\n\n```sh\n# a remark\n```\n## B\n"); got != "## A\n\n```sh\n# a remark\n```\n### B\n" {
		t.Errorf("got %q", got)
	}
}

// Every page that search engines may list has a Markdown version, at its own address and by Accept.
func TestMarkdownVersions(t *testing.T) {
	site := newSite(t)
	server := serve(t, site)
	for address := range site.markdown {
		file, text := ask(t, server, "GET", markdownPath(address))
		if file.StatusCode != 200 || file.Header.Get("Content-Type") != markdownType || !strings.HasPrefix(text, "# ") {
			t.Errorf("%s: %d %s %.40q", markdownPath(address), file.StatusCode, file.Header.Get("Content-Type"), text)
		}
		if !strings.Contains(strings.Join(file.Header.Values("Link"), ","), `<`+origin+address+`>; rel="canonical"`) {
			t.Errorf("%s does not name its page: %v", address, file.Header)
		}
		for accept, want := range map[string]string{
			"text/markdown": markdownType, "text/markdown, text/html;q=0.5": markdownType,
			"text/html": htmlType, "text/html, text/markdown;q=0.5": htmlType, "*/*": htmlType,
		} {
			answer, body := ask(t, server, "GET", address, "Accept: "+accept)
			if got := answer.Header.Get("Content-Type"); answer.StatusCode != 200 || got != want {
				t.Errorf("%s for %s: %d %s", address, accept, answer.StatusCode, got)
			}
			if (want == markdownType) != (body == text) {
				t.Errorf("%s for %s is another text", address, accept)
			}
			if !strings.Contains(strings.Join(answer.Header.Values("Vary"), ", "), "Accept") {
				t.Errorf("%s for %s: caches are not told", address, accept)
			}
		}
	}
	for _, must := range []string{"/", "/plumbing", "/privacy", "/docs", "/docs/buyers"} {
		if site.markdown[must] == nil {
			t.Errorf("%s has no Markdown version", must)
		}
	}
	if _, text := ask(t, server, "GET", "/plumbing.md"); !strings.Contains(text, "(800) 555-0199") {
		t.Error("the Markdown version of the plumbing page does not tell the number")
	}
}
