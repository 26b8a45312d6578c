package config

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// measureSVG reads a whole drawing. Scripts, and what is loaded from elsewhere, are refused, because a browser leaves them out: it
// is told to run and load nothing for a logo. This check only tells the operator early, and need not find every way.
func measureSVG(body []byte) (width, height float64, err error) {
	tokens, inside := xml.NewDecoder(bytes.NewReader(body)), false
	for {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return width, height, nil
		}
		if err != nil {
			return 0, 0, err
		}
		if !harmless(token) {
			return 0, 0, errors.New("it runs or loads something")
		}
		e, isStart := token.(xml.StartElement)
		if !isStart || inside {
			continue
		}
		if !strings.EqualFold(e.Name.Local, "svg") {
			return 0, 0, errors.New("not a drawing")
		}
		inside = true
		width, height = viewBox(e.Attr)
	}
}

// harmless says that a part of a drawing runs nothing, and loads nothing that is not in the drawing itself.
func harmless(part xml.Token) bool {
	switch part := part.(type) {
	case xml.ProcInst:
		return part.Target != "xml-stylesheet"
	case xml.CharData:
		return ownStyle(string(part))
	case xml.StartElement:
		name := strings.ToLower(part.Name.Local)
		if name == "script" || name == "foreignobject" {
			return false
		}
		for _, a := range part.Attr {
			points := a.Name.Local == "href" || a.Name.Local == "src"
			if points && name != "a" && !ownReference(a.Value) || !ownStyle(a.Value) { // a link loads nothing by itself
				return false
			}
		}
	}
	return true
}

var styleReference = regexp.MustCompile(`(?i)url\s*\(\s*["']?([^"')]*)`)

// ownStyle says that CSS refers to nothing outside the drawing.
func ownStyle(css string) bool {
	for _, found := range styleReference.FindAllStringSubmatch(css, -1) {
		if !ownReference(found[1]) {
			return false
		}
	}
	return !strings.Contains(strings.ToLower(css), "@import")
}

// ownReference says that an address is a part of the drawing, or holds what it stands for.
func ownReference(address string) bool {
	address = strings.ToLower(strings.TrimSpace(address))
	return address == "" || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "data:")
}

func viewBox(attrs []xml.Attr) (width, height float64) {
	for _, a := range attrs {
		if parts := strings.FieldsFunc(a.Value, func(c rune) bool { return c == ' ' || c == ',' }); a.Name.Local == "viewBox" && len(parts) == 4 {
			width, _ = strconv.ParseFloat(parts[2], 64)
			height, _ = strconv.ParseFloat(parts[3], 64)
		}
	}
	return width, height
}
