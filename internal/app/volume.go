package app

import (
	"slices"
	"time"
)

// What counts as unusual.
const (
	surgeFactor  = 5   // an hour with more than this many times the usual is told
	minUsual = 20  // however quiet it was: a hundred leads in an hour are no reason to wake anybody
	hoursKept    = 169 // a week, and the hour before it
	minSamples  = 3   // before so many hours like this one are known, nothing is usual
)

// volume knows how many leads came in each hour of the last week, and says when there are far more than usual: somebody may be
// flooding the service, or a campaign has begun.
type volume struct {
	byHour map[int64]int // complete hours, since 1970; noService before the first lead
	reported int64         // the last hour that was told
}

// beforeFirstLead stands for an hour before the first lead: it says nothing about what is usual.
const beforeFirstLead = -1

// surge is an hour with far more leads than usual.
type surge struct{ leads, usual int }

// boundaries are the edges between the hours that have to be counted before now can be judged: those that are not known yet, and
// the one that has just begun.
func (v *volume) boundaries(now time.Time) []time.Time {
	hour := now.Unix() / secondsPerHour
	from := hour - hoursKept
	for ; from < hour; from++ {
		if _, known := v.byHour[from]; !known {
			break
		}
	}
	var edges []time.Time
	for ; from <= hour; from++ {
		edges = append(edges, time.Unix(from*secondsPerHour, 0))
	}
	return append(edges, now)
}

const secondsPerHour = 3600

// detectSurge takes how many leads came before each of those edges, and says whether this hour is out of the ordinary, once.
func (v *volume) detectSurge(edges []time.Time, before []int64) (s surge, found bool) {
	hour := edges[len(edges)-1].Unix() / secondsPerHour
	v.record(edges, before)
	usual, known := v.usual(hour)
	leads := int(before[len(before)-1] - before[len(before)-2])
	if !known || v.reported == hour || leads <= surgeFactor*usual {
		return surge{}, false
	}
	v.reported = hour
	return surge{leads, usual}, true
}

// record remembers complete hours.
func (v *volume) record(edges []time.Time, before []int64) {
	hour := edges[len(edges)-1].Unix() / secondsPerHour
	if v.byHour == nil {
		v.byHour = make(map[int64]int)
	}
	for i := range len(edges) - 2 {
		leads := int(before[i+1] - before[i])
		if before[i] == 0 {
			leads = beforeFirstLead
		}
		v.byHour[edges[i].Unix()/secondsPerHour] = leads
	}
	for known := range v.byHour {
		if known < hour-hoursKept {
			delete(v.byHour, known)
		}
	}
}

// usual is what an hour like this one brings: the median of the hours around this time of day in the last week.
func (v *volume) usual(hour int64) (leads int, known bool) {
	var alike []int
	for day := int64(24); day < hoursKept; day += 24 {
		for near := hour - day - 1; near <= hour-day+1; near++ {
			if leads, known := v.byHour[near]; known && leads != beforeFirstLead {
				alike = append(alike, leads)
			}
		}
	}
	if len(alike) < minSamples {
		return 0, false
	}
	slices.Sort(alike)
	return max(minUsual, alike[len(alike)/2]), true
}
