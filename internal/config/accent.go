package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Accent is the color of buttons and links: one for light pages and one for dark pages.
type Accent struct{ Light, Dark string }

var accentPattern = regexp.MustCompile(`^#[0-9a-f]{6}( #[0-9a-f]{6})?$`)

// background is what text in the accent color is shown on: the page, cards, and a tint of the accent on the page.
type background struct {
	page, card rgb
	tint       float64
}

// The backgrounds in foyer.css.
var (
	lightBackground = background{page: 0xfaf8f4, card: 0xffffff, tint: 0.09}
	darkBackground  = background{page: 0x16181a, card: 0x1f2225, tint: 0.12}
)

const white rgb = 0xffffff

// minContrast is the contrast that WCAG AA requires for text.
const minContrast = 4.5

const accentAccepted = "a color such as #0b5d56 that is dark enough to be read on a light page (contrast 4.5 to 1), or two, the second for dark pages, such as \"#0b5d56 #7fd1c4\""

// UnmarshalText parses the color. If only one is given, dark pages get a lighter shade of it.
func (a *Accent) UnmarshalText(text []byte) error {
	input := strings.ToLower(strings.Join(strings.Fields(string(text)), " "))
	if input == "" { // an empty variable means unset
		return nil
	}
	if !accentPattern.MatchString(input) {
		return invalidValue(string(text), accentAccepted)
	}
	first, second, both := strings.Cut(input, " ")
	lightColor, darkColor := parseColor(first), parseColor(second)
	if !both {
		darkColor = lighten(lightColor)
	}
	if worst := lightBackground.contrast(lightColor); worst < minContrast {
		return invalidValue(string(text), fmt.Sprintf("%s; on light pages %s has a contrast of %.1f", accentAccepted, lightColor, worst))
	}
	if worst := darkBackground.contrast(darkColor); worst < minContrast {
		return invalidValue(string(text), fmt.Sprintf("%s; on dark pages %s has a contrast of %.1f", accentAccepted, darkColor, worst))
	}
	*a = Accent{lightColor.String(), darkColor.String()}
	return nil
}

// rgb is a color with eight bits each for red, green and blue.
type rgb uint32

// parseColor parses #rrggbb. Anything else is black.
func parseColor(text string) rgb {
	n, _ := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
	return rgb(n)
}

func (c rgb) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

// channels returns red, green and blue, from 0 to 255.
func (c rgb) channels() [3]float64 {
	return [3]float64{float64(c >> 16), float64(c >> 8 & 0xff), float64(c & 0xff)}
}

// lighten mixes a color with white until it is readable on dark pages. White always is.
func lighten(c rgb) rgb {
	for share := 0.0; share < 1; share += 0.05 {
		if lighter := mix(white, c, share); darkBackground.contrast(lighter) >= minContrast {
			return lighter
		}
	}
	return white
}

// contrast returns the lowest contrast of a color with any part of the background.
func (b background) contrast(c rgb) float64 {
	return min(contrast(c, b.page), contrast(c, b.card), contrast(c, mix(c, b.page, b.tint)))
}

// contrast returns the WCAG contrast of two colors, from 1 to 21.
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

// mix returns a share of one color over another.
func mix(c, over rgb, share float64) (out rgb) {
	below := over.channels()
	for i, v := range c.channels() {
		out = out<<8 | rgb(math.Round(v*share+below[i]*(1-share)))
	}
	return out
}
