package web

import (
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

// theme is the operator's branding: a style sheet that comes last, a logo, footer lines.
type theme struct {
	Logo  *logo
	Style string   // the address of the style sheet
	Lines []string // in the footer
	Icons icons
	style asset
}

// logo is the image in the header. A wide logo replaces the name.
type logo struct {
	Address string
	Width   int
	Height  int
	Wide    bool
	asset   asset
	kind    string
}

const logoHeight = 32

func newTheme(b catalog.Brand) (t theme, err error) {
	if t.Icons, err = newIcons(b); err != nil {
		return t, err
	}
	if b.Foot != "" {
		t.Lines = strings.Split(b.Foot, "\n")
	}
	if css := brandCSS(b.Look); css != "" {
		t.style = newAsset("brand", "css", []byte(css))
		t.Style = b.URL(t.style.path)
	}
	if b.Look.Logo != "" {
		ext := strings.TrimSuffix(strings.TrimPrefix(b.Look.LogoType, "image/"), "+xml")
		file := newAsset("logo", ext, []byte(b.Look.Logo))
		t.Logo = &logo{b.URL(file.path), b.Look.LogoWidth, logoHeight, b.Look.LogoWidth > 2*logoHeight, file, b.Look.LogoType}
	}
	return t, nil
}

// brandCSS sets the operator's colors and adds their rules. Print stays black on white. Buttons have white text, or
// black in dark mode: both are readable, because the accent is checked for contrast with pages of about that color.
func brandCSS(l catalog.Look) string {
	var css strings.Builder
	if l.Accent != "" {
		css.WriteString("@media screen { :root { --accent: " + l.Accent + "; --accent-ink: #fff; } }\n" +
			"@media screen and (prefers-color-scheme: dark) { :root { --accent: " + l.AccentDark + "; --accent-ink: #000; } }\n")
	}
	if l.Logo != "" { // most logos are made for a light background
		css.WriteString("@media screen and (prefers-color-scheme: dark) { .brand img { box-sizing: content-box; padding: .3rem .5rem; border-radius: .4rem; background: #faf8f4; } }\n")
	}
	css.WriteString(l.Style)
	return css.String()
}

// routes serves the operator's files. The Content-Security-Policy keeps an SVG that is opened directly from running
// scripts.
func (t theme) routes() []edge.Resource {
	var routes []edge.Resource
	if t.Style != "" {
		routes = append(routes, edge.Resource{Path: t.style.path, Get: t.style.document("text/css; charset=utf-8").Get})
	}
	if t.Logo != nil {
		picture := t.Logo.asset.document(t.Logo.kind).With("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		routes = append(routes, edge.Resource{Path: t.Logo.asset.path, Get: picture.Get})
	}
	return routes
}
