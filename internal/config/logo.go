package config

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Logo is the image in the page header. It is read once, at startup.
type Logo struct {
	Body       string
	Type       string
	Width      int    // in pixels, at the height of the header
	PNG        string // if the logo is an SVG: the same logo as a PNG, for images that cannot be an SVG
	MissingPNG string // the file that PNG would be read from, if it does not exist
}

const (
	maxLogoBytes = 24 << 10  // every page loads the logo
	maxPNGBytes  = 256 << 10 // of the PNG beside an SVG, which no page loads
	logoHeight   = 32
	maxLogoWidth = 6 * logoHeight
)

var logoAccepted = fmt.Sprintf("the path of an SVG or PNG file of at most %d KiB, not more than six times as wide as high; an SVG needs a viewBox", maxLogoBytes>>10)

var logoPNGAccepted = fmt.Sprintf("beside an SVG logo a PNG file of at most %d KiB with the same logo, not more than six times as wide as high, or none", maxPNGBytes>>10)

// UnmarshalText reads and validates the file at a path, and the PNG beside it.
func (l *Logo) UnmarshalText(text []byte) error {
	path := string(text)
	if path == "" { // an empty variable means unset
		return nil
	}
	body, err := readLimited(path, maxLogoBytes)
	if err != nil {
		return fmt.Errorf("%w, want %s", err, logoAccepted)
	}
	width, height, kind, err := imageSize(body)
	if err != nil || width <= 0 || height <= 0 || width > 6*height {
		return invalidValue(path, logoAccepted)
	}
	logo := Logo{Body: string(body), Type: kind, Width: min(maxLogoWidth, int(math.Ceil(logoHeight*width/height)))}
	if kind == svgType {
		if err := logo.readPNG(pngBeside(path)); err != nil {
			return err
		}
	}
	*l = logo
	return nil
}

// pngBeside returns the path of the PNG that belongs to an SVG: logo.png for logo.svg.
func pngBeside(path string) string {
	if ext := filepath.Ext(path); strings.EqualFold(ext, ".svg") {
		path = strings.TrimSuffix(path, ext)
	}
	return path + ".png"
}

// readPNG reads and validates the PNG beside an SVG, if there is one.
func (l *Logo) readPNG(path string) error {
	body, err := readLimited(path, maxPNGBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.MissingPNG = path
		return nil
	case err != nil:
		return fmt.Errorf("%w, want %s", err, logoPNGAccepted)
	}
	width, height, kind, err := imageSize(body)
	if err != nil || kind != pngType || width > 6*height {
		return invalidValue(path, logoPNGAccepted)
	}
	l.PNG = string(body)
	return nil
}

// readLimited reads a whole file of limited size. Its errors name the file.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("got %q: %w", path, pathErrorCause(err))
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("got %q: %w", path, pathErrorCause(err))
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("got %q: it is too large", path)
	}
	return body, nil
}

// pathErrorCause strips the path from an error, because the message names it already.
func pathErrorCause(err error) error {
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

const (
	pngType = "image/png"
	svgType = "image/svg+xml"
)

// imageSize returns the size and media type of an image.
func imageSize(body []byte) (width, height float64, kind string, err error) {
	if header, err := png.DecodeConfig(bytes.NewReader(body)); err == nil {
		_, err = png.Decode(bytes.NewReader(body)) // a truncated file would show as a blank on every page
		return float64(header.Width), float64(header.Height), pngType, err
	}
	width, height, err = svgSize(body)
	return width, height, svgType, err
}

// svgSize reads a whole SVG and returns its size. It does not look for scripts and external resources: our headers tell browsers to
// run and load nothing for a logo.
func svgSize(body []byte) (width, height float64, err error) {
	var svg struct {
		XMLName xml.Name
		ViewBox string `xml:"viewBox,attr"`
	}
	tokens := xml.NewDecoder(bytes.NewReader(body))
	err = tokens.Decode(&svg)
	for err == nil { // what follows the drawing must be sound, too
		_, err = tokens.Token()
	}
	if !errors.Is(err, io.EOF) || !strings.EqualFold(svg.XMLName.Local, "svg") {
		return 0, 0, errors.New("not a drawing")
	}
	if parts := strings.FieldsFunc(svg.ViewBox, func(c rune) bool { return c == ' ' || c == ',' }); len(parts) == 4 {
		width, _ = strconv.ParseFloat(parts[2], 64)
		height, _ = strconv.ParseFloat(parts[3], 64)
	}
	return width, height, nil
}
