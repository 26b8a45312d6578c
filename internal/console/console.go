// Package console is the operator's door: the API for programs under /v1/operator, with tokens.
//
// Everything it does goes through package operator, and everything it shows through package report, so that it never differs from the
// command line. It adds who is allowed to: a program without a valid token learns nothing, one whose token is without personal data
// never sees a person, and each reading of personal data is in the audit trail. It has no rules of its own about leads or buyers, and
// does not offer what belongs on the machine: databases, backups, keys, tokens and simulations.
package console

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/console/openapi"
	"foyer/internal/console/operation"
	"foyer/internal/console/operations"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator"
)

// Console serves the operator's API.
type Console struct {
	Brand          catalog.Brand
	Operator       *operator.Operator
	SearchKey      []byte         // of the search index
	Zone           *time.Location // of the days and months in filters and statements
	Limiter        Limiter        // counts wrong tokens
	AllowPlainHTTP bool           // tokens are read over plain http from anywhere: the listener is in a network of the operator's own
	Pages          Pages

	known   sync.Map // the hashes of tokens that were right; there are few
	openapi func() *edge.Document
	docs    func() (*edge.Document, error)
}

// Limiter limits what one client address can do.
type Limiter interface {
	Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error)
}

// Pages renders the pages for people who hold a token.
type Pages interface {
	OperatorDocs(base string, openapi []byte) (*edge.Document, error)                 // the API for people
	AskToken(w http.ResponseWriter, r *http.Request, status int, problem *lead.Error) // asks for a token
}

// Prefix begins the addresses of all operations.
const Prefix = operation.Prefix

// OpenAPI returns the OpenAPI document of the operator's API.
func OpenAPI(b catalog.Brand) []byte { return openapi.Document(b) }

// Routes returns the routes of the API. Every path below its prefix asks for a token first, so that nothing can be told from which exist.
func (c *Console) Routes() []edge.Resource {
	c.openapi = sync.OnceValue(func() *edge.Document {
		return edge.NewDocument(operation.JSONBody, "private, max-age=300", OpenAPI(c.Brand))
	})
	c.docs = sync.OnceValues(func() (*edge.Document, error) {
		return c.Pages.OperatorDocs(c.Brand.BaseURL, OpenAPI(c.Brand))
	})
	routes := []edge.Resource{
		{Path: Prefix, Any: c.authenticated(c.notFound)},
		{Path: Prefix + "/", Any: c.authenticated(c.notFound)},
		{Path: Prefix + "/openapi.json", Any: c.authenticated(c.getOpenAPI)},
		{Path: catalog.PageOperatorDocs, Get: c.getDocs, Post: c.postDocs, Page: true},
	}
	byPath := make(map[string]map[string]*operation.Operation)
	var paths []string
	for i := range operations.All {
		o := &operations.All[i]
		if byPath[o.Path] == nil {
			byPath[o.Path], paths = make(map[string]*operation.Operation), append(paths, o.Path)
		}
		byPath[o.Path][o.Method] = o
	}
	for _, path := range paths {
		routes = append(routes, edge.Resource{Path: Prefix + path, Any: c.authenticated(c.dispatch(byPath[path]))})
	}
	return routes
}

// dispatch calls the operation of a path for the method.
func (c *Console) dispatch(methods map[string]*operation.Operation) handler {
	return func(w http.ResponseWriter, r *http.Request, t operation.Caller) error {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if o := methods[method]; o != nil {
			return c.serve(w, r, t, o)
		}
		var allowed []string
		for _, m := range []string{http.MethodGet, http.MethodPost} {
			if methods[m] != nil {
				allowed = append(allowed, m)
			}
			if m == http.MethodGet && methods[m] != nil {
				allowed = append(allowed, http.MethodHead)
			}
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return catalog.NotThisWay(allowed)
	}
}

func (c *Console) notFound(http.ResponseWriter, *http.Request, operation.Caller) error {
	return catalog.NoSuchOperation
}

func (c *Console) getOpenAPI(w http.ResponseWriter, r *http.Request, _ operation.Caller) error {
	return c.openapi().Get(w, r)
}
