package web

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/look"
)

// theme is the operator's branding: a style sheet that comes last, a logo, footer lines.
type theme struct {
	Logo   *logo
	Style  string   // the address of the style sheet
	Lines  []string // in the footer
	Icons  icons
	routes []edge.Resource // of the style sheet and the logo
}

// logo is the image in the header. A wide logo replaces the name.
type logo struct {
	Address string
	Width   int
	Height  int
	Wide    bool
}

const logoHeight = 32

func newTheme(b catalog.Brand) theme {
	t := theme{Icons: newIcons(b)}
	if b.Foot != "" {
		t.Lines = strings.Split(b.Foot, "\n")
	}
	if css := look.BrandCSS(b.Look); css != "" {
		style := look.NewAsset("brand.css", []byte(css))
		t.Style = b.URL(style.Path)
		t.routes = append(t.routes, style.Route())
	}
	if b.Look.Logo != "" {
		ext := strings.TrimSuffix(strings.TrimPrefix(b.Look.LogoType, "image/"), "+xml")
		file := look.NewAsset("logo."+ext, []byte(b.Look.Logo))
		t.Logo = &logo{b.URL(file.Path), b.Look.LogoWidth, logoHeight, b.Look.LogoWidth > 2*logoHeight}
		// The policy keeps an SVG that is opened directly from running scripts.
		picture := file.Document().With("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		t.routes = append(t.routes, edge.Resource{Path: file.Path, Get: picture.Get})
	}
	return t
}

// icons are the images that browsers, phones and messengers show for the site.
type icons struct {
	SameInPixels bool // the PNG icons show the same image as the SVG
	svg          []byte
	ico          []byte
	touch        []byte     // for the home screen of a phone, 180 by 180
	small, large []byte     // 192 and 512 pixels square
	Card         look.Asset // what messengers and social networks show for a link; they cache it for long
}

// ourAccent is the color of Foyer's own icons.
const ourAccent = "#0b5d56"

// newIcons makes the icons of a brand: its logo, if that is about as wide as it is high, or else our door in the
// brand's color. We cannot rasterize SVG here, so if the logo is an SVG without a PNG, browsers are offered only the SVG.
func newIcons(b catalog.Brand) icons {
	ic := icons{
		true, staticFile("favicon.svg"), staticFile("favicon.ico"),
		staticFile("icon-180.png"), staticFile("icon-192.png"), staticFile("icon-512.png"), look.NewAsset("card.png", staticFile("card.png")),
	}
	if b.Look.Accent == "" && b.Look.Logo == "" {
		return ic
	}
	hex := cmp.Or(b.Look.Accent, ourAccent)
	accent := parseColor(hex)
	logo, _ := png.Decode(strings.NewReader(b.Look.PNG())) // nil if there is no PNG
	ic.svg = bytes.ReplaceAll(ic.svg, []byte(ourAccent), []byte(hex))
	square := b.Look.Logo != "" && b.Look.LogoWidth <= 2*logoHeight
	if square {
		ic.SameInPixels, ic.svg = logo != nil, logoSVG(b.Look)
	}
	if square && logo != nil {
		ic.ico, ic.touch = encodeICO(fitted(logo, 32)), encodePNG(onPage(logo, 180))
		ic.small, ic.large = encodePNG(onPage(logo, 192)), encodePNG(onPage(logo, 512))
	} else {
		door := func(file []byte) image.Image { return recolored(file, 0, white, accent) }
		ic.ico, ic.touch = encodeICO(door(ic.ico[icoHeader:])), encodePNG(door(ic.touch))
		ic.small, ic.large = encodePNG(door(ic.small)), encodePNG(door(ic.large))
	}
	ic.Card = look.NewAsset("card.png", cardFor(accent, logo, b.Look.Logo == ""))
	return ic
}

// logoSVG returns the logo as an SVG, which a PNG is wrapped in.
func logoSVG(l catalog.Look) []byte {
	if l.LogoType != "image/png" {
		return []byte(l.Logo)
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><image width="32" height="32" href="data:image/png;base64,%s"/></svg>`,
		base64.StdEncoding.EncodeToString([]byte(l.Logo)))
}

// icoHeader is the size of the header of our icon file: one image of 32 by 32 pixels, a PNG.
const icoHeader = 6 + 16

// encodeICO makes an icon file of an image of that size.
func encodeICO(m image.Image) []byte {
	body := encodePNG(m)
	head := bytes.Clone(staticFile("favicon.ico")[:icoHeader])
	binary.LittleEndian.PutUint32(head[14:], uint32(len(body)))
	return append(head, body...)
}

// routes serves the icons. The Content-Security-Policy keeps an SVG that is opened directly from running scripts.
func (ic icons) routes() []edge.Resource {
	svg := iconDocument("image/svg+xml", ic.svg).With("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
	return []edge.Resource{
		{Path: "/favicon.ico", Get: iconDocument("image/x-icon", ic.ico).Get},
		{Path: "/favicon.svg", Get: svg.Get},
		{Path: "/apple-touch-icon.png", Get: iconDocument("image/png", ic.touch).Get},
		{Path: "/icon-192.png", Get: iconDocument("image/png", ic.small).Get},
		{Path: "/icon-512.png", Get: iconDocument("image/png", ic.large).Get},
		ic.Card.Route(),
	}
}

func iconDocument(contentType string, body []byte) *edge.Document {
	return edge.NewDocument(contentType, "public, max-age=86400", body)
}
