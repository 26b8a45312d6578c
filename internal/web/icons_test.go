package web

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/catalog"
)

// plainPNG returns a PNG of one color.
func plainPNG(width, height int, c color.NRGBA) string {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		m.SetNRGBA(i%width, i/width, c)
	}
	return string(encodePNG(m))
}

// siteWithLook returns the site of an operator with their own branding.
func siteWithLook(t *testing.T, look catalog.Look) *Site {
	t.Helper()
	b := brand
	b.Name, b.Look = "Acme Home", look
	s, err := New(b, 30, testInterfaces(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pixelAt(t *testing.T, body string, x, y int) color.NRGBA {
	t.Helper()
	m, err := png.Decode(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
}

// The icons and the card have the operator's color, and their logo if there is a PNG of it.
func TestIconsFollowTheBrand(t *testing.T) {
	purple, red, green := color.NRGBA{0x7a, 0x1f, 0x6b, 0xff}, color.NRGBA{0xff, 0, 0, 0xff}, color.NRGBA{0x0b, 0x5d, 0x56, 0xff}
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`
	for _, x := range []struct {
		name      string
		look      catalog.Look
		svg       string // contained in the SVG icon
		pixel     color.NRGBA
		offersPNG bool
		card      color.NRGBA // color in the middle of the panel
		edge      color.NRGBA // color at the edge of the panel
		alt       string
	}{
		{"a color", catalog.Look{Accent: "#7a1f6b", AccentDark: "#b684ae"}, "#7a1f6b", purple, true, pageColor, purple, "An open door"},
		{"a logo of pixels", catalog.Look{Accent: "#7a1f6b", AccentDark: "#b684ae", Logo: plainPNG(40, 40, red), LogoType: "image/png", LogoWidth: 32}, "data:image/png;base64,", red, true, red, purple, "The logo of Acme Home"},
		{"a wide logo", catalog.Look{Logo: plainPNG(90, 30, red), LogoType: "image/png", LogoWidth: 96}, "#0b5d56", green, true, red, green, "The logo of Acme Home"},
		{"a drawing", catalog.Look{Accent: "#7a1f6b", AccentDark: "#b684ae", Logo: drawing, LogoType: "image/svg+xml", LogoWidth: 32}, drawing, purple, false, purple, purple, "The words: "},
		{"a drawing, and its pixels", catalog.Look{Accent: "#7a1f6b", AccentDark: "#b684ae", Logo: drawing, LogoType: "image/svg+xml", LogoWidth: 32, LogoPNG: plainPNG(40, 40, red)}, drawing, red, true, red, purple, "The logo of Acme Home"},
		{"a wide drawing, and its pixels", catalog.Look{Logo: drawing, LogoType: "image/svg+xml", LogoWidth: 96, LogoPNG: plainPNG(90, 30, red)}, "#0b5d56", green, true, red, green, "The logo of Acme Home"},
	} {
		t.Run(x.name, func(t *testing.T) {
			server := serve(t, siteWithLook(t, x.look))
			_, svg := ask(t, server, "GET", "/favicon.svg")
			if !strings.Contains(svg, x.svg) {
				t.Errorf("the drawing is %s", svg)
			}
			for path, size := range map[string]int{"/apple-touch-icon.png": 180, "/icon-192.png": 192, "/icon-512.png": 512} {
				_, body := ask(t, server, "GET", path, "Accept-Encoding: identity")
				if got := pixelAt(t, body, size/5, size/2); got != x.pixel {
					t.Errorf("%s is %v", path, got)
				}
			}
			_, ico := ask(t, server, "GET", "/favicon.ico", "Accept-Encoding: identity")
			if got := pixelAt(t, ico[22:], 6, 16); !bytes.HasPrefix([]byte(ico), []byte{0, 0, 1, 0, 1, 0, 32, 32}) || got != x.pixel {
				t.Errorf("the icon file is %v", got)
			}
			_, home := ask(t, server, "GET", "/", browser)
			if got := strings.Contains(home, "favicon.ico") && strings.Contains(home, "apple-touch-icon"); got != x.offersPNG {
				t.Errorf("pages offer the icons of pixels: %t", got)
			}
			_, card := ask(t, server, "GET", regexp.MustCompile(`/assets/card-[0-9a-f]+\.png`).FindString(home), "Accept-Encoding: identity")
			if middle, edge := pixelAt(t, card, 990, 315), pixelAt(t, card, 790, 20); middle != x.card || edge != x.edge {
				t.Errorf("the card is %v, at its edge %v", middle, edge)
			}
			if !strings.Contains(home, `og:image:alt" content="`+x.alt) {
				t.Error("the card is described as another")
			}
		})
	}
}

// Without branding, the icons are our own files.
func TestDefaultIcons(t *testing.T) {
	_, svg := ask(t, serve(t, sharedSite(t)), "GET", "/favicon.svg")
	if svg != string(staticFile("favicon.svg")) {
		t.Errorf("got %s", svg)
	}
}

// The door keeps its shape in another color, on the icons and on the card.
func TestDoorIsRecolored(t *testing.T) {
	accent := color.NRGBA{0x7a, 0x1f, 0x6b, 0xff}
	door := recolored(staticFile("icon-512.png"), 0, white, accent)
	for at, want := range map[image.Point]color.NRGBA{
		{0, 0}: accent, {256, 130}: accent, {256, 170}: white, {190, 155}: accent, {256, 370}: white, {256, 395}: accent, {292, 297}: accent, {96, 256}: accent,
	} {
		if got := door.NRGBAAt(at.X, at.Y); got != want {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
	if corner := recolored(staticFile("favicon.ico")[icoHeader:], 0, white, accent).NRGBAAt(0, 0); corner.A != 0 {
		t.Errorf("the corner of the icon file is %v", corner)
	}
	card := string(cardFor(accent, nil, true))
	for at, want := range map[image.Point]color.NRGBA{{779, 20}: pageColor, {990, 100}: accent, {990, 315}: pageColor, {1066, 452}: accent, {1190, 620}: accent} {
		if got := pixelAt(t, card, at.X, at.Y); got != want {
			t.Errorf("the card at %v: %v, want %v", at, got, want)
		}
	}
}
