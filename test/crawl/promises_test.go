package crawl

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// forbiddenWords reads the words of promise from the source that defines them, so that there is one list.
var forbiddenWords = sync.OnceValue(func() *regexp.Regexp {
	const file, name = "../../internal/catalog/words_test.go", "forbidden"
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	var pattern string
	ast.Inspect(tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == name && len(v.Values) == 1 {
			ast.Inspect(v.Values[0], func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok {
					pattern, _ = strconv.Unquote(text.Value)
				}
				return true
			})
		}
		return true
	})
	if pattern == "" {
		panic(file + " has no list " + name)
	}
	return regexp.MustCompile(pattern)
})

// findPromises returns the sentences of a document that contain a word of promise.
func findPromises(p *Page) []string {
	var found []string
	for _, text := range p.texts() {
		if at := forbiddenWords().FindStringIndex(text); at != nil {
			found = append(found, text[max(0, at[0]-40):min(len(text), at[1]+40)])
		}
	}
	return found
}

// texts returns what a person or an assistant reads of a document, without styles, scripts and images.
func (p *Page) texts() []string {
	switch t := p.mediaType(); {
	case p.IsHTML():
		return p.textsInHTML()
	case strings.HasSuffix(t, "json"):
		var v any
		if json.Unmarshal(p.Body, &v) != nil {
			return []string{string(p.Body)}
		}
		return textsInJSON(v)
	case t == "text/plain" || t == "text/markdown":
		return []string{string(p.Body)}
	}
	return nil
}

func (p *Page) textsInHTML() []string {
	var texts []string
	for _, e := range p.Elements {
		if e.Name == "title" || e.Name == "body" {
			texts = append(texts, strings.Join(strings.Fields(e.Text), " ")) // across tags and line breaks
		}
		for _, attr := range []string{"title", "alt", "placeholder", "aria-label", "content", "value"} {
			if text := e.Attr[attr]; !color.MatchString(text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// color matches colors, which would otherwise look like the claim to be number one.
var color = regexp.MustCompile(`^#[0-9A-Fa-f]{3,8}$`)

func textsInJSON(v any) []string {
	var texts []string
	switch v := v.(type) {
	case string:
		if !color.MatchString(v) {
			texts = append(texts, v)
		}
	case []any:
		for _, each := range v {
			texts = append(texts, textsInJSON(each)...)
		}
	case map[string]any:
		for _, each := range v {
			texts = append(texts, textsInJSON(each)...)
		}
	}
	return texts
}
