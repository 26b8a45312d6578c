// Package quote writes JSON strings for the few hand-written encoders. It leaves every text that may need an escape to the
// library.
package quote

import "github.com/go-json-experiment/json/jsontext"

// Append appends text to b as a JSON string. Nearly all texts need no escape, and checking that takes a fifth of the time
// the library needs to look at each byte.
func Append(b []byte, text string) ([]byte, error) {
	if !isPlain(text) {
		return jsontext.AppendQuote(b, text)
	}
	return append(append(append(b, '"'), text...), '"'), nil
}

// isPlain reports whether a text has only printable ASCII, without quotes and backslashes.
func isPlain(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		if !isPlainWord(firstWord(text)) {
			return false
		}
	}
	rest := uint64(0)
	for i := range len(text) {
		rest |= uint64(text[i]) << (8 * i)
	}
	return isPlainWord(rest | blanks<<(8*len(text)))
}

// firstWord returns the first eight bytes of a text as a number. The compiler turns this into one load.
func firstWord(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// Words of eight equal bytes.
const (
	ones        = 0x01_01_01_01_01_01_01_01
	tops        = ones * 0x80
	blanks      = ones * ' '
	quotes      = ones * '"'
	backslashes = ones * '\\'
)

// isPlainWord checks eight bytes at once. Subtracting a number from each byte sets the top bit of the smaller ones, as long
// as no top bit was set before. To find a certain byte, XOR makes it zero before one is subtracted.
func isPlainWord(w uint64) bool {
	return (w|(w-blanks)|((w^quotes)-ones)|((w^backslashes)-ones))&tops == 0
}
