// Command places reads the GeoNames file of US postal codes and writes internal/place/places.gz. How to run it is in
// internal/place/README.md.
//
// It leaves out what has no state: these are military post offices, whose region is a part of the name there and is wrong
// in more than a quarter of them. It stops at whatever it does not understand rather than guess.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "places:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines, left, err := read(in)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := pack(&file, lines); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d ZIP codes in %d bytes; %d without a state were left out\n", len(lines), file.Len(), left)
	_, err = out.Write(file.Bytes())
	return err
}

// The columns of a row that we use, as the readme of GeoNames gives them.
const (
	zip     = 1
	city    = 2
	state   = 4
	columns = 12
)

// wanted is a line as internal/place reads it.
var wanted = regexp.MustCompile(`^[0-9]{5}[A-Z][A-Za-z .'-]*[A-Za-z.][A-Z]{2}$`)

// read turns the rows into sorted lines, and counts those that have no state.
func read(in io.Reader) (lines []string, left int, err error) {
	rows := bufio.NewScanner(in)
	for rows.Scan() {
		row := strings.Split(rows.Text(), "\t")
		if len(row) != columns {
			return nil, 0, fmt.Errorf("a row has %d columns: %q", len(row), rows.Text())
		}
		if row[state] == "" {
			left++
			continue
		}
		line := row[zip] + row[city] + row[state]
		if !wanted.MatchString(line) {
			return nil, 0, fmt.Errorf("not a ZIP code, a city and a state: %q", rows.Text())
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, err
	}
	slices.Sort(lines)
	for i := 1; i < len(lines); i++ {
		if lines[i][:5] == lines[i-1][:5] {
			return nil, 0, fmt.Errorf("%s is in two places", lines[i][:5])
		}
	}
	return lines, left, nil
}

// pack writes the same bytes for the same lines: there is no time and no name in the header.
func pack(out io.Writer, lines []string) error {
	writer, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := io.WriteString(writer, line+"\n"); err != nil {
			return err
		}
	}
	return writer.Close()
}
