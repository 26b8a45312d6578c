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

// Logo is a picture that stands in the header. It is read once, at the start.
type Logo struct {
	Body  string
	Type  string
	Width int // where it is as high as the header has room for
}

const (
	mostLogo   = 24 << 10 // every page loads it
	logoHeight = 32
	mostWidth  = 6 * logoHeight
)

var logoAccepted = fmt.Sprintf("the path of an SVG or PNG file of at most %d KiB, not more than six times as wide as high; an SVG needs a viewBox, and holds no script and nothing from elsewhere", mostLogo>>10)

// UnmarshalText reads the file that a path names, and checks it.
func (l *Logo) UnmarshalText(text []byte) error {
	path := string(text)
	if path == "" { // an empty variable sets nothing
		return nil
	}
	body, err := readBounded(path, mostLogo)
	if err != nil {
		return fmt.Errorf("%w, want %s", err, logoAccepted)
	}
	width, height, kind, err := measure(body)
	if err != nil || width <= 0 || height <= 0 || width > 6*height {
		return refuse(path, logoAccepted)
	}
	*l = Logo{Body: string(body), Type: kind, Width: min(mostWidth, int(math.Ceil(logoHeight*width/height)))}
	return nil
}

// readBounded reads a whole file of a bounded size. Its errors name the file.
func readBounded(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("got %q: %w", path, cause(err))
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("got %q: %w", path, cause(err))
	case int64(len(body)) > most:
		return nil, fmt.Errorf("got %q: it is too large", path)
	}
	return body, nil
}

// cause leaves out the path, which is named already.
func cause(err error) error {
	var told *os.PathError
	if errors.As(err, &told) {
		return told.Err
	}
	return err
}

// measure tells how large a picture is, and of which type.
func measure(body []byte) (width, height float64, kind string, err error) {
	if picture, err := png.DecodeConfig(bytes.NewReader(body)); err == nil {
		_, err = png.Decode(bytes.NewReader(body)) // a broken one would be an empty place on every page
		return float64(picture.Width), float64(picture.Height), "image/png", err
	}
	width, height, err = measureSVG(body)
	return width, height, "image/svg+xml", err
}
