package place_test

import (
	"sync"
	"testing"

	"foyer/internal/place"
)

func TestOf(t *testing.T) {
	for zip, want := range map[string]place.Place{
		"00501": {City: "Holtsville", State: "NY"}, // the first of all
		"02134": {City: "Allston", State: "MA"},
		"06390": {City: "Fishers Island", State: "NY"}, // among those of Connecticut
		"10001": {City: "New York", State: "NY"},
		"20500": {City: "Washington", State: "DC"},
		"33139": {City: "Miami Beach", State: "FL"},
		"60601": {City: "Chicago", State: "IL"},
		"73960": {City: "Texhoma", State: "TX"}, // among those of Oklahoma
		"83814": {City: "Coeur d'Alene", State: "ID"},
		"90210": {City: "Beverly Hills", State: "CA"},
		"96813": {City: "Honolulu", State: "HI"},
		"99950": {City: "Ketchikan", State: "AK"}, // the last of all
	} {
		if got, known := place.Of(zip); !known || got != want {
			t.Errorf("%s: got %+v %t, want %+v", zip, got, known, want)
		}
	}
}

func TestUnknown(t *testing.T) {
	for name, zip := range map[string]string{
		"before the first":             "00500",
		"after the last":               "99999",
		"in a gap":                     "33999",
		"never given out":              "00000",
		"a military post office":       "09021",
		"Puerto Rico, not in the list": "00601",
		"nothing":                      "",
		"four digits":                  "3313",
		"ZIP+4":                        "33139-1234",
		"nine digits":                  "331391234",
		"blanks around it":             " 33139 ",
		"a blank inside":               "3313 ",
		"letters":                      "MIAMI",
		"a line break":                 "3313\n",
		"other digits":                 "３３",
		"bytes that are no text":       "\xff\xfe\x00\x00\x01",
		"a city":                       "Miami Beach",
	} {
		if got, known := place.Of(zip); known || got != (place.Place{}) {
			t.Errorf("%s: got %+v %t, want nothing", name, got, known)
		}
	}
}

// TestConcurrentOf calls Of concurrently. Run alone, it also tests the first use.
func TestConcurrentOf(t *testing.T) {
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if p, _ := place.Of("90210"); p.City != "Beverly Hills" {
				t.Errorf("got %+v", p)
			}
		})
	}
	all.Wait()
}

// TestOfDoesNotAllocate checks that a result is a substring of the list.
func TestOfDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { place.Of("33139") }); n != 0 {
		t.Errorf("an answer costs %v allocations", n)
	}
}

func FuzzOf(f *testing.F) {
	for _, zip := range []string{"33139", "00000", "99999", "", "\n\n\n\n\n", "33139-1234", "\xff\xff\xff\xff\xff"} {
		f.Add(zip)
	}
	f.Fuzz(func(t *testing.T, zip string) {
		p, known := place.Of(zip)
		if known != (p.City != "" && len(p.State) == 2) || known && len(zip) != 5 {
			t.Errorf("%q: got %+v %t", zip, p, known)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	place.Of("33139")
	for _, c := range []struct{ name, zip string }{{"known", "33139"}, {"unknown", "33999"}, {"malformed", "33139-1234"}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				place.Of(c.zip)
			}
		})
	}
}
