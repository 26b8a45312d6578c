package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// daily are the leads of a service that is busy by day and quiet at night.
func daily(hour int) int {
	if h := hour % 24; h >= 8 && h < 20 {
		return 400
	}
	return 3
}

// withSpikes adds leads in some hours.
func withSpikes(usual func(int) int, spikes map[int]int) func(int) int {
	return func(hour int) int { return usual(hour) + spikes[hour] }
}

func always(leads int) func(int) int { return func(int) int { return leads } }

// surge is an hour with far more leads than usual.
type surge struct{ leads, usual int }

// The first lead came in hour 0, a midnight.
func TestUnusualHours(t *testing.T) {
	for _, c := range []struct {
		name  string
		leads func(hour int) int
		hours int
		want  map[int]surge
	}{
		{"a quiet service", always(1), 400, nil},
		{"days and nights", daily, 400, nil},
		{"a new and busy service", always(5000), 60, nil},
		{"a flood by day", withSpikes(daily, map[int]int{250: 2000}), 300, map[int]surge{250: {2400, 400}}},
		{"a flood at night", withSpikes(daily, map[int]int{242: 500}), 300, map[int]surge{242: {503, 20}}},
		{"a busy night", withSpikes(daily, map[int]int{242: 90}), 300, nil},
		{"exactly five times", withSpikes(daily, map[int]int{250: 1600}), 300, nil},
		{"a flood of several hours", withSpikes(daily, map[int]int{250: 2000, 251: 3000}), 300, map[int]surge{250: {2400, 400}, 251: {3400, 400}}},
		{"a flood on the first day", withSpikes(always(1), map[int]int{5: 500}), 10, nil},
		{"a flood on the second day", withSpikes(always(1), map[int]int{30: 500}), 40, map[int]surge{30: {501, 20}}},
		{"a flood after silence", withSpikes(always(0), map[int]int{0: 1, 40: 500}), 60, map[int]surge{40: {500, 20}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, runDetector(t, 0, c.hours, c.leads), cmp.AllowUnexported(surge{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// runDetector checks every ten minutes, and returns the hours that were reported.
func runDetector(t *testing.T, from, to int, leads func(int) int) map[int]surge {
	t.Helper()
	midnight := time.Date(2027, 3, 15, 0, 0, 0, 0, time.UTC)
	v := &surgeDetector{leadsBefore: func(_ context.Context, times ...time.Time) ([]int64, error) {
		if !slices.IsSortedFunc(times, time.Time.Compare) {
			t.Fatalf("not sorted: %v", times)
		}
		counts := make([]int64, len(times))
		for i, at := range times { // all the leads of an hour come at its beginning
			for hour := 0; midnight.Add(time.Duration(hour) * time.Hour).Before(at); hour++ {
				counts[i] += int64(leads(hour))
			}
		}
		return counts, nil
	}}
	var reported map[int]surge
	for hour := from; hour < to; hour++ {
		for minute := 1; minute < 60; minute += 10 {
			leads, usual, err := v.detect(t.Context(), midnight.Add(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			if leads == 0 {
				continue
			}
			if _, twice := reported[hour]; twice {
				t.Errorf("hour %d was reported twice", hour)
			}
			if reported == nil {
				reported = make(map[int]surge)
			}
			reported[hour] = surge{leads, usual}
		}
	}
	return reported
}

// A process that starts later knows as much as one that ran all the time.
func TestSurgeAfterRestart(t *testing.T) {
	leads := withSpikes(daily, map[int]int{250: 2000})
	if reported := runDetector(t, 250, 251, leads); len(reported) != 1 {
		t.Errorf("reported %v", reported)
	}
}
