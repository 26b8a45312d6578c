package edge

import (
	"net/http"
	"strings"

	"foyer/internal/catalog"
)

// Handler answers a request or returns why it cannot.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Resource is one route: a path and its handlers.
type Resource struct {
	Path string // an http.ServeMux pattern without a method
	Get  Handler
	Post Handler
	Any  Handler // handles every method, in place of Get and Post
	Open bool    // any website may use it from a browser (CORS)
	Page bool    // browsers get its errors as pages
}

// dispatch calls the handler for the method, and handles OPTIONS and unknown methods for every resource.
func (res *Resource) dispatch(w http.ResponseWriter, r *http.Request) error {
	if res.Open {
		allowAnyOrigin(w.Header(), r)
	}
	if res.Any != nil && !(res.Open && r.Method == http.MethodOptions) {
		return res.Any(w, r)
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if res.Get != nil {
			return res.Get(w, r)
		}
	case http.MethodPost:
		if res.Post != nil {
			return res.Post(w, r)
		}
	case http.MethodOptions:
		res.options(w)
		return nil
	}
	w.Header().Set("Allow", strings.Join(res.methods(), ", "))
	return catalog.NotThisWay(res.methods())
}

func (res *Resource) methods() []string {
	var methods []string
	if res.Get != nil || res.Any != nil {
		methods = append(methods, http.MethodGet, http.MethodHead)
	}
	if res.Post != nil || res.Any != nil {
		methods = append(methods, http.MethodPost)
	}
	return methods
}

func (res *Resource) options(w http.ResponseWriter) {
	methods := strings.Join(append(res.methods(), http.MethodOptions), ", ")
	w.Header().Set("Allow", methods)
	if res.Open {
		w.Header().Set("Access-Control-Allow-Methods", methods)
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type, Accept, Idempotency-Key, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID")
		w.Header().Set("Access-Control-Max-Age", "86400")
	}
	w.WriteHeader(http.StatusNoContent)
}

// Header values that never change are shared by all responses.
var (
	anyOrigin      = []string{"*"}
	exposedHeaders = []string{"ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"}
	noSniff        = []string{"nosniff"}
	hstsOneYear    = []string{"max-age=31536000"} // a year, for this host alone: other hosts of the domain may not be ours
	jsonType       = []string{"application/json"}
	noStore        = []string{"no-store"}
)

// allowAnyOrigin lets every website read the response, and its scripts the headers that matter.
func allowAnyOrigin(h http.Header, r *http.Request) {
	h["Access-Control-Allow-Origin"] = anyOrigin
	if r.Header["Origin"] != nil {
		h["Access-Control-Expose-Headers"] = exposedHeaders
	}
}
