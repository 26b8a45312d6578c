package app

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// daily is the volume of a service that is busy by day and quiet at night.
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
			if diff := cmp.Diff(c.want, runVolume(t, &volume{}, 0, c.hours, c.leads), cmp.AllowUnexported(surge{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// runVolume checks every ten minutes, and returns the hours that were reported.
func runVolume(t *testing.T, v *volume, from, to int, leads func(int) int) map[int]surge {
	t.Helper()
	midnight := time.Date(2027, 3, 15, 0, 0, 0, 0, time.UTC)
	before := func(at time.Time) (n int64) { // all the leads of an hour come at its beginning
		for hour := 0; midnight.Add(time.Duration(hour) * time.Hour).Before(at); hour++ {
			n += int64(leads(hour))
		}
		return n
	}
	var reported map[int]surge
	for hour := from; hour < to; hour++ {
		for minute := 1; minute < 60; minute += 10 {
			bounds := v.boundaries(midnight.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute))
			counts := make([]int64, len(bounds))
			for i, at := range bounds {
				counts[i] = before(at)
			}
			s, found := v.detectSurge(bounds, counts)
			if !found {
				continue
			}
			if _, twice := reported[hour]; twice {
				t.Errorf("hour %d was reported twice", hour)
			}
			if reported == nil {
				reported = make(map[int]surge)
			}
			reported[hour] = s
		}
	}
	return reported
}

// A process that starts later knows as much as one that ran all the time.
func TestVolumeAfterRestart(t *testing.T) {
	leads := withSpikes(daily, map[int]int{250: 2000})
	old := &volume{}
	runVolume(t, old, 0, 250, leads)
	if reported := runVolume(t, &volume{}, 250, 251, leads); len(reported) != 1 {
		t.Errorf("reported %v", reported)
	}
	restarted := &volume{}
	runVolume(t, restarted, 249, 250, leads)
	if !maps.Equal(old.byHour, restarted.byHour) {
		t.Errorf("%d hours are known, and %d after a restart", len(old.byHour), len(restarted.byHour))
	}
	if len(old.byHour) > hoursKept {
		t.Errorf("%d hours are remembered", len(old.byHour))
	}
}

// After the first check, only new hours have to be counted.
func TestVolumeBoundaries(t *testing.T) {
	v := &volume{}
	now := time.Date(2027, 3, 15, 12, 30, 0, 0, time.UTC)
	bounds := v.boundaries(now)
	if len(bounds) != hoursKept+2 || !bounds[0].Equal(now.Truncate(time.Hour).Add(-hoursKept*time.Hour)) {
		t.Fatalf("at first %d bounds from %v", len(bounds), bounds[0])
	}
	counts := make([]int64, len(bounds))
	for i := range counts {
		counts[i] = int64(max(0, i-20)) // the first lead came after some hours
	}
	v.detectSurge(bounds, counts)
	for later, want := range map[time.Duration]int{time.Minute: 2, 29 * time.Minute: 2, 30 * time.Minute: 3, 2 * time.Hour: 4} {
		if bounds := v.boundaries(now.Add(later)); len(bounds) != want || !bounds[len(bounds)-1].Equal(now.Add(later)) {
			t.Errorf("%v later: %v", later, bounds)
		}
	}
}
