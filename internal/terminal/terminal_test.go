package terminal

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOutputIsSafeForTerminals checks that no text from outside controls the terminal or reverses the text around it. In
// JSON the text keeps its meaning.
func TestOutputIsSafeForTerminals(t *testing.T) {
	for given, want := range map[string]string{
		"plain, é, 漢字, 👍\tand\nlines": "plain, é, 漢字, 👍\tand\nlines",
		"\u202egnp.exe":               `\u202egnp.exe`,
		"a\u2066b\u2069c":             `a\u2066b\u2069c`,
		"\u200f\u200b\ufeff":          `\u200f\u200b\ufeff`,
		"\x1b[31m\x07\r\x7f":          `\u001b[31m\u0007\u000d\u007f`,
		"\u009b31m":                   `\u009b31m`,
		"\u2028x\u2029":               `\u2028x\u2029`,
		"\U000e0041":                  `\udb40\udc41`,
		"\x9b":                        "\ufffd",
	} {
		var out bytes.Buffer
		if n, err := (&SafeWriter{To: &out}).Write([]byte(given)); err != nil || n != len(given) || out.String() != want {
			t.Errorf("%q became %q (%d, %v)", given, out.String(), n, err)
		}
	}
	written, _ := json.Marshal("\u202e\U000e0041")
	var back string
	if err := json.Unmarshal([]byte(Escape(string(written))), &back); err != nil || back != "\u202e\U000e0041" {
		t.Errorf("as JSON it is %q, %v", back, err)
	}
}

func TestDurationText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "under 0.1 ms", 90 * time.Microsecond: "under 0.1 ms", 340 * time.Microsecond: "0.3 ms", 34 * time.Millisecond: "34 ms",
		1500 * time.Millisecond: "1.5 s", 15 * time.Second: "15.0 s", 90 * time.Second: "1 min 30 s",
		59*time.Minute + 59700*time.Millisecond: "1 h 0 min", 166*time.Minute + 16*time.Second: "2 h 46 min", 136*time.Hour + 45*time.Minute: "5 d 16 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		now   Step
		first int64
		since time.Duration
		want  string
	}{
		{Step{What: "checking: leads", Done: 20_500, Of: 120_500, Unit: "leads"}, 500, 4 * time.Second, "checking: leads: 20,500 of 120,500 leads, 5,000 a second, 20 s left"},
		{Step{What: "copying", Done: 10, Of: 7210, Unit: "MB"}, 0, time.Second, "copying: 10 of 7,210 MB, 10 a second, 12 min 0 s left"},
		{Step{What: "copying", Done: 10, Of: 72_010, Unit: "MB"}, 0, time.Second, "copying: 10 of 72,010 MB, 10 a second, 2 h 0 min left"},
		{Step{What: "importing", Done: 3000, Unit: "numbers"}, 0, 2 * time.Second, "importing: 3,000 numbers, 1,500 a second"},
		{Step{What: "migrating", Done: 0, Of: 3, Unit: "migrations"}, 0, 7 * time.Second, "migrating: 0 of 3 migrations, 7 s so far"},
		{Step{What: "checking the copy"}, 0, 100 * time.Millisecond, "checking the copy: 1 s so far"},
	} {
		if got := progressLine(c.now, c.first, c.since); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestSplitCharacters writes characters in pieces, as whoever buffers does.
func TestSplitCharacters(t *testing.T) {
	for given, want := range map[string]string{
		"José, 山田 🐈":   "José, 山田 🐈",
		"a\xe9b":       "a\ufffdb", // no UTF-8
		"ends in \xf0": "ends in \ufffd",
	} {
		for size := 1; size < 5; size++ {
			var out strings.Builder
			w := &SafeWriter{To: &out}
			for piece := range slices.Chunk([]byte(given), size) {
				if n, err := w.Write(piece); n != len(piece) || err != nil {
					t.Fatal(n, err)
				}
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q (%v)", given, size, out.String(), want, err)
			}
		}
	}
}
