package edge

import (
	"net/http"
	"strings"

	"foyer/internal/catalog"
)

// Handler answers a request or returns why it cannot.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Resource is one line of the menu: an address and what can be done there.
type Resource struct {
	Path string   // a pattern of http.ServeMux without a method
	Doc  Prepared // what Get answers, where it is the same for everybody
	Get  Handler
	Post Handler
	Any  Handler // answers every method, in place of Get and Post
	Open bool    // any website may use it from a browser (CORS)
	Page bool    // its errors are shown as pages to browsers
	Work bool    // refused early when too much is under way
}

// dispatch finds the handler for the method, and answers what every resource answers alike.
func (x *Resource) dispatch(w http.ResponseWriter, r *http.Request) error {
	if x.Open {
		allowAnyOrigin(w.Header(), r)
	}
	if x.Any != nil && !(x.Open && r.Method == http.MethodOptions) {
		return x.Any(w, r)
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if x.Doc != nil {
			return x.Doc.Get(w, r)
		}
		if x.Get != nil {
			return x.Get(w, r)
		}
	case http.MethodPost:
		if x.Post != nil {
			return x.Post(w, r)
		}
	case http.MethodOptions:
		x.options(w)
		return nil
	}
	w.Header().Set("Allow", strings.Join(x.methods(), ", "))
	return catalog.NotThisWay(x.methods())
}

func (x *Resource) methods() []string {
	var methods []string
	if x.Doc != nil || x.Get != nil || x.Any != nil {
		methods = append(methods, http.MethodGet, http.MethodHead)
	}
	if x.Post != nil || x.Any != nil {
		methods = append(methods, http.MethodPost)
	}
	return methods
}

func (x *Resource) options(w http.ResponseWriter) {
	methods := strings.Join(append(x.methods(), http.MethodOptions), ", ")
	w.Header().Set("Allow", methods)
	if x.Open {
		w.Header().Set("Access-Control-Allow-Methods", methods)
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type, Accept, Idempotency-Key, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID")
		w.Header().Set("Access-Control-Max-Age", "86400")
	}
	w.WriteHeader(http.StatusNoContent)
}

// Header values that never change are shared by all answers.
var (
	anyOrigin = []string{"*"}
	exposedHeaders   = []string{"ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"}
	noSniff   = []string{"nosniff"}
	hstsOneYear = []string{"max-age=31536000"} // a year, for this host alone: others of the domain may not be ours
	jsonType    = []string{"application/json"}
	noStore   = []string{"no-store"}
)

// allowAnyOrigin lets every website read the answer, and a script that asks the headers that matter.
func allowAnyOrigin(h http.Header, r *http.Request) {
	h["Access-Control-Allow-Origin"] = anyOrigin
	if r.Header["Origin"] != nil {
		h["Access-Control-Expose-Headers"] = exposedHeaders
	}
}
