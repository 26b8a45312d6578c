package console

import (
	"net/http"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/console/operation"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// challenge says how a token is sent. HTTP requires it in a 401.
const challenge = `Bearer realm="operator"`

// handler answers a request with a valid token.
type handler func(w http.ResponseWriter, r *http.Request, t operation.Caller) error

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
func (c *Console) authenticate(r *http.Request, token string) (operation.Caller, error) {
	ctx, info := r.Context(), edge.RequestInfoOf(r.Context())
	client := info.Client
	if token == "" {
		return operation.Caller{}, catalog.NoToken
	}
	if !c.AllowPlainHTTP && !info.IsPrivate(c.Brand.HTTPS()) {
		return operation.Caller{}, catalog.TokenOverHTTP
	}
	if _, known := c.known.Load(hash(token)); !known {
		if a, err := c.Limiter.Take(ctx, client, lead.BucketUnknownIDs, 0); err != nil || !a.Granted {
			return operation.Caller{}, tooMany(a, err)
		}
	}
	t, valid, err := c.Operator.Access().Authenticate(ctx, token)
	switch {
	case err != nil:
		return operation.Caller{}, operation.PublicError(err)
	case valid:
		c.known.Store(hash(token), true)
		return operation.Program(t, client), nil
	}
	c.known.Delete(hash(token))
	if a, err := c.Limiter.Take(ctx, client, lead.BucketUnknownIDs, 1); err != nil || !a.Granted {
		return operation.Caller{}, tooMany(a, err)
	}
	return operation.Caller{}, catalog.NoToken
}

func tooMany(a lead.Allowance, err error) error {
	if err != nil {
		return err
	}
	return catalog.TooManyTokens(a)
}
