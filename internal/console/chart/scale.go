package chart

import "math"

// maxSteps is how many steps an axis has at most: five grid lines.
const maxSteps = 4

// axis is a scale with round grid lines. It always includes zero, so that the length of a bar means something.
type axis struct{ low, high, step float64 }

// newAxis returns an axis for values from low to high, with three to five grid lines.
func newAxis(low, high float64, u Unit) axis {
	low, high = min(low, 0), max(high, 0)
	if low == high {
		high = u.defaultHigh()
	}
	step := u.roundUp((high - low) / maxSteps)
	for stepsTo(high, step)+stepsTo(-low, step) > maxSteps {
		step = u.roundUp(step * 1.01)
	}
	above, below := stepsTo(high, step), stepsTo(-low, step)
	if above+below < 2 {
		above++
	}
	return axis{-below * step, above * step, step}
}

// stepsTo is how many steps reach a value, in spite of what floating point adds to 3 times 0.1.
func stepsTo(v, step float64) float64 { return math.Ceil(v/step - 1e-9) }

// ticks are the values of the grid lines, from the lowest.
func (a axis) ticks() []float64 {
	n := int(math.Round((a.high - a.low) / a.step))
	ticks := make([]float64, n+1)
	for i := range ticks {
		ticks[i] = a.low + float64(i)*a.step
	}
	return ticks
}

// share is where a value lies between the ends of the axis, from 0 to 1.
func (a axis) share(v float64) float64 { return (v - a.low) / (a.high - a.low) }

// defaultHigh is the upper end of an axis on which every value is zero.
func (u Unit) defaultHigh() float64 {
	switch u {
	case Cents:
		return 200
	case Percent:
		return 100
	}
	return 2
}

// timeSteps are round numbers of seconds, up to a day.
var timeSteps = []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 4 * 3600, 6 * 3600, 12 * 3600}

// roundUp returns the next round number: 1, 2 or 5 times a power of ten, or a round time. Leads and cents have no fractions.
func (u Unit) roundUp(v float64) float64 {
	switch {
	case u.adds():
		return roundUp(max(v, 1))
	case u == Duration && v > timeSteps[len(timeSteps)-1]:
		return roundUp(v/86400) * 86400
	case u == Duration && v > .5:
		for _, step := range timeSteps {
			if step >= v {
				return step
			}
		}
	}
	return roundUp(v)
}

func roundUp(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}
