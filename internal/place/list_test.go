package place_test

import (
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/place"
)

// entries returns the lines of the list without line breaks.
func entries(t testing.TB) []string {
	t.Helper()
	text, ended := strings.CutSuffix(place.Lines(), "\n")
	if !ended {
		t.Fatal("the last line has no end") // the search relies on it
	}
	return strings.Split(text, "\n")
}

var wellFormed = regexp.MustCompile(`^[0-9]{5}[A-Z][A-Za-z .'-]*[A-Za-z.][A-Z]{2}$`)

func TestEntriesAreWellFormed(t *testing.T) {
	all := entries(t)
	if len(all) < 40_000 {
		t.Errorf("only %d entries: the US have some 41,000 ZIP codes", len(all))
	}
	for i, line := range all {
		if !wellFormed.MatchString(line) || strings.Contains(line, "  ") {
			t.Errorf("%q is not a ZIP code, a city and a state", line)
		}
		if i > 0 && all[i-1][:5] >= line[:5] {
			t.Errorf("%s comes after %s: the search wants each once and in order", line[:5], all[i-1][:5])
		}
	}
}

func TestEveryEntryIsFound(t *testing.T) {
	for _, line := range entries(t) {
		p, known := place.Of(line[:5])
		if !known || line != line[:5]+p.City+p.State {
			t.Fatalf("%s: got %+v %t", line, p, known)
		}
	}
}

// TestEveryOtherCodeIsUnknown checks all hundred thousand codes.
func TestEveryOtherCodeIsUnknown(t *testing.T) {
	known := 0
	for n := range 100_000 {
		if _, found := place.Of(fmt.Sprintf("%05d", n)); found {
			known++
		}
	}
	if want := len(entries(t)); known != want {
		t.Errorf("%d codes are known, but the list has %d", known, want)
	}
}

func TestStatesAreValid(t *testing.T) {
	codes := make(map[string]int)
	for _, line := range entries(t) {
		codes[line[len(line)-2:]]++
	}
	for code, n := range codes {
		if !isState(code) {
			t.Errorf("%s, of %d ZIP codes, is no state", code, n)
		}
	}
	if n := len(codes); n != 52 {
		t.Errorf("there are %d, want fifty states, DC and MH: %v", n, slices.Sorted(maps.Keys(codes)))
	}
}

// isState applies the rule for a request's state.
func isState(code string) bool {
	raw := lead.IntakeInput.New()
	raw.Set("state", lead.Quoted(code))
	_, refusal := lead.Parse(raw)
	return !slices.ContainsFunc(refusal.Problems, func(p lead.Problem) bool { return p.Field == "state" })
}

// acrossTheBorder lists the ZIP codes in another state than their first three digits say. Buyers that care about these list
// them, see internal/buyer/state.go.
var acrossTheBorder = map[string]string{
	"06390": "NY, not CT", // Fishers Island is reached from Connecticut
	"20588": "MD, not DC", // federal offices around Washington
	"20598": "VA, not DC",
	"72643": "MO, not AR", // so says GeoNames; the rest of Lead Hill is in Arkansas
	"73960": "TX, not OK",
	"83414": "WY, not ID", // Alta is reached from Idaho // the Pacific shares three digits
}

func TestStatesMatchBuyerStates(t *testing.T) {
	found, both := make(map[string]string), 0
	for _, line := range entries(t) {
		p, _ := place.Of(line[:5])
		switch state := buyer.StateOf(line[:5]); state {
		case "":
			t.Errorf("%s is in %s, and buyer.StateOf does not know its state", line[:5], p.State)
		case p.State:
			both++
		default:
			found[line[:5]] = p.State + ", not " + state
			t.Logf("%s %s is in %s", line[:5], p.City, found[line[:5]])
		}
	}
	t.Logf("%d agree, %d do not", both, len(found))
	if !maps.Equal(found, acrossTheBorder) {
		t.Errorf("others than the known ones lie across a border: got %v, want %v", found, acrossTheBorder)
	}
}

func TestAttribution(t *testing.T) {
	for _, word := range []string{"GeoNames", "https://www.geonames.org", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", "reduced"} {
		if !strings.Contains(place.Attribution, word) {
			t.Errorf("the licence wants %q to be said: %s", word, place.Attribution)
		}
	}
}

// TestMemory checks that the list takes its own length in memory and no more.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	text, err := place.Unpack()
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.GC() // sync.Pool keeps items for one more GC cycle
	runtime.ReadMemStats(&after)
	kept := int(after.HeapAlloc) - int(before.HeapAlloc)
	runtime.KeepAlive(text)
	t.Logf("%d bytes of text keep %d bytes of memory", len(text), kept)
	if kept > len(text)+64<<10 {
		t.Errorf("%d bytes of text keep %d bytes of memory", len(text), kept)
	}
}

func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		if _, err := place.Unpack(); err != nil {
			b.Fatal(err)
		}
	}
}
