package config_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/config"
)

func TestAccent(t *testing.T) {
	for text, want := range map[string]config.Accent{
		"":                     {},
		"#0B5D56 #7fd1c4":      {Light: "#0b5d56", Dark: "#7fd1c4"},
		"  #0b5d56   #7FD1C4 ": {Light: "#0b5d56", Dark: "#7fd1c4"},
		"#000000":              {Light: "#000000", Dark: "#8c8c8c"}, // lightened until it is readable on dark pages
		"#7a1f6b":              {Light: "#7a1f6b", Dark: "#b684ae"},
	} {
		accepts(t, text, want)
	}
	for _, text := range []string{"teal", "0b5d56", "#0b5", "#0b5d5g", "#0b5d56,#7fd1c4", "#0b5d56 #7fd1c4 #ffffff", "rgb(1,2,3)", "#0b5d56;}"} {
		refuses[config.Accent](t, text, text, "a color such as #0b5d56")
	}
	for text, message := range map[string]string{
		"#ffcc00":         "on light pages #ffcc00 has a contrast of 1.4",
		"#0b5d56 #0b5d56": "on dark pages #0b5d56 has a contrast of 2.1",
		"#767676":         "on light pages", // enough contrast on white, but our pages are not white
	} {
		refuses[config.Accent](t, text, text, message)
	}
}

// TestBackgroundsMatchStylesheet checks that colors are checked against the backgrounds of our pages.
func TestBackgroundsMatchStylesheet(t *testing.T) {
	css, err := os.ReadFile("../look/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--paper: #faf8f4;", "--sheet: #ffffff;", "var(--accent) 9%, var(--paper)", "--paper: #16181a;", "--sheet: #1f2225;", "var(--accent) 12%, var(--paper)"} {
		if !strings.Contains(string(css), want) {
			t.Errorf("tokens.css has no %s: mend brand.go, too", want)
		}
	}
}

