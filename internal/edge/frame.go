package edge

import (
	"context"
	"net/http"
	"net/netip"
	"path"
	"time"

	"foyer/internal/lead"
)

// Frame wraps every resource.
type Frame struct {
	Log       *Log
	ClientOf  func(*http.Request) netip.Addr
	NewID     func(prefix string) string
	ErrorPage func(w http.ResponseWriter, r *http.Request, status int, e *lead.Error) // an error as a page, for browsers
	Secure    bool                                                                    // the public URL is https, and browsers are told to use only that
}

// RequestInfo is what the frame knows about a request.
type RequestInfo struct {
	ID     string
	Client netip.Addr
}

type requestInfoKey struct{}

// WithRequestInfo returns a context that carries the info.
func WithRequestInfo(ctx context.Context, info RequestInfo) context.Context {
	return context.WithValue(ctx, requestInfoKey{}, info)
}

// RequestInfoOf returns the info that the context carries, or the zero value.
func RequestInfoOf(ctx context.Context) RequestInfo {
	info, _ := ctx.Value(requestInfoKey{}).(RequestInfo)
	return info
}

// Serve builds the handler of all resources. The missing resource handles every path that has no route.
func (f *Frame) Serve(missing Resource, routes ...[]Resource) http.Handler {
	mux, notFound := http.NewServeMux(), f.wrap(missing)
	mux.Handle("/", notFound)
	for _, group := range routes {
		for _, res := range group {
			mux.Handle(res.Path, f.wrap(res))
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

// wrap adds the request id, the log line, the error responses and the recovery from panics.
func (f *Frame) wrap(res Resource) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		info := RequestInfo{ID: f.NewID("req_"), Client: f.ClientOf(r)}
		r = r.WithContext(WithRequestInfo(r.Context(), info))
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
