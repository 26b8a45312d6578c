package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
)

// picture is a square image given as a function of position: x from left to right and y from top to bottom, 0 to 1.
type picture interface {
	colorAt(x, y float64) color.NRGBA
}

// pageColor is the background color of our pages.
var pageColor = color.NRGBA{0xfa, 0xf8, 0xf4, 0xff}

func parseColor(hex string) (c color.NRGBA, err error) {
	c.A = 0xff
	_, err = fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	return c, err
}

// doorIcon is our logo, as drawn in static/favicon.svg.
type doorIcon struct{ accent color.NRGBA }

func (d doorIcon) colorAt(x, y float64) color.NRGBA {
	x, y = x*32, y*32
	switch {
	case !inRounded(x, y, 32, 7):
		return color.NRGBA{}
	case inCircle(x, y, 19.5, 19, 1.6):
		return d.accent
	case x > 9 && x < 23 && y > 12 && y < 27, y <= 12 && inCircle(x, y, 16, 12, 7):
		return color.NRGBA{0xff, 0xff, 0xff, 0xff}
	}
	return d.accent
}

func inCircle(x, y, cx, cy, r float64) bool { return (x-cx)*(x-cx)+(y-cy)*(y-cy) < r*r }

// inRounded reports whether a point is inside a square with round corners.
func inRounded(x, y, side, r float64) bool {
	cx, cy := min(max(x, r), side-r), min(max(y, r), side-r)
	return inCircle(x, y, cx, cy, r) || x == cx || y == cy
}

// centeredLogo is a logo in the middle of a square, scaled to fit.
type centeredLogo struct{ logo image.Image }

func (f centeredLogo) colorAt(x, y float64) color.NRGBA {
	b := f.logo.Bounds()
	side := float64(max(b.Dx(), b.Dy()))
	px := b.Min.X + int(math.Floor(x*side-(side-float64(b.Dx()))/2))
	py := b.Min.Y + int(math.Floor(y*side-(side-float64(b.Dy()))/2))
	if !image.Pt(px, py).In(b) {
		return color.NRGBA{}
	}
	return color.NRGBAModel.Convert(f.logo.At(px, py)).(color.NRGBA)
}

// opaque is a picture without transparency, which phones show as black. The door gets its accent color in the corners,
// a logo gets the page color behind it.
type opaque struct {
	picture
	accent color.NRGBA
}

func (f opaque) colorAt(x, y float64) color.NRGBA {
	below := f.accent
	if _, logo := f.picture.(centeredLogo); logo {
		below, x, y = pageColor, (x-.1)/.8, (y-.1)/.8
	}
	if x < 0 || x >= 1 || y < 0 || y >= 1 {
		return below
	}
	return blend(f.picture.colorAt(x, y), below)
}

func blend(c, below color.NRGBA) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A))) / 255) }
	return color.NRGBA{mix(c.R, below.R), mix(c.G, below.G), mix(c.B, below.B), 0xff}
}

// renderPNG renders a picture as a PNG with the given side in pixels.
func renderPNG(p picture, side int) []byte { return encodePNG(rasterize(p, side)) }

// rasterize averages several samples for each pixel, so that edges are smooth. Small pictures get more samples.
func rasterize(p picture, side int) *image.NRGBA {
	samples := min(8, 2+400/side)
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	step := 1 / float64(side*samples)
	for py := range side {
		for px := range side {
			var r, g, b, a int
			for i := range samples * samples {
				c := p.colorAt((float64(px*samples+i%samples)+.5)*step, (float64(py*samples+i/samples)+.5)*step)
				r, g, b, a = r+int(c.R)*int(c.A), g+int(c.G)*int(c.A), b+int(c.B)*int(c.A), a+int(c.A)
			}
			if a > 0 {
				out.SetNRGBA(px, py, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a / (samples * samples))})
			}
		}
	}
	return out
}

// panel is the right side of the card.
var panel = image.Rect(780, 0, 1200, 630)

// cardFor is our card in the operator's color: with their logo, or with the door if they have none. If there is
// no PNG of the logo, the panel stays plain.
func cardFor(accent color.NRGBA, logo image.Image, withDoor bool) ([]byte, error) {
	base, err := png.Decode(bytes.NewReader(cardPNG))
	if err != nil {
		return nil, err
	}
	card := image.NewNRGBA(base.Bounds())
	draw.Draw(card, card.Bounds(), base, base.Bounds().Min, draw.Src)
	draw.Draw(card, panel, image.NewUniform(accent), image.Point{}, draw.Src)
	switch {
	case logo != nil:
		const side = 300
		middle := image.Rect(0, 0, side, side).Add(panel.Min).Add(image.Pt((panel.Dx()-side)/2, (panel.Dy()-side)/2))
		draw.Draw(card, middle, rasterize(logoPlate{centeredLogo{logo}}, side), image.Point{}, draw.Over)
	case withDoor:
		draw.Draw(card, panel, rasterize(cardDoor{accent}, panel.Dy()), image.Point{}, draw.Over)
	}
	return encodePNG(card), nil
}

// logoPlate is a logo on a background with round corners.
type logoPlate struct{ logo centeredLogo }

func (p logoPlate) colorAt(x, y float64) color.NRGBA {
	if !inRounded(x, y, 1, .1) {
		return color.NRGBA{}
	}
	return opaque{picture: p.logo}.colorAt(x, y)
}

// cardDoor is the door on the card, in a square with a side of 630 pixels of which only the left part shows.
type cardDoor struct{ accent color.NRGBA }

func (d cardDoor) colorAt(x, y float64) color.NRGBA {
	x, y = x*630, y*630
	switch {
	case inCircle(x, y, 286, 452, 17):
		return d.accent
	case x > 90 && x < 330 && y > 300, y <= 300 && inCircle(x, y, 210, 300, 120):
		return pageColor
	}
	return d.accent
}
