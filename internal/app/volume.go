package app

import (
	"slices"
	"time"
)

// What counts as unusual.
const (
	surgeFactor = 5   // an hour with more than this many times the usual leads is reported
	minUsual    = 20  // however quiet the service was: a hundred leads in an hour are no reason to alert the operator
	hoursKept   = 169 // a week, and the hour before it
	minSamples  = 3   // with fewer comparable hours than this, nothing counts as usual
)

// volume counts the leads of each hour of the last week and detects when there are far more than usual: the service may be
// flooded, or a campaign has started.
type volume struct {
	byHour   map[int64]int // leads in each complete hour, by hours since 1970; beforeFirstLead before the first lead
	reported int64         // the last hour that was reported
}

// beforeFirstLead marks an hour before the first lead, which says nothing about what is usual.
const beforeFirstLead = -1

// surge is an hour with far more leads than usual.
type surge struct{ leads, usual int }

// boundaries returns the times between which leads have to be counted before detectSurge can judge the current hour: the starts of
// the hours that are not known yet and of the current one, and now.
func (v *volume) boundaries(now time.Time) []time.Time {
	hour := now.Unix() / secondsPerHour
	from := hour - hoursKept
	for ; from < hour; from++ {
		if _, known := v.byHour[from]; !known {
			break
		}
	}
	var bounds []time.Time
	for ; from <= hour; from++ {
		bounds = append(bounds, time.Unix(from*secondsPerHour, 0))
	}
	return append(bounds, now)
}

const secondsPerHour = 3600

// detectSurge takes how many leads came before each boundary, and reports at most once whether this hour is unusual.
func (v *volume) detectSurge(bounds []time.Time, before []int64) (s surge, found bool) {
	hour := bounds[len(bounds)-1].Unix() / secondsPerHour
	v.record(bounds, before)
	usual, known := v.usual(hour)
	leads := int(before[len(before)-1] - before[len(before)-2])
	if !known || v.reported == hour || leads <= surgeFactor*usual {
		return surge{}, false
	}
	v.reported = hour
	return surge{leads, usual}, true
}

// record stores the complete hours, and drops those that are too old.
func (v *volume) record(bounds []time.Time, before []int64) {
	hour := bounds[len(bounds)-1].Unix() / secondsPerHour
	if v.byHour == nil {
		v.byHour = make(map[int64]int)
	}
	for i := range len(bounds) - 2 {
		leads := int(before[i+1] - before[i])
		if before[i] == 0 {
			leads = beforeFirstLead
		}
		v.byHour[bounds[i].Unix()/secondsPerHour] = leads
	}
	for known := range v.byHour {
		if known < hour-hoursKept {
			delete(v.byHour, known)
		}
	}
}

// usual returns how many leads an hour like this one brings: the median of the hours around this time of day in the last week.
func (v *volume) usual(hour int64) (leads int, known bool) {
	var samples []int
	for day := int64(24); day < hoursKept; day += 24 {
		for near := hour - day - 1; near <= hour-day+1; near++ {
			if leads, known := v.byHour[near]; known && leads != beforeFirstLead {
				samples = append(samples, leads)
			}
		}
	}
	if len(samples) < minSamples {
		return 0, false
	}
	slices.Sort(samples)
	return max(minUsual, samples[len(samples)/2]), true
}
