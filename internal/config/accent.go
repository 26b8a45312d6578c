package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Accent is the colour of buttons and links: one for light pages and one for dark ones.
type Accent struct{ Light, Dark string }

var accentForm = regexp.MustCompile(`^#[0-9a-f]{6}( #[0-9a-f]{6})?$`)

// ground is what text in the accent colour stands on: the page, cards, and a tint of the accent on the page.
type ground struct {
	paper, sheet rgb
	tint         float64
}

// The grounds as foyer.css has them.
var (
	light = ground{paper: 0xfaf8f4, sheet: 0xffffff, tint: 0.09}
	dark  = ground{paper: 0x16181a, sheet: 0x1f2225, tint: 0.12}
)

const white rgb = 0xffffff

// leastContrast is what WCAG AA wants of text.
const leastContrast = 4.5

const accentAccepted = "a color such as #0b5d56 that is dark enough to be read on a light page (contrast 4.5 to 1), or two, the second for dark pages, such as \"#0b5d56 #7fd1c4\""

// UnmarshalText reads the colour. Where only one is given, dark pages get a lighter shade of it.
func (a *Accent) UnmarshalText(text []byte) error {
	given := strings.ToLower(strings.Join(strings.Fields(string(text)), " "))
	if given == "" { // an empty variable sets nothing
		return nil
	}
	if !accentForm.MatchString(given) {
		return refuse(string(text), accentAccepted)
	}
	first, second, both := strings.Cut(given, " ")
	byDay, byNight := colour(first), colour(second)
	if !both {
		byNight = lightened(byDay)
	}
	if worst := light.contrast(byDay); worst < leastContrast {
		return refuse(string(text), fmt.Sprintf("%s; on light pages %s has a contrast of %.1f", accentAccepted, byDay, worst))
	}
	if worst := dark.contrast(byNight); worst < leastContrast {
		return refuse(string(text), fmt.Sprintf("%s; on dark pages %s has a contrast of %.1f", accentAccepted, byNight, worst))
	}
	*a = Accent{byDay.String(), byNight.String()}
	return nil
}

// rgb is a colour, eight bits for each of red, green and blue.
type rgb uint32

// colour reads #rrggbb; what is not one is black.
func colour(text string) rgb {
	n, _ := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
	return rgb(n)
}

func (c rgb) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

// channels are red, green and blue, from 0 to 255.
func (c rgb) channels() [3]float64 {
	return [3]float64{float64(c >> 16), float64(c >> 8 & 0xff), float64(c & 0xff)}
}

// lightened mixes a colour with white until it can be read on dark pages. White itself can.
func lightened(c rgb) rgb {
	for share := 0.0; share < 1; share += 0.05 {
		if lighter := mixed(white, c, share); dark.contrast(lighter) >= leastContrast {
			return lighter
		}
	}
	return white
}

// contrast is the least that a colour has with anything it stands on.
func (g ground) contrast(c rgb) float64 {
	return min(contrast(c, g.paper), contrast(c, g.sheet), contrast(c, mixed(c, g.paper, g.tint)))
}

// contrast is the contrast of two colours as WCAG defines it, from 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c rgb) (sum float64) {
	for i, v := range c.channels() {
		weight := [...]float64{0.2126, 0.7152, 0.0722}[i]
		if v /= 255; v <= 0.04045 {
			sum += weight * v / 12.92
		} else {
			sum += weight * math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return sum
}

// mixed is a share of one colour over another.
func mixed(c, over rgb, share float64) (out rgb) {
	below := over.channels()
	for i, v := range c.channels() {
		out = out<<8 | rgb(math.Round(v*share+below[i]*(1-share)))
	}
	return out
}
