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

// svgSize checks a whole SVG and returns its size. It refuses scripts and external resources, because a browser would
// ignore them: our headers tell it to run and load nothing for a logo. The check only warns the operator early, and need
// not be complete.
func svgSize(body []byte) (width, height float64, err error) {
	tokens, inside := xml.NewDecoder(bytes.NewReader(body)), false
	for {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return width, height, nil
		}
		if err != nil {
			return 0, 0, err
		}
		if !isSafe(token) {
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

// isSafe reports whether a token runs nothing and loads nothing from outside the SVG.
func isSafe(token xml.Token) bool {
	switch token := token.(type) {
	case xml.ProcInst:
		return token.Target != "xml-stylesheet"
	case xml.CharData:
		return isLocalCSS(string(token))
	case xml.StartElement:
		name := strings.ToLower(token.Name.Local)
		if name == "script" || name == "foreignobject" {
			return false
		}
		for _, a := range token.Attr {
			isReference := a.Name.Local == "href" || a.Name.Local == "src"
			if isReference && name != "a" && !isLocalReference(a.Value) || !isLocalCSS(a.Value) { // a link loads nothing by itself
				return false
			}
		}
	}
	return true
}

var styleReference = regexp.MustCompile(`(?i)url\s*\(\s*["']?([^"')]*)`)

// isLocalCSS reports whether CSS refers to nothing outside the SVG.
func isLocalCSS(css string) bool {
	for _, found := range styleReference.FindAllStringSubmatch(css, -1) {
		if !isLocalReference(found[1]) {
			return false
		}
	}
	return !strings.Contains(strings.ToLower(css), "@import")
}

// isLocalReference reports whether an address is a fragment of the SVG or a data URL.
func isLocalReference(address string) bool {
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
