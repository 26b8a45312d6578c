package web

import (
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

// theme is what the operator's look adds to the pages: a style sheet that comes last, a logo, lines at the foot.
type theme struct {
	Logo  *logo
	Style string   // the address of a style sheet
	Lines []string // at the foot
	Icons icons
	style asset
}

// logo is a picture of the header. A wide one stands in place of the name.
type logo struct {
	Address string
	Width   int
	Height  int
	Wide    bool
	asset   asset
	kind    string
}

const logoHeight = 32

func newTheme(b catalog.Brand) (d theme, err error) {
	if d.Icons, err = newIcons(b); err != nil {
		return d, err
	}
	if b.Foot != "" {
		d.Lines = strings.Split(b.Foot, "\n")
	}
	if css := ownStyle(b.Look); css != "" {
		d.style = newAsset("brand", "css", []byte(css))
		d.Style = b.URL(d.style.path)
	}
	if b.Look.Logo != "" {
		ext := strings.TrimSuffix(strings.TrimPrefix(b.Look.LogoType, "image/"), "+xml")
		file := newAsset("logo", ext, []byte(b.Look.Logo))
		d.Logo = &logo{b.URL(file.path), b.Look.LogoWidth, logoHeight, b.Look.LogoWidth > 2*logoHeight, file, b.Look.LogoType}
	}
	return d, nil
}

// ownStyle sets the operator's colours, and adds their rules. Paper stays black on white. Buttons have white text, or black
// in the dark: both can be read, because the accent can be read on pages of about that colour.
func ownStyle(l catalog.Look) string {
	var css strings.Builder
	if l.Accent != "" {
		css.WriteString("@media screen { :root { --accent: " + l.Accent + "; --accent-ink: #fff; } }\n" +
			"@media screen and (prefers-color-scheme: dark) { :root { --accent: " + l.AccentDark + "; --accent-ink: #000; } }\n")
	}
	if l.Logo != "" { // most logos are drawn for light ground
		css.WriteString("@media screen and (prefers-color-scheme: dark) { .brand img { box-sizing: content-box; padding: .3rem .5rem; border-radius: .4rem; background: #faf8f4; } }\n")
	}
	css.WriteString(l.Style)
	return css.String()
}

// routes serves the operator's files. A drawing that is opened by itself may run nothing.
func (d theme) routes() []edge.Resource {
	var menu []edge.Resource
	if d.Style != "" {
		menu = append(menu, edge.Resource{Path: d.style.path, Doc: d.style.document("text/css; charset=utf-8")})
	}
	if d.Logo != nil {
		picture := d.Logo.asset.document(d.Logo.kind).With("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		menu = append(menu, edge.Resource{Path: d.Logo.asset.path, Doc: picture})
	}
	return menu
}
