package app

import (
	"crypto/rand"
	"strings"
	"time"
)

// newID makes an id of 128 random bits.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// newLeadID makes an id of a time and 128 random bits. The time comes first, so that neighbours in time are neighbours in
// the index: each group of leads writes one of its pages instead of one for each lead.
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
