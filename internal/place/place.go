// Package place knows the city and the state of a US ZIP code, so that a person sees that the code they typed is the one
// they meant.
//
// It refuses to judge: a ZIP code that it does not know is no reason to refuse anything. The list is never complete; it
// has no military post offices and no territories but the Marshall Islands.
package place

import (
	"bytes"
	"compress/gzip"
	_ "embed" // places.gz is a part of the program
	"io"
	"strings"
	"sync"
)

// Attribution is what the licence of the data wants to be said where the data is used. It is for pages and documents.
const Attribution = "City and state of ZIP codes: GeoNames (https://www.geonames.org), licensed under CC BY 4.0 " +
	"(https://creativecommons.org/licenses/by/4.0/), reduced to ZIP code, city and state."

// Place is where a ZIP code is.
type Place struct {
	City  string // the name that the post office goes by; neighbouring towns may share it
	State string // the two letters of the Postal Service
}

// Of is the place of a ZIP code of five digits, and whether it is known.
func Of(zip string) (p Place, known bool) {
	if len(zip) != zipLength {
		return Place{}, false
	}
	line, found := find(list(), zip)
	if !found {
		return Place{}, false
	}
	return read(line), true
}

// A line of the list is a ZIP code, a city and a state without anything between them: 33139Miami BeachFL.
const zipLength, stateLength = 5, 2

func read(line string) Place {
	city := len(line) - stateLength
	return Place{City: line[zipLength:city], State: line[city:]}
}

// find searches the sorted lines by halves. A probe hits the middle of a line more often than not, so it goes back to
// where that line begins.
func find(lines, zip string) (line string, found bool) {
	for lines != "" {
		begin := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		end := begin + strings.IndexByte(lines[begin:], '\n')
		switch line = lines[begin:end]; strings.Compare(zip, line[:zipLength]) {
		case 0:
			return line, true
		case -1:
			lines = lines[:begin]
		default:
			lines = lines[end+1:]
		}
	}
	return "", false
}

//go:embed places.gz
var packed []byte

// list is all lines as one text, unpacked when somebody asks for the first time. Places are parts of it, so that an answer
// costs no memory. The text takes 0.7 MB; a map of its parts took another 3.6 MB when it was tried.
var list = sync.OnceValue(func() string {
	text, err := unpack()
	if err != nil {
		panic("places.gz is broken: " + err.Error()) // it is a part of the program, and a test reads it
	}
	return text
})

func unpack() (string, error) {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(reader)
	return string(text), err // a copy of just the length; what ReadAll grew beyond it is given back
}
