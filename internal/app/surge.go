package app

import (
	"context"
	"slices"
	"time"
)

// What counts as unusual.
const (
	surgeFactor = 5  // an hour with more than this many times the usual leads is reported
	minUsual    = 20 // however quiet the service was: a hundred leads in an hour are no reason to alert the operator
	minSamples  = 3  // with fewer comparable hours than this, nothing counts as usual
)

// surgeDetector finds an hour with far more leads than usual: the service may be flooded, or a campaign has started.
type surgeDetector struct {
	leadsBefore func(ctx context.Context, times ...time.Time) ([]int64, error) // times are sorted
	reported    time.Time                                                      // the last hour that was reported
}

// detect returns, once for an hour with far more leads than usual, how many came and how many are usual: otherwise 0. Most hours have
// too few leads to compare them with others.
func (d *surgeDetector) detect(ctx context.Context, now time.Time) (leads, usual int, err error) {
	hour := now.Truncate(time.Hour)
	counts, err := d.leadsBefore(ctx, hour, now)
	if err != nil {
		return 0, 0, err
	}
	leads = int(counts[1] - counts[0])
	if leads <= surgeFactor*minUsual || d.reported.Equal(hour) {
		return 0, 0, nil
	}
	usual, err = d.usual(ctx, hour)
	if err != nil || usual == 0 || leads <= surgeFactor*usual {
		return 0, 0, err
	}
	d.reported = hour
	return leads, usual, nil
}

// usual returns how many leads an hour like this one brings: the median of the three hours around this time of day on each of the
// last seven days. Hours before the first lead say nothing; usual returns 0 if there are too few others.
func (d *surgeDetector) usual(ctx context.Context, hour time.Time) (leads int, err error) {
	const bounds = 4 // of three hours
	var times []time.Time
	for day := 7; day > 0; day-- {
		for h := range bounds {
			times = append(times, hour.Add(time.Duration(h-1-24*day)*time.Hour))
		}
	}
	counts, err := d.leadsBefore(ctx, times...)
	if err != nil {
		return 0, err
	}
	var samples []int
	for day := range slices.Chunk(counts, bounds) {
		for h := range bounds - 1 {
			if day[h] > 0 {
				samples = append(samples, int(day[h+1]-day[h]))
			}
		}
	}
	if len(samples) < minSamples {
		return 0, nil
	}
	slices.Sort(samples)
	return max(minUsual, samples[len(samples)/2]), nil
}
