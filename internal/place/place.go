// Package place finds the city and state of a US ZIP code, so that a person can see whether the code they typed is the one
// they meant.
//
// It does not validate: a ZIP code that it does not know is no reason to refuse anything. The list is never complete. It
// has no military post offices, and no territories except the Marshall Islands.
package place

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for places.gz
	"io"
	"sort"
	"strings"
	"sync"
)

// Attribution is the credit that the license of the data requires wherever the data is used. It is for pages and documents.
const Attribution = "City and state of ZIP codes: GeoNames (https://www.geonames.org), licensed under CC BY 4.0 " +
	"(https://creativecommons.org/licenses/by/4.0/), reduced to ZIP code, city and state."

// Place is the location of a ZIP code.
type Place struct {
	City  string // the name of the post office; neighboring towns may share it
	State string // the two-letter code of the Postal Service
}

// Of returns the place of a five-digit ZIP code, and whether it is known.
func Of(zip string) (p Place, known bool) {
	if len(zip) != zipLength {
		return Place{}, false
	}
	lines := allLines()
	at := sort.Search(len(lines), func(i int) bool {
		start := strings.LastIndexByte(lines[:i], '\n') + 1 // a probe usually hits the middle of a line
		return lines[start:start+zipLength] >= zip
	})
	line, _, _ := strings.Cut(lines[at:], "\n")
	rest, known := strings.CutPrefix(line, zip)
	if !known {
		return Place{}, false
	}
	city := len(rest) - stateLength
	return Place{City: rest[:city], State: rest[city:]}, true
}

// A line of the list is a ZIP code, a city and a state without separators: 33139Miami BeachFL. The lines are sorted.
const zipLength, stateLength = 5, 2

//go:embed places.gz
var compressed []byte

// allLines is the whole list as one string, decompressed on first use. Places are substrings of it, so a look-up allocates
// nothing. The string takes 0.7 MB; a map of its parts took another 3.6 MB.
var allLines = sync.OnceValue(func() string {
	text, err := unpack()
	if err != nil {
		panic("places.gz is broken: " + err.Error()) // it is embedded, and a test reads it
	}
	return text
})

func unpack() (string, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(reader)
	return string(text), err // a copy of the exact length; the extra capacity of ReadAll is freed
}
