// Package rows converts rows of the tables to Go values and back: the columns that a query names, and the values that belong to them.
// It reads and writes nothing.
package rows

import "time"

// Micros is how a time is stored. Time is its inverse.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time reads a time.
func Time(us int64) time.Time { return time.UnixMicro(us).UTC() }

// MicrosOrZero is Micros for a time that may be zero, which is stored as 0. TimeOrZero is its inverse.
func MicrosOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return Micros(t)
}

// TimeOrZero reads a time that may be zero.
func TimeOrZero(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return Time(us)
}

// Bit is how a condition is stored.
func Bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
