package browser

import (
	"bytes"
	"image"
	_ "image/png" // the format of Chromium's screenshots
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// settle finishes all animations: no one reads a page in the middle of a color change.
func (b *tab) settle() {
	b.t.Helper()
	ask[int](b, `document.getAnimations().map(a => a.finish()).length`)
}

// brightness returns the average brightness of the screen, from 0 to 1.
func (b *tab) brightness() float64 {
	b.t.Helper()
	b.settle()
	var shot []byte
	b.run(chromedp.CaptureScreenshot(&shot))
	picture, _, err := image.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	sum, count := 0.0, 0.0
	const step = 7 // a sample is enough
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y += step {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x += step {
			red, green, blue, _ := picture.At(x, y).RGBA()
			sum += (0.2126*float64(red) + 0.7152*float64(green) + 0.0722*float64(blue)) / 0xffff
			count++
		}
	}
	return sum / count
}

// TestScreenshots writes every page into the folder that SCREENSHOTS names, at both widths and in both color schemes.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		t.Skip("asked for by make screenshots")
	}
	s := serve(t)
	b := s.open(t)
	for _, v := range s.visits() {
		s.photograph(b, v, folder)
	}
	t.Logf("look at %s", folder)
}

// photograph writes a page into a folder, at both widths and in both color schemes.
func (s *service) photograph(b *tab, v visit, folder string) {
	b.t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	for width, size := range map[string]option{"390": phone, "1280": laptop} {
		b.run(size, prefers("light"))
		b.visit(v.address, v.status)
		v.prepare(b)
		for _, scheme := range []string{"light", "dark"} {
			var shot []byte
			b.run(prefers(scheme))
			b.settle()
			b.run(chromedp.FullScreenshot(&shot, 100))
			if err := os.WriteFile(filepath.Join(folder, v.name+"-"+width+"-"+scheme+".png"), shot, 0o644); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}
