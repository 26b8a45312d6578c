package console

import (
	"net/http"

	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

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
