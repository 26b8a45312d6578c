package app

import (
	"crypto/rand"
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
	const digits, length = "0123456789abcdefghijklmnopqrstuv", 9 // 45 bits of milliseconds
	var clock [length]byte
	ms := uint64(at.UnixMilli())
	for i := length - 1; i >= 0; i-- {
		clock[i] = digits[ms&31]
		ms >>= 5
	}
	return newID(prefix + string(clock[:]))
}
