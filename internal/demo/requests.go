package demo

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"foyer/internal/lead"
)

// request is one request of a person.
type request struct {
	At        time.Time
	Fields    map[string]lead.Value // of the request, by name
	Phone     string                // as in the fields
	Channel   lead.Channel
	Client    netip.Addr
	UserAgent string
	MCPClient string
	Source    string // the name of a source; "" for none
	lead.Campaign
	lead.ClickIDs
	OnPage time.Duration // how long the form was open
}

// The names of the sources that requests come from.
const (
	searchAds  = "Search ads"
	partner    = "Home improvement partner"
	newsletter = "Newsletter"
	comparison = "Comparison site"
)

// requests makes up the requests from one time to another, in order: more on weekdays and in the evening, a few more each week, and many on one
// hot day.
func requests(random *rand.Rand, from, to time.Time, n int) []request {
	people := newPeople(random)
	list := make([]request, n)
	for i := range list {
		list[i] = people.ask(arrival(random, from, to))
		if i > 0 && chance(random, repeatShare) {
			again := list[random.IntN(i)]
			if again.At = again.At.Add(time.Duration(10+random.IntN(400)) * time.Minute); again.At.Before(to) {
				list[i] = again
			}
		}
	}
	slices.SortStableFunc(list, func(a, b request) int { return a.At.Compare(b.At) })
	return list
}

// repeatShare is how many people ask again for the same work, because nobody has called yet.
const repeatShare = 0.025

// hours are how many people ask in each hour of the day, and weekdays in each day of the week, Sunday first.
var (
	hours    = weights{1, 1, 1, 1, 1, 2, 5, 9, 13, 15, 15, 14, 13, 13, 12, 12, 13, 15, 17, 18, 15, 10, 5, 2}
	weekdays = weights{6, 11, 10, 10, 10, 9, 8}
)

// hotDay is the day of the month on which air conditioners fail.
const hotDay = 16

// zone is where the hours are counted. Most of the country is within two hours of it.
var zone = time.FixedZone("", -6*60*60)

// arrival picks a time.
func arrival(random *rand.Rand, from, to time.Time) time.Time {
	for {
		day := random.IntN(Days + 1)
		date := from.In(zone).AddDate(0, 0, day)
		busy := float64(weekdays[date.Weekday()]) / 11 * (0.8 + 0.2*float64(day)/Days)
		if day == hotDay {
			busy = 1.6
		}
		if random.Float64()*1.6 > busy {
			continue
		}
		at := time.Date(date.Year(), date.Month(), date.Day(), hours.pick(random), random.IntN(60), random.IntN(60), random.IntN(1e6)*1e3, zone).UTC()
		if !at.Before(from) && at.Before(to) {
			return at
		}
	}
}

// weights are how often each of several things is picked.
type weights []int

// pick picks one, by its index.
func (w weights) pick(random *rand.Rand) int {
	all := 0
	for _, n := range w {
		all += n
	}
	at := random.IntN(all)
	for i, n := range w {
		if at -= n; at < 0 {
			return i
		}
	}
	return len(w) - 1
}

// weighted is a value and how often it is picked.
type weighted[T any] struct {
	weight int
	value  T
}

func pick[T any](random *rand.Rand, list []weighted[T]) T {
	w := make(weights, len(list))
	for i := range list {
		w[i] = list[i].weight
	}
	return list[w.pick(random)].value
}

func oneOf[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// chance is true that often.
func chance(random *rand.Rand, share float64) bool { return random.Float64() < share }

// around is a duration around another one, never less than a tenth of it, in whole milliseconds.
func around(random *rand.Rand, typical time.Duration) time.Duration {
	return max(typical/10, time.Duration(float64(typical)*random.ExpFloat64())).Round(time.Millisecond)
}
