package console

import (
	"net/http"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
)

// caller is the program that sent a request, by its token.
type caller struct{ token store.Token }

// actor is how the audit trail names the program.
func (t caller) actor() audit.Actor { return audit.Token(t.token.ID) }

// challenge says how a token is sent. HTTP requires it in a 401.
const challenge = `Bearer realm="operator"`

// handler answers a request with a valid token.
type handler func(w http.ResponseWriter, r *http.Request, t caller) error

// authenticated asks for a valid token before anything else.
func (c *Console) authenticated(next handler) edge.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		t, err := c.authenticate(r, bearer(r))
		if err != nil {
			w.Header().Set("WWW-Authenticate", challenge)
			return err
		}
		w.Header().Set("Cache-Control", "no-store")
		return next(w, r, t)
	}
}

// bearer returns the token of a request, or "".
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || len(r.Header["Authorization"]) > 1 {
		return ""
	}
	return strings.TrimSpace(token)
}

// authenticate finds out who sent a request. An address from which many wrong tokens came is refused before another is looked at, unless
// the token was right before: others at the same address, as behind a proxy, cannot lock its program out.
func (c *Console) authenticate(r *http.Request, token string) (caller, error) {
	ctx, client := r.Context(), edge.RequestInfoOf(r.Context()).Client
	if token == "" {
		return caller{}, catalog.NoToken
	}
	if !c.AllowPlainHTTP && !strings.HasPrefix(c.Brand.BaseURL, "https://") && !client.IsLoopback() {
		return caller{}, catalog.TokenOverHTTP
	}
	if _, known := c.known.Load(hash(token)); !known {
		if a, err := c.Limiter.Take(ctx, client, lead.BucketUnknownIDs, 0); err != nil || !a.Granted {
			return caller{}, tooMany(a, err)
		}
	}
	t, valid, err := c.Operator.Authenticate(ctx, token)
	switch {
	case err != nil:
		return caller{}, publicError(err)
	case valid:
		c.known.Store(hash(token), true)
		return caller{t}, nil
	}
	c.known.Delete(hash(token))
	if a, err := c.Limiter.Take(ctx, client, lead.BucketUnknownIDs, 1); err != nil || !a.Granted {
		return caller{}, tooMany(a, err)
	}
	return caller{}, catalog.NoToken
}

func tooMany(a lead.Allowance, err error) error {
	if err != nil {
		return err
	}
	return catalog.TooManyTokens(a)
}

// allow refuses what the token may not do.
func (t caller) allow(write, personal bool) error {
	switch {
	case write && t.token.Scope != store.TokenWrite:
		return catalog.ReadOnly
	case personal && !t.token.PersonalData:
		return catalog.NoPersonalData
	}
	return nil
}

const tagToken = "token"

var tokenOperations = []operation{
	{
		method: get, path: "/token", id: "getToken", tag: tagToken, summary: "What the token may do, and until when",
		answer: answer{"Token", report.Token(store.Token{}, time.Time{}), false},
		run:    func(c *call) (any, error) { return report.Token(c.caller.token, time.Now()), nil },
	},
}
