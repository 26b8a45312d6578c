package app

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// daily is a service that is busy by day and quiet at night.
func daily(hour int) int {
	if h := hour % 24; h >= 8 && h < 20 {
		return 400
	}
	return 3
}

// except has more leads in some hours.
func except(usual func(int) int, floods map[int]int) func(int) int {
	return func(hour int) int { return usual(hour) + floods[hour] }
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
		{"a flood by day", except(daily, map[int]int{250: 2000}), 300, map[int]surge{250: {2400, 400}}},
		{"a flood at night", except(daily, map[int]int{242: 500}), 300, map[int]surge{242: {503, 20}}},
		{"a busy night", except(daily, map[int]int{242: 90}), 300, nil},
		{"exactly five times", except(daily, map[int]int{250: 1600}), 300, nil},
		{"a flood of several hours", except(daily, map[int]int{250: 2000, 251: 3000}), 300, map[int]surge{250: {2400, 400}, 251: {3400, 400}}},
		{"a flood on the first day", except(always(1), map[int]int{5: 500}), 10, nil},
		{"a flood on the second day", except(always(1), map[int]int{30: 500}), 40, map[int]surge{30: {501, 20}}},
		{"a flood after silence", except(always(0), map[int]int{0: 1, 40: 500}), 60, map[int]surge{40: {500, 20}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, watchVolume(t, &volume{}, 0, c.hours, c.leads), cmp.AllowUnexported(surge{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// watchVolume looks every ten minutes, and gives the hours that were told.
func watchVolume(t *testing.T, v *volume, from, to int, leads func(int) int) map[int]surge {
	t.Helper()
	midnight := time.Date(2027, 3, 15, 0, 0, 0, 0, time.UTC)
	before := func(at time.Time) (n int64) { // all the leads of an hour come at its beginning
		for hour := 0; midnight.Add(time.Duration(hour) * time.Hour).Before(at); hour++ {
			n += int64(leads(hour))
		}
		return n
	}
	var told map[int]surge
	for hour := from; hour < to; hour++ {
		for minute := 1; minute < 60; minute += 10 {
			edges := v.hours(midnight.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute))
			counts := make([]int64, len(edges))
			for i, at := range edges {
				counts[i] = before(at)
			}
			s, found := v.judge(edges, counts)
			if !found {
				continue
			}
			if _, twice := told[hour]; twice {
				t.Errorf("hour %d was told twice", hour)
			}
			if told == nil {
				told = make(map[int]surge)
			}
			told[hour] = s
		}
	}
	return told
}

// A process that starts later knows what one knows that was there all the time.
func TestAVolumeIsKnownAfterARestart(t *testing.T) {
	leads := except(daily, map[int]int{250: 2000})
	old := &volume{}
	watchVolume(t, old, 0, 250, leads)
	if told := watchVolume(t, &volume{}, 250, 251, leads); len(told) != 1 {
		t.Errorf("told %v", told)
	}
	fresh := &volume{}
	watchVolume(t, fresh, 249, 250, leads)
	if !maps.Equal(old.past, fresh.past) {
		t.Errorf("%d hours are known, and %d after a restart", len(old.past), len(fresh.past))
	}
	if len(old.past) > hoursKept {
		t.Errorf("%d hours are remembered", len(old.past))
	}
}

// After the first look, only what is new has to be counted.
func TestWhatHasToBeCounted(t *testing.T) {
	v := &volume{}
	now := time.Date(2027, 3, 15, 12, 30, 0, 0, time.UTC)
	edges := v.hours(now)
	if len(edges) != hoursKept+2 || !edges[0].Equal(now.Truncate(time.Hour).Add(-hoursKept*time.Hour)) {
		t.Fatalf("at first %d edges from %v", len(edges), edges[0])
	}
	counts := make([]int64, len(edges))
	for i := range counts {
		counts[i] = int64(max(0, i-20)) // the first lead came after some hours
	}
	v.judge(edges, counts)
	for later, want := range map[time.Duration]int{time.Minute: 2, 29 * time.Minute: 2, 30 * time.Minute: 3, 2 * time.Hour: 4} {
		if edges := v.hours(now.Add(later)); len(edges) != want || !edges[len(edges)-1].Equal(now.Add(later)) {
			t.Errorf("%v later: %v", later, edges)
		}
	}
}
