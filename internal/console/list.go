package console

import (
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// page returns a page of a list: the items, and where the next page begins, or null.
func page(items []object, next string, more ...wire.Member) object {
	if items == nil {
		items = []object{}
	}
	return append(object{{"data", items}, {"next_cursor", wire.OrNull(next)}}, more...)
}

// The fields of every list.
var (
	limitField  = field{name: "limit", kind: number, min: 1, max: 500, defaultValue: 50, help: "How many to list at most."}
	cursorField = field{name: "cursor", kind: text, help: "The next_cursor of the page before."}
)

// pageOf returns the page of a list that was read whole. The cursor is the key of the last item before it.
func pageOf[T any](c *call, all []T, key func(T) string, item func(T) object) (any, error) {
	cursor := c.in.text("cursor")
	from := 0
	if cursor != "" {
		from = -1
		for i, x := range all {
			if key(x) == cursor {
				from = i + 1
			}
		}
		if from < 0 {
			return nil, errCursor
		}
	}
	all = all[from:]
	next := ""
	if limit := c.in.number("limit"); len(all) > limit {
		all = all[:limit]
		next = key(all[limit-1])
	}
	items := make([]object, len(all))
	for i, x := range all {
		items[i] = item(x)
	}
	return page(items, next), nil
}

var errCursor = lead.InvalidField("cursor", "cursor: this is no cursor of this list, or what it names is gone. Begin again without one.")
