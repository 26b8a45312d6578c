package quote

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestAppendMatchesLibrary compares plain texts, texts that need escapes and invalid texts.
func TestAppendMatchesLibrary(t *testing.T) {
	for _, text := range []string{"", "Pat Example", `a "quote"`, `back\slash`, "tab\t", "nul\x00", "del\x7f", "é", "\xff", "seven77", "eight888", "<&>\u2028"} {
		wantSameAsLibrary(t, text)
	}
}

// TestEveryByteAtEveryPosition tests texts longer than a word: a borrow must not hide a neighboring byte.
func TestEveryByteAtEveryPosition(t *testing.T) {
	for length := 1; length <= 17; length++ {
		for place := range length {
			for b := range 256 {
				text := []byte(strings.Repeat("~", length))
				text[place] = byte(b)
				wantSameAsLibrary(t, string(text))
				if place+1 < length { // and next to the smallest plain byte
					text[place+1] = ' '
					wantSameAsLibrary(t, string(text))
				}
			}
		}
	}
}

func wantSameAsLibrary(t *testing.T, text string) {
	t.Helper()
	got, gotErr := Append([]byte("before"), text)
	want, wantErr := jsontext.AppendQuote([]byte("before"), text)
	if string(got) != string(want) || (gotErr == nil) != (wantErr == nil) {
		t.Fatalf("%q: %q %v, want %q %v", text, got, gotErr, want, wantErr)
	}
}

const sample = "The request for house cleaning in ZIP code 33139 was received and is held. No contractor network takes it right now."

func BenchmarkAppend(b *testing.B) {
	room := make([]byte, 0, 256)
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			_, _ = Append(room, sample)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			_, _ = jsontext.AppendQuote(room, sample)
		}
	})
}
