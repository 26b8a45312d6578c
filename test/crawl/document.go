package crawl

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// Element is one tag of a page, with the text inside it.
type Element struct {
	Name string
	Attr map[string]string
	Text string
}

// void are the elements that have no end tag.
var void = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// elements parses the tags of a page in order. It refuses pages with broken quotes or brackets.
func elements(page []byte) ([]*Element, error) {
	tokens := xml.NewDecoder(bytes.NewReader(page))
	tokens.Strict, tokens.Entity = false, xml.HTMLEntity
	var all, open []*Element
	for {
		token, err := tokens.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return all, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := newElement(token)
			all = append(all, e)
			if !slices.Contains(void, e.Name) {
				open = append(open, e)
			}
		case xml.EndElement:
			open = closed(open, strings.ToLower(token.Name.Local))
		case xml.CharData:
			for _, e := range open {
				e.Text += string(token)
			}
		}
	}
}

func newElement(token xml.StartElement) *Element {
	e := &Element{Name: strings.ToLower(token.Name.Local), Attr: make(map[string]string, len(token.Attr))}
	for _, a := range token.Attr {
		name := strings.ToLower(a.Name.Local)
		if a.Name.Space != "" {
			name = strings.ToLower(a.Name.Space) + ":" + name
		}
		e.Attr[name] = a.Value
	}
	return e
}

// closed removes an element, and everything still open inside it.
func closed(open []*Element, name string) []*Element {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].Name == name {
			return open[:i]
		}
	}
	return open
}

// is reports whether an attribute that holds a list of words contains this one.
func (e *Element) is(attr, word string) bool {
	return slices.Contains(strings.Fields(strings.ToLower(e.Attr[attr])), word)
}
