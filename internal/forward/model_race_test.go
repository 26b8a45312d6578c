//go:build race

package forward_test

// The race detector makes a seed ten times as slow, and there are few goroutines in it.
func init() { seeds = 60 }
