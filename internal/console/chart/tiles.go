package chart

import (
	"cmp"

	"foyer/internal/place"
)

// tile is the place of a state in the grid, which keeps neighbors together as well as equal squares can.
type tile struct {
	code        string
	column, row int
}

// name is the name of the state, or its code if that is all that is known.
func (t tile) name() string { return cmp.Or(place.StateName(t.code), t.code) }

// columns and rows of the grid of states.
const (
	tileColumns = 11
	tileRows    = 8
)

// states is the usual grid of the 50 states and the District of Columbia, row by row.
var states = []tile{
	{"AK", 0, 0},
	{"ME", 10, 0},
	{"WI", 5, 1},
	{"VT", 9, 1},
	{"NH", 10, 1},
	{"WA", 0, 2},
	{"ID", 1, 2},
	{"MT", 2, 2},
	{"ND", 3, 2},
	{"MN", 4, 2},
	{"IL", 5, 2},
	{"MI", 6, 2},
	{"NY", 8, 2},
	{"MA", 9, 2},
	{"OR", 0, 3},
	{"NV", 1, 3},
	{"WY", 2, 3},
	{"SD", 3, 3},
	{"IA", 4, 3},
	{"IN", 5, 3},
	{"OH", 6, 3},
	{"PA", 7, 3},
	{"NJ", 8, 3},
	{"CT", 9, 3},
	{"RI", 10, 3},
	{"CA", 0, 4},
	{"UT", 1, 4},
	{"CO", 2, 4},
	{"NE", 3, 4},
	{"MO", 4, 4},
	{"KY", 5, 4},
	{"WV", 6, 4},
	{"VA", 7, 4},
	{"MD", 8, 4},
	{"DE", 9, 4},
	{"AZ", 1, 5},
	{"NM", 2, 5},
	{"KS", 3, 5},
	{"AR", 4, 5},
	{"TN", 5, 5},
	{"NC", 6, 5},
	{"SC", 7, 5},
	{"DC", 8, 5},
	{"OK", 3, 6},
	{"LA", 4, 6},
	{"MS", 5, 6},
	{"AL", 6, 6},
	{"GA", 7, 6},
	{"HI", 0, 7},
	{"TX", 3, 7},
	{"FL", 8, 7},
}

// territories stand in a row below, in this order, if there is data for them. What is neither a state nor listed follows.
var territories = []tile{
	{code: "PR"},
	{code: "VI"},
	{code: "GU"},
	{code: "AS"},
	{code: "MP"},
	{code: "AA"},
	{code: "AE"},
	{code: "AP"},
}

// arrange returns the tiles for some states: the whole grid, and below it the other places among them.
func arrange(given map[string]State, order []string) []tile {
	tiles, placed := append([]tile(nil), states...), make(map[string]bool)
	for _, t := range states {
		placed[t.code] = true
	}
	below := 0
	add := func(t tile) {
		if _, ok := given[t.code]; ok && !placed[t.code] {
			placed[t.code] = true
			t.column, t.row = below%tileColumns, tileRows+below/tileColumns
			tiles = append(tiles, t)
			below++
		}
	}
	for _, t := range territories {
		add(t)
	}
	for _, code := range order {
		add(tile{code: code})
	}
	return tiles
}
