package app

import (
	"crypto/rand"
	"strconv"
	"time"
)

// newID makes an id of 130 random bits.
func newID(prefix string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	var random [26]byte
	_, _ = rand.Read(random[:]) // never fails
	id := append(make([]byte, 0, 48), prefix...)
	for _, b := range random {
		id = append(id, letters[b&31])
	}
	return string(id)
}

// newLeadID makes an id of a time and 130 random bits. The time comes first, so that leads created together are neighbors in
// the index: a group commit writes one index page instead of one for each lead.
func newLeadID(prefix string, at time.Time) string {
	const nineDigits = 1 << 40 // milliseconds, to base 32: a time from 2004 to 3084, whatever a clock says
	id := append(make([]byte, 0, 16), prefix...)
	return newID(string(strconv.AppendInt(id, max(nineDigits, at.UnixMilli()), 32)))
}
