package leadcounts

import (
	"testing"
	"time"
)

// TestParts wants every day of a range once, and no other, and few days beside the months.
func TestParts(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2025, time.November, 1+n, 0, 0, 0, 0, time.UTC) }
	for from := range 75 {
		for _, length := range []int{1, 2, 10, 16, 28, 30, 31, 45, 62, 365, 366} {
			first, last := day(from), day(from+length-1)
			seen, single := make(map[string]int), 0
			for _, p := range parts(first.Format(time.DateOnly), last.Format(time.DateOnly)) {
				sign, layout := 1, time.DateOnly
				if p.minus {
					sign = -1
				}
				if p.months {
					layout = "2006-01"
				}
				for d := day(-40); d.Before(day(600)); d = d.AddDate(0, 0, 1) {
					if at := d.Format(layout); at >= p.from && at <= p.to {
						if seen[d.Format(time.DateOnly)] += sign; !p.months {
							single++
						}
					}
				}
			}
			for d := day(-40); d.Before(day(600)); d = d.AddDate(0, 0, 1) {
				want := 0
				if !d.Before(first) && !d.After(last) {
					want = 1
				}
				if got := seen[d.Format(time.DateOnly)]; got != want {
					t.Fatalf("%s to %s: %s counts %d times", first.Format(time.DateOnly), last.Format(time.DateOnly), d.Format(time.DateOnly), got)
				}
			}
			if single > 31 {
				t.Errorf("%s to %s: %d days are read one by one", first.Format(time.DateOnly), last.Format(time.DateOnly), single)
			}
		}
	}
}