// writeFile writes a file for a setting to refer to.
func writeFile(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func pngFile(t *testing.T, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const drawing = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 40"><path d="M0 0h90v40z"/></svg>`

func TestLogo(t *testing.T) {
	folder := t.TempDir()
	square := pngFile(t, 64, 64)
	accepts(t, "", config.Logo{})
	accepts(t, writeFile(t, folder, "a.svg", drawing), config.Logo{Body: drawing, Type: "image/svg+xml", Width: 72, MissingPNG: folder + "/a.png"})
	accepts(t, writeFile(t, folder, "a.png", square), config.Logo{Body: square, Type: "image/png", Width: 32})
	for name, content := range map[string]string{
		"text.svg":    "a logo",
		"empty.svg":   "",
		"page.svg":    "<html></html>",
		"unknown.svg": `<svg xmlns="http://www.w3.org/2000/svg"></svg>`,
		"open.svg":    strings.TrimSuffix(drawing, "</svg>"),
		"long.svg":    strings.Replace(drawing, "90 40", "900 40", 1),
		"flat.svg":    strings.Replace(drawing, "90 40", "90 0", 1),
		"cut.png":     square[:len(square)-20],
		"wide.png":    pngFile(t, 700, 100),
	} {
		path := writeFile(t, folder, name, content)
		refuses[config.Logo](t, path, path, "an SVG or PNG file of at most 24 KiB")
	}
	large := writeFile(t, folder, "large.svg", drawing+strings.Repeat(" ", 24<<10))
	refuses[config.Logo](t, large, large, "it is too large")
	for _, path := range []string{folder + "/none.svg", folder} {
		refuses[config.Logo](t, path, path, "an SVG or PNG file")
	}
}

// TestLogoPNGBesideSVG checks that the PNG of the same name is read with an SVG, and validated like a logo.
func TestLogoPNGBesideSVG(t *testing.T) {
	square := pngFile(t, 512, 512)
	for svg, png := range map[string]string{"logo.svg": "logo.png", "Logo.v2.SVG": "Logo.v2.png", "logo": "logo.png", "drawing.png": "drawing.png.png"} {
		folder := t.TempDir()
		path, beside := writeFile(t, folder, svg, drawing), filepath.Join(folder, png)
		accepts(t, path, config.Logo{Body: drawing, Type: "image/svg+xml", Width: 72, MissingPNG: beside})
		writeFile(t, folder, png, square)
		accepts(t, path, config.Logo{Body: drawing, Type: "image/svg+xml", Width: 72, PNG: square})
	}
	folder := t.TempDir()
	path, beside := writeFile(t, folder, "logo.svg", drawing), filepath.Join(folder, "logo.png")
	for _, content := range []string{"", "a logo", drawing, square[:len(square)-20], pngFile(t, 700, 100), square + strings.Repeat(" ", 256<<10)} {
		writeFile(t, folder, "logo.png", content)
		refuses[config.Logo](t, path, beside, "beside an SVG logo a PNG file of at most 256 KiB")
	}
	if err := errors.Join(os.Remove(beside), os.Mkdir(beside, 0o700)); err != nil {
		t.Fatal(err)
	}
	refuses[config.Logo](t, path, beside, "beside an SVG logo a PNG file")
}

func TestOverrides(t *testing.T) {
	const consent = "You may call or text me about this request, and I can take that back at any time."
	folder := t.TempDir()
	accepts(t, "", config.Overrides{})
	accepts(t, folder, config.Overrides{})
	writeFile(t, folder, "consent.txt", "\ufeffYou may call or text me about this request,\r\n  and I can take that back at any time.\n")
	writeFile(t, folder, "footer.txt", "\nExample Services\tLLC\n\nLicense 12345\n")
	writeFile(t, folder, "custom.css", "/* } */ .own { color: red; }\n@media print { .own { color: #000; } }")
	writeFile(t, folder, ".notes", "nobody's business")
	accepts(t, folder, config.Overrides{
		Consent: consent, Footer: "Example Services LLC\nLicense 12345",
		Style: "/* } */ .own { color: red; }\n@media print { .own { color: #000; } }",
	})
}

// TestInvalidOverrides checks that an invalid file stops the start with one line that names the file and what is accepted.
func TestInvalidOverrides(t *testing.T) {
	for _, x := range []struct{ name, content, accepted string }{
		{"consent.txt", "I agree.", "40 to 2000 characters"},
		{"consent.txt", strings.Repeat("I agree. ", 300), "40 to 2000 characters"},
		{"consent.txt", strings.Repeat("\xff", 50), "UTF-8"},
		{"consent.txt", strings.Repeat("x\x00", 50), "plain text"},
		{"footer.txt", " \n ", "1 to 12 lines"},
		{"footer.md", strings.Repeat("line\n", 13), "1 to 12 lines"},
		{"footer.txt", strings.Repeat("x", 301), "at most 300 characters"},
		{"custom.css", "", "CSS of at most 16 KiB"},
		{"custom.css", "@import 'x.css';", "without @import"},
		{"custom.css", ".own { background: url(https://example.com/x.png); }", "addresses of other sites"},
		{"custom.css", `.own { background: url( "//example.com/x.png"); }`, "addresses of other sites"},
		{"custom.css", `.own { background: u\72l(x); }`, "addresses of other sites"},
		{"custom.css", strings.Repeat(".own{}", 3000), "too large"},
		{"consents.txt", "You may call me.", "consent.txt"},
	} {
		t.Run(x.name, func(t *testing.T) {
			folder := t.TempDir()
			refuses[config.Overrides](t, folder, writeFile(t, folder, x.name, x.content), x.accepted)
		})
	}
	both := t.TempDir()
	writeFile(t, both, "footer.md", "one")
	refuses[config.Overrides](t, both, writeFile(t, both, "footer.txt", "two"), "not both")
	refuses[config.Overrides](t, both+"/none", both+"/none", "a folder")
	if err := os.Mkdir(filepath.Join(both, "custom.css"), 0o700); err != nil {
		t.Fatal(err)
	}
	refuses[config.Overrides](t, filepath.Join(both, "footer.md"), filepath.Join(both, "footer.md"), "a folder")
}
