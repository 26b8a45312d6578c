package console

import (
	"net/http"

	"foyer/internal/edge"
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

// getDocs shows the docs to a program, or asks a person for a token. A token is never part of an address.
func (c *Console) getDocs(w http.ResponseWriter, r *http.Request) error {
	if r.Header["Authorization"] == nil {
		w.Header().Set("WWW-Authenticate", challenge)
		c.Pages.AskToken(w, r, http.StatusUnauthorized, nil)
		return nil
	}
	return c.showDocs(w, r, bearer(r))
}

// postDocs shows the docs to a person who typed a token.
func (c *Console) postDocs(w http.ResponseWriter, r *http.Request) error {
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return err
	}
	form, _ := wire.FormValues(body)
	return c.showDocs(w, r, form.Get("token"))
}

func (c *Console) showDocs(w http.ResponseWriter, r *http.Request, token string) error {
	if _, err := c.authenticate(r, token); err != nil {
		w.Header().Set("WWW-Authenticate", challenge)
		return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, r *http.Request, e *lead.Error) {
			c.Pages.AskToken(w, r, edge.Status(e), e)
		}}
	}
	docs, err := c.docs()
	if err != nil {
		return err
	}
	return docs.Get(w, r)
}
