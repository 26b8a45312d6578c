package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

var (
	pageColor = color.NRGBA{0xfa, 0xf8, 0xf4, 0xff} // the background color of our pages
	white     = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// parseColor parses #rrggbb, which package config has checked.
func parseColor(hex string) color.NRGBA {
	c := color.NRGBA{A: 0xff}
	_, _ = fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	return c
}

// encodePNG encodes an image as PNG.
func encodePNG(m image.Image) []byte {
	var out bytes.Buffer
	_ = png.Encode(&out, m) // cannot fail: the image is not empty, and the buffer is in memory
	return out.Bytes()
}

// recolored is an image of ours from x on in the operator's color. There it has shades between our color and light.
func recolored(file []byte, fromX int, light, accent color.NRGBA) *image.NRGBA {
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		panic(err) // our own file
	}
	ours := parseColor(ourAccent)
	out := image.NewNRGBA(m.Bounds())
	draw.Draw(out, out.Bounds(), m, m.Bounds().Min, draw.Src)
	for y := range out.Bounds().Dy() {
		for x := fromX; x < out.Bounds().Dx(); x++ {
			c := out.NRGBAAt(x, y)
			share := float64(int(light.R)-int(c.R)) / float64(light.R-ours.R)
			mix := func(light, accent uint8) uint8 { return uint8(float64(light)*(1-share) + float64(accent)*share + .5) }
			out.SetNRGBA(x, y, color.NRGBA{mix(light.R, accent.R), mix(light.G, accent.G), mix(light.B, accent.B), c.A})
		}
	}
	return out
}

// fitted scales a logo to a transparent square. It averages several samples for each pixel, so that edges are smooth.
func fitted(logo image.Image, side int) *image.NRGBA {
	b := logo.Bounds()
	length := max(b.Dx(), b.Dy())
	square := image.NewNRGBA(image.Rect(0, 0, length, length))
	draw.Draw(square, b.Sub(b.Min).Add(image.Pt((length-b.Dx())/2, (length-b.Dy())/2)), logo, b.Min, draw.Src)
	samples := min(8, 2+400/side)
	at := func(pixel, sample int) int { return (2*(pixel*samples+sample) + 1) * length / (2 * side * samples) }
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		var r, g, b, a int
		for s := range samples * samples {
			c := square.NRGBAAt(at(i%side, s%samples), at(i/side, s/samples))
			r, g, b, a = r+int(c.R)*int(c.A), g+int(c.G)*int(c.A), b+int(c.B)*int(c.A), a+int(c.A)
		}
		if a > 0 {
			out.SetNRGBA(i%side, i/side, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a / (samples * samples))})
		}
	}
	return out
}

// onPage is a logo on the color of our pages, because phones show transparent parts as black.
func onPage(logo image.Image, side int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	draw.Draw(out, out.Bounds(), image.NewUniform(pageColor), image.Point{}, draw.Src)
	margin := side / 10
	draw.Draw(out, out.Bounds().Inset(margin), fitted(logo, side-2*margin), image.Point{}, draw.Over)
	return out
}

// panel is the right side of the card.
var panel = image.Rect(780, 0, 1200, 630)

// cardFor is our card in the operator's color: with their logo, or with the door if they have none. If there is
// no PNG of the logo, the panel stays plain.
func cardFor(accent color.NRGBA, logo image.Image, withDoor bool) []byte {
	card := recolored(staticFile("card.png"), panel.Min.X, pageColor, accent)
	if !withDoor {
		draw.Draw(card, panel, image.NewUniform(accent), image.Point{}, draw.Src)
	}
	if logo != nil {
		const side = 300
		corner := panel.Min.Add(image.Pt((panel.Dx()-side)/2, (panel.Dy()-side)/2))
		draw.Draw(card, image.Rect(0, 0, side, side).Add(corner), onPage(logo, side), image.Point{}, draw.Src)
	}
	return encodePNG(card)
}
