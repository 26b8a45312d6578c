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

// picture tells the color at a place of a square: 0 to 1 from left to right and from top to bottom.
type picture interface {
	at(x, y float64) color.NRGBA
}

// paper is the color of our pages.
var paper = color.NRGBA{0xfa, 0xf8, 0xf4, 0xff}

func colorOf(hex string) (c color.NRGBA, err error) {
	c.A = 0xff
	_, err = fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	return c, err
}

// door is our mark, as static/favicon.svg draws it.
type door struct{ accent color.NRGBA }

func (d door) at(x, y float64) color.NRGBA {
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

// inRounded says that a place is inside a square with round corners.
func inRounded(x, y, side, r float64) bool {
	cx, cy := min(max(x, r), side-r), min(max(y, r), side-r)
	return inCircle(x, y, cx, cy, r) || x == cx || y == cy
}

// framed is a logo in the middle of a square, as large as it can be.
type framed struct{ logo image.Image }

func (f framed) at(x, y float64) color.NRGBA {
	b := f.logo.Bounds()
	side := float64(max(b.Dx(), b.Dy()))
	px := b.Min.X + int(math.Floor(x*side-(side-float64(b.Dx()))/2))
	py := b.Min.Y + int(math.Floor(y*side-(side-float64(b.Dy()))/2))
	if !image.Pt(px, py).In(b) {
		return color.NRGBA{}
	}
	return color.NRGBAModel.Convert(f.logo.At(px, py)).(color.NRGBA)
}

// filled is a picture without holes: phones paint them black. Our door fills its corners, a logo lies on paper.
type filled struct {
	picture
	accent color.NRGBA
}

func (f filled) at(x, y float64) color.NRGBA {
	below := f.accent
	if _, logo := f.picture.(framed); logo {
		below, x, y = paper, (x-.1)/.8, (y-.1)/.8
	}
	if x < 0 || x >= 1 || y < 0 || y >= 1 {
		return below
	}
	return over(f.picture.at(x, y), below)
}

func over(c, below color.NRGBA) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A))) / 255) }
	return color.NRGBA{mix(c.R, below.R), mix(c.G, below.G), mix(c.B, below.B), 0xff}
}

// pixels draws a picture as a PNG of this many pixels on each side.
func pixels(p picture, side int) []byte { return encoded(sampled(p, side)) }

// sampled takes the mean of several places for each pixel, so that edges are smooth. Small pictures need more of them.
func sampled(p picture, side int) *image.NRGBA {
	fine := min(8, 2+400/side)
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	step := 1 / float64(side*fine)
	for py := range side {
		for px := range side {
			var r, g, b, a int
			for i := range fine * fine {
				c := p.at((float64(px*fine+i%fine)+.5)*step, (float64(py*fine+i/fine)+.5)*step)
				r, g, b, a = r+int(c.R)*int(c.A), g+int(c.G)*int(c.A), b+int(c.B)*int(c.A), a+int(c.A)
			}
			if a > 0 {
				out.SetNRGBA(px, py, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a / (fine * fine))})
			}
		}
	}
	return out
}

// The panel on the right of the card.
var panel = image.Rect(780, 0, 1200, 630)

// cardFor is our card in the operator's color: with their logo, or with the door where they have none. A logo that is a
// drawing leaves the panel plain.
func cardFor(accent color.NRGBA, logo image.Image, withDoor bool) ([]byte, error) {
	ours, err := png.Decode(bytes.NewReader(cardPNG))
	if err != nil {
		return nil, err
	}
	card := image.NewNRGBA(ours.Bounds())
	draw.Draw(card, card.Bounds(), ours, ours.Bounds().Min, draw.Src)
	draw.Draw(card, panel, image.NewUniform(accent), image.Point{}, draw.Src)
	switch {
	case logo != nil:
		const side = 300
		middle := image.Rect(0, 0, side, side).Add(panel.Min).Add(image.Pt((panel.Dx()-side)/2, (panel.Dy()-side)/2))
		draw.Draw(card, middle, sampled(plate{framed{logo}}, side), image.Point{}, draw.Over)
	case withDoor:
		draw.Draw(card, panel, sampled(doorway{accent}, panel.Dy()), image.Point{}, draw.Over)
	}
	return encoded(card), nil
}

// plate is a logo on a sheet of paper with round corners.
type plate struct{ logo framed }

func (p plate) at(x, y float64) color.NRGBA {
	if !inRounded(x, y, 1, .1) {
		return color.NRGBA{}
	}
	return filled{picture: p.logo}.at(x, y)
}

// doorway is the door of the card, in a square of 630 of which the left part is seen.
type doorway struct{ accent color.NRGBA }

func (d doorway) at(x, y float64) color.NRGBA {
	x, y = x*630, y*630
	switch {
	case inCircle(x, y, 286, 452, 17):
		return d.accent
	case x > 90 && x < 330 && y > 300, y <= 300 && inCircle(x, y, 210, 300, 120):
		return paper
	}
	return d.accent
}
