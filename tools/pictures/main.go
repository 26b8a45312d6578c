// Command pictures draws the icons and the social card from the drawings beside it, with Chromium:
//
//	go -C tools run ./pictures
//
// The card names no brand, because every operator's pages show it.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
)

const into = "../internal/web/static"

func main() {
	for _, p := range []struct {
		drawing, name string
		width, height int
	}{
		{"card.svg", "card.png", 1200, 630},
		{"icon.svg", "icon-180.png", 180, 180},
		{"icon.svg", "icon-192.png", 192, 192},
		{"icon.svg", "icon-512.png", 512, 512},
	} {
		picture, err := draw(filepath.Join("pictures", p.drawing), p.width, p.height)
		if err != nil {
			log.Fatal(p.name, ": ", err)
		}
		var out bytes.Buffer
		best := png.Encoder{CompressionLevel: png.BestCompression}
		if err := best.Encode(&out, fewer(picture, 16)); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(into, p.name), out.Bytes(), 0o644); err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.name, out.Len(), "bytes")
	}
}

// draw has Chromium take a picture of a drawing.
func draw(drawing string, width, height int) (image.Image, error) {
	svg, err := os.ReadFile(drawing)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	page := fmt.Sprintf("<style>body{margin:0}svg{display:block;width:%dpx;height:%dpx}</style>%s", width, height, svg)
	if err := os.WriteFile(folder+"/page.html", []byte(page), 0o600); err != nil {
		return nil, err
	}
	shot := exec.Command("chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1",
		fmt.Sprintf("--window-size=%d,%d", max(width, 600), max(height, 600)), "--screenshot="+folder+"/shot.png", "file://"+folder+"/page.html")
	if text, err := shot.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	f, err := os.Open(folder + "/shot.png")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	whole, err := png.Decode(f)
	if err != nil {
		return nil, err
	}
	return whole.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(0, 0, width, height)), nil
}

// fewer keeps the colours that are used most: flat drawings need few, and weigh a tenth with them.
func fewer(from image.Image, most int) image.Image {
	count := map[color.RGBA]int{}
	b := from.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[color.RGBAModel.Convert(from.At(x, y)).(color.RGBA)]++
		}
	}
	var used []color.RGBA
	for c := range count {
		used = append(used, c)
	}
	sort.Slice(used, func(i, j int) bool {
		if count[used[i]] != count[used[j]] {
			return count[used[i]] > count[used[j]]
		}
		return fmt.Sprint(used[i]) < fmt.Sprint(used[j])
	})
	var palette color.Palette
	for _, c := range used[:min(most, len(used))] {
		palette = append(palette, c)
	}
	to := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), palette)
	for y := range b.Dy() {
		for x := range b.Dx() {
			to.Set(x, y, from.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return to
}
