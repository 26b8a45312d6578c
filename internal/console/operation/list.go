package operation

import (
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// Page returns a page of a list, for pagination by a cursor: the items, and where the next page begins, or null.
func Page(items []object, next string, more ...wire.Member) object {
	if items == nil {
		items = []object{}
	}
	return append(object{{"data", items}, {"next_cursor", wire.OrNull(next)}}, more...)
}

// The fields of every list.
var (
	LimitField  = Field{Name: "limit", Kind: Number, Min: 1, Max: 500, DefaultValue: 50, Help: "How many to list at most."}
	CursorField = Field{Name: "cursor", Kind: Text, Help: "The next_cursor of the page before."}
)

// PageOf returns the page of a list that was read whole. The cursor is the key of the last item before it.
func PageOf[T any](c *Call, all []T, key func(T) string, item func(T) object) (any, error) {
	cursor := c.In.Text("cursor")
	from := 0
	if cursor != "" {
		from = -1
		for i, x := range all {
			if key(x) == cursor {
				from = i + 1
			}
		}
		if from < 0 {
			return nil, ErrCursor
		}
	}
	all = all[from:]
	next := ""
	if limit := c.In.Number("limit"); len(all) > limit {
		all = all[:limit]
		next = key(all[limit-1])
	}
	items := make([]object, len(all))
	for i, x := range all {
		items[i] = item(x)
	}
	return Page(items, next), nil
}

// ErrCursor refuses a cursor.
var ErrCursor = lead.InvalidField("cursor", "cursor: this is no cursor of this list, or what it names is gone. Begin again without one.")
