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
	line, found := find(allLines(), zip)
	if !found {
		return Place{}, false
	}
	return parseLine(line), true
}

// A line of the list is a ZIP code, a city and a state without separators: 33139Miami BeachFL.
const zipLength, stateLength = 5, 2

func parseLine(line string) Place {
	city := len(line) - stateLength
	return Place{City: line[zipLength:city], State: line[city:]}
}

// find is a binary search over the sorted lines. A probe usually hits the middle of a line, so it moves back to the start
// of that line.
func find(lines, zip string) (line string, found bool) {
	for lines != "" {
		start := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		end := start + strings.IndexByte(lines[start:], '\n')
		switch line = lines[start:end]; strings.Compare(zip, line[:zipLength]) {
		case 0:
			return line, true
		case -1:
			lines = lines[:start]
		default:
			lines = lines[end+1:]
		}
	}
	return "", false
}

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
