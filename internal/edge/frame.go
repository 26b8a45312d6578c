// Package edge is the HTTP frame around all handlers: handlers return errors, and this package turns them into responses. It
// owns request ids, the log line of a request, body limits, conditional responses, CORS and the only table from an error's kind
// to an HTTP status.
//
// It knows nothing of leads beyond their errors and how they arrived, and it never logs a URL, a header or a body.
package edge

import (
	"context"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Frame wraps every resource.
type Frame struct {
	Log       *Log
	ClientOf  func(*http.Request) netip.Addr
	Counted   func(netip.Addr) netip.Prefix // the client whose share of the larger bodies a request counts toward; zero if none
	Trusted   []netip.Prefix                // proxies
	NewID     func(prefix string) string
	ErrorPage func(w http.ResponseWriter, r *http.Request, status int, e *lead.Error) // an error as a page, for browsers
	Secure    bool                                                                    // the public URL is https, and browsers are told to use only that
}

// RequestInfo is what the frame knows about a request.
type RequestInfo struct {
	ID     string
	Client netip.Addr
	Way    Way
}

type requestInfoKey struct{}

// requestContext is what a context carries.
type requestContext struct {
	info    RequestInfo
	counted func(netip.Addr) netip.Prefix // as in Frame; may be nil
}

// WithRequestInfo returns a context that carries the info, and how the frame counts clients.
func WithRequestInfo(ctx context.Context, info RequestInfo, counted func(netip.Addr) netip.Prefix) context.Context {
	return context.WithValue(ctx, requestInfoKey{}, &requestContext{info, counted})
}

// RequestInfoOf returns the info that the context carries, or the zero value.
func RequestInfoOf(ctx context.Context) RequestInfo {
	if c, ok := ctx.Value(requestInfoKey{}).(*requestContext); ok {
		return c.info
	}
	return RequestInfo{}
}

// countedClientOf returns the client whose share a request counts toward; the zero prefix if none.
func countedClientOf(ctx context.Context) netip.Prefix {
	c, ok := ctx.Value(requestInfoKey{}).(*requestContext)
	if !ok || c.counted == nil {
		return netip.Prefix{}
	}
	return c.counted(c.info.Client)
}

// Serve builds the handler of all resources. The missing resource handles every path that has no route.
func (f *Frame) Serve(missing Resource, routes ...[]Resource) http.Handler {
	mux, notFound := http.NewServeMux(), f.wrap(missing)
	mux.Handle("/", notFound)
	all := slices.Concat(routes...)
	for _, res := range all {
		mux.Handle(res.Path, f.wrap(res))
		short := strings.TrimSuffix(res.Path, "/") // for which the mux would redirect, too
		if short != "" && !slices.ContainsFunc(all, func(other Resource) bool { return other.Path == short }) {
			mux.Handle(short, f.wrap(res))
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isCleanPath(r.URL.EscapedPath()) { // the mux would redirect to a target taken from the request
			notFound.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// isCleanPath reports whether a path is in canonical form: no empty or dotted segments.
func isCleanPath(p string) bool {
	clean := path.Clean(p)
	return p == clean || p == "" || clean != "/" && p == clean+"/"
}

// wrap is the middleware around every handler: it adds the request id, the log line, the error responses and the recovery from panics.
func (f *Frame) wrap(res Resource) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		info := RequestInfo{ID: f.NewID("req_"), Client: f.ClientOf(r), Way: wayOf(r, f.Trusted)}
		r = r.WithContext(WithRequestInfo(r.Context(), info, f.Counted))
		recorder := &statusRecorder{ResponseWriter: w}
		recorder.Header()["X-Request-Id"] = []string{info.ID}
		recorder.Header()["X-Content-Type-Options"] = noSniff
		if f.Secure {
			recorder.Header()["Strict-Transport-Security"] = hstsOneYear
		}
		if mustClose(r) {
			recorder.Header().Set("Connection", "close")
		}
		defer func() {
			panicked := recover()
			if panicked != nil {
				f.handlePanic(recorder, r, &res, panicked)
			}
			f.Log.logRequest(r.Context(), began, info.ID, loggedMethod(r.Method), res.Path, recorder.loggedStatus())
			if panicked == http.ErrAbortHandler || recorder.status == 0 {
				panic(http.ErrAbortHandler) // a return would send an empty 200, which a client could take for an acceptance
			}
		}()
		if err := res.dispatch(recorder, r); err != nil {
			f.handleError(recorder, r, &res, err)
		}
	})
}

// handlePanic logs a panic and writes an error, if the response has not started.
func (f *Frame) handlePanic(w *statusRecorder, r *http.Request, res *Resource, panicked any) {
	if panicked == http.ErrAbortHandler {
		return
	}
	if e := f.Log.LogPanic(r.Context(), res.Path); w.status == 0 {
		f.writeError(w, r, res, e)
	}
}

// statusRecorder records the status for the log.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *statusRecorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// statusClientGone is the status in the log if the client disconnected before the response.
const statusClientGone = 499

func (r *statusRecorder) loggedStatus() int {
	if r.status == 0 {
		return statusClientGone
	}
	return r.status
}

// loggedMethod keeps methods that a client made up out of the log.
func loggedMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}

// mustClose reports whether the connection must not be used again, because a proxy in front may have seen another end of the
// request and taken a part of its body for the next one. The standard library drops a Content-Length beside chunks, and a
// Transfer-Encoding of HTTP/1.0, before any handler sees them; RFC 9112, section 6.1, wants the connection closed after either.
func mustClose(r *http.Request) bool {
	return len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1)
}

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
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type, Accept, Idempotency-Key, "+lead.SourceHeader+", MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID")
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

// WriteJSON writes a JSON body that is already encoded.
func WriteJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	if h["Cache-Control"] == nil {
		h["Cache-Control"] = noStore
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
