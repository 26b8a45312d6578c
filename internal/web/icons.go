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

// icons are the pictures by which browsers, phones and messengers know the site.
type icons struct {
	SameInPixels bool // the icons of pixels show what the drawing shows
	svg          []byte
	ico          []byte
	touch        []byte // for the first screen of a phone, 180 by 180
	small, large []byte // 192 and 512
	card         asset  // what messengers and social networks show of a link; they keep it long, so its address names its content
}

// ourAccent is the color of our own icons.
const ourAccent = "#0b5d56"

// newIcons draws the icons of a brand: its logo, where it is about as wide as high, or else our door in its color. A
// drawing cannot be turned into pixels here, so where the logo is one, browsers are offered the drawing only.
func newIcons(b catalog.Brand) (icons, error) {
	if b.Look.Accent == "" && b.Look.Logo == "" {
		return icons{true, iconSVG, iconICO, touchPNG, icon192, icon512, newAsset("card", "png", cardPNG)}, nil
	}
	hex := b.Look.Accent
	if hex == "" {
		hex = ourAccent
	}
	accent, err := colorOf(hex)
	if err != nil {
		return icons{}, err
	}
	logo, _ := png.Decode(strings.NewReader(b.Look.Logo)) // nil where it is a drawing, or there is none
	var shown picture = door{accent}
	x := icons{SameInPixels: true, svg: bytes.ReplaceAll(iconSVG, []byte(ourAccent), []byte(hex))}
	switch wide := b.Look.LogoWidth > 2*logoHeight; {
	case wide || b.Look.Logo == "":
	case logo != nil:
		shown, x.svg = framed{logo}, embedded(b.Look.Logo)
	default:
		x.SameInPixels, x.svg = false, []byte(b.Look.Logo)
	}
	whole := filled{shown, accent} // phones cut the corners themselves
	x.ico, x.touch, x.small, x.large = icoOf(pixels(shown, 32)), pixels(whole, 180), pixels(whole, 192), pixels(whole, 512)
	card, err := cardFor(accent, logo, b.Look.Logo == "")
	x.card = newAsset("card", "png", card)
	return x, err
}

// embedded is a drawing that holds a picture of pixels.
func embedded(logo string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><image width="32" height="32" href="data:image/png;base64,%s"/></svg>`,
		base64.StdEncoding.EncodeToString([]byte(logo)))
}

// icoOf wraps a picture of 32 by 32 as an icon file.
func icoOf(body []byte) []byte {
	const headerSize = 6 + 16
	head := make([]byte, headerSize)
	binary.LittleEndian.PutUint16(head[2:], 1) // an icon
	binary.LittleEndian.PutUint16(head[4:], 1) // one of them
	head[6], head[7] = 32, 32
	binary.LittleEndian.PutUint16(head[10:], 1)  // planes
	binary.LittleEndian.PutUint16(head[12:], 32) // bits of a pixel
	binary.LittleEndian.PutUint32(head[14:], uint32(len(body)))
	binary.LittleEndian.PutUint32(head[18:], headerSize)
	return append(head, body...)
}

// encoded is a picture as PNG.
func encoded(m image.Image) []byte {
	var out bytes.Buffer
	_ = png.Encode(&out, m) // of a picture that has a size, into memory: it does not fail
	return out.Bytes()
}

// routes serves the icons. A drawing that is opened by itself may run nothing.
func (x icons) routes() []edge.Resource {
	drawing := iconDocument("image/svg+xml", x.svg).With("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
	return []edge.Resource{
		{Path: "/favicon.ico", Doc: iconDocument("image/x-icon", x.ico)},
		{Path: "/favicon.svg", Doc: drawing},
		{Path: "/apple-touch-icon.png", Doc: iconDocument("image/png", x.touch)},
		{Path: "/icon-192.png", Doc: iconDocument("image/png", x.small)},
		{Path: "/icon-512.png", Doc: iconDocument("image/png", x.large)},
		{Path: x.card.path, Doc: x.card.document("image/png")},
	}
}

func iconDocument(contentType string, body []byte) *edge.Document {
	return edge.NewDocument(contentType, "public, max-age=86400", body)
}
