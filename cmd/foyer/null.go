package main

import "time"

// orNull is null for programs where nothing was given.
func orNull[T ~string | ~int](v T) *T {
	var nothing T
	if v == nothing {
		return nil
	}
	return &v
}

// orNever is null for programs where something did not happen.
func orNever(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
