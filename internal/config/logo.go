package config

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
)

// Logo is the image in the page header. It is read once, at startup.
type Logo struct {
	Body  string
	Type  string
	Width int // in pixels, at the height of the header
}

const (
	maxLogoBytes = 24 << 10 // every page loads the logo
	logoHeight   = 32
	maxLogoWidth = 6 * logoHeight
)

var logoAccepted = fmt.Sprintf("the path of an SVG or PNG file of at most %d KiB, not more than six times as wide as high; an SVG needs a viewBox, and holds no script and nothing from elsewhere", maxLogoBytes>>10)

// UnmarshalText reads and validates the file at a path.
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
	*l = Logo{Body: string(body), Type: kind, Width: min(maxLogoWidth, int(math.Ceil(logoHeight*width/height)))}
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
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// imageSize returns the size and media type of an image.
func imageSize(body []byte) (width, height float64, kind string, err error) {
	if header, err := png.DecodeConfig(bytes.NewReader(body)); err == nil {
		_, err = png.Decode(bytes.NewReader(body)) // a truncated file would show as a blank on every page
		return float64(header.Width), float64(header.Height), "image/png", err
	}
	width, height, err = svgSize(body)
	return width, height, "image/svg+xml", err
}
