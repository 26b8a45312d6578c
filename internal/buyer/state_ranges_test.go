package buyer_test

import (
	"fmt"
	"testing"

	"foyer/internal/buyer"
)

// TestZIPRanges wants every ZIP code of a state in one of its ranges, and in one alone.
func TestZIPRanges(t *testing.T) {
	t.Parallel()
	ranges := make(map[string][][2]string)
	for n := range 100_000 {
		zip := fmt.Sprintf("%05d", n)
		state := buyer.StateOf(zip)
		if state == "" {
			continue
		}
		if ranges[state] == nil {
			ranges[state] = buyer.ZIPRanges(state)
		}
		in := 0
		for _, r := range ranges[state] {
			if zip >= r[0] && zip < r[1] {
				in++
			}
		}
		if in != 1 {
			t.Fatalf("%s of %s is in %d of the ranges %v", zip, state, in, ranges[state])
		}
	}
	if got := buyer.ZIPRanges("GA"); len(got) != 2 || got[0] != [2]string{"300", "319:"} {
		t.Errorf("Georgia has %v", got)
	}
}
