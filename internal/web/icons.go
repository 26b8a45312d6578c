package web

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

var (
	//go:embed static/favicon.svg
	iconSVG []byte
	//go:embed static/favicon.ico
	iconICO []byte
	//go:embed static/icon-180.png
	touchPNG []byte
	//go:embed static/icon-192.png
	icon192 []byte
	//go:embed static/icon-512.png
	icon512 []byte
	//go:embed static/card.png
	cardPNG []byte
)

// icons are the images that browsers, phones and messengers show for the site.
type icons struct {
	SameInPixels bool // the PNG icons show the same image as the SVG
	svg          []byte
	ico          []byte
	touch        []byte // for the home screen of a phone, 180 by 180
	small, large []byte // 192 and 512 pixels square
	card         asset  // what messengers and social networks show for a link; they cache it for long, so its address contains a hash of its content
}

// ourAccent is the color of Foyer's own icons.
const ourAccent = "#0b5d56"

// newIcons makes the icons of a brand: its logo, if that is about as wide as it is high, or else our door in the
// brand's color. We cannot rasterize SVG here, so if the logo is an SVG without a PNG, browsers are offered only the SVG.
func newIcons(b catalog.Brand) (icons, error) {
	if b.Look.Accent == "" && b.Look.Logo == "" {
		return icons{true, iconSVG, iconICO, touchPNG, icon192, icon512, newAsset("card", "png", cardPNG)}, nil
	}
	hex := b.Look.Accent
	if hex == "" {
		hex = ourAccent
	}
	accent, err := parseColor(hex)
	if err != nil {
		return icons{}, err
	}
	logo, _ := png.Decode(strings.NewReader(b.Look.PNG())) // nil if there is no PNG
	ic := icons{SameInPixels: true, svg: bytes.ReplaceAll(iconSVG, []byte(ourAccent), []byte(hex))}
	square := b.Look.Logo != "" && b.Look.LogoWidth <= 2*logoHeight
	if square {
		ic.SameInPixels, ic.svg = logo != nil, logoSVG(b.Look)
	}
	if square && logo != nil {
		ic.ico, ic.touch, ic.small, ic.large = encodeICO(fitted(logo, 32)), encodePNG(onPage(logo, 180)), encodePNG(onPage(logo, 192)), encodePNG(onPage(logo, 512))
	} else {
		door := func(file []byte) image.Image { return recolored(file, 0, white, accent) }
		ic.ico, ic.touch, ic.small, ic.large = encodeICO(door(iconICO[icoHeader:])), encodePNG(door(touchPNG)), encodePNG(door(icon192)), encodePNG(door(icon512))
	}
	ic.card = newAsset("card", "png", cardFor(accent, logo, b.Look.Logo == ""))
	return ic, nil
}

// logoSVG returns the logo as an SVG.
func logoSVG(l catalog.Look) []byte {
	if l.LogoType == "image/png" {
		return svgWithImage(l.Logo)
	}
	return []byte(l.Logo)
}

// svgWithImage wraps a PNG in an SVG.
func svgWithImage(logo string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><image width="32" height="32" href="data:image/png;base64,%s"/></svg>`,
		base64.StdEncoding.EncodeToString([]byte(logo)))
}

// icoHeader is the size of the header of our icon file: one image of 32 by 32 pixels, a PNG.
const icoHeader = 6 + 16

// encodeICO makes an icon file of an image of that size.
func encodeICO(m image.Image) []byte {
	body := encodePNG(m)
	head := bytes.Clone(iconICO[:icoHeader])
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
		{Path: ic.card.path, Get: ic.card.document("image/png").Get},
	}
}

func iconDocument(contentType string, body []byte) *edge.Document {
	return edge.NewDocument(contentType, "public, max-age=86400", body)
}
