package edge

import (
	"context"
	"net/http"
	"net/netip"
	"path"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Frame surrounds every door.
type Frame struct {
	Log       *Log
	ClientOf  func(*http.Request) netip.Addr
	NewID     func(prefix string) string
	ErrorPage func(w http.ResponseWriter, r *http.Request, status int, e *lead.Error) // an error as a page, for browsers
	Gate      *Gate                                                                   // what work has to pass
	Secure    bool                                                                    // the public address is https, and browsers are told to keep to it

	bodies bodyReader
}

// RequestInfo is what the frame knows about a request.
type RequestInfo struct {
	ID     string
	Client netip.Addr
}

type requestInfoKey struct{}

// requestContext is a context that knows its visit, in one piece of memory.
type requestContext struct {
	context.Context
	info RequestInfo
}

// Value gives the visit to VisitOf.
func (v *requestContext) Value(key any) any {
	if key == (requestInfoKey{}) {
		return &v.info
	}
	return v.Context.Value(key)
}

// WithRequestInfo puts a visit into a context.
func WithRequestInfo(ctx context.Context, v RequestInfo) context.Context {
	return &requestContext{ctx, v}
}

// RequestInfoOf is the visit a request belongs to.
func RequestInfoOf(ctx context.Context) RequestInfo {
	if v, known := ctx.Value(requestInfoKey{}).(*RequestInfo); known {
		return *v
	}
	return RequestInfo{}
}

// Serve builds the handler of all resources. An address that is on no menu is answered by missing.
func (f *Frame) Serve(missing Resource, menus ...[]Resource) http.Handler {
	mux, lost := http.NewServeMux(), f.wrap(missing)
	mux.Handle("/", lost)
	for _, menu := range menus {
		for _, x := range menu {
			mux.Handle(x.Path, f.wrap(x))
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isCleanPath(r.URL.EscapedPath()) { // the mux would redirect to where the request says
			lost.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// isCleanPath says that a path is written the one way that a menu knows: no empty or dotted parts.
func isCleanPath(p string) bool {
	plain := path.Clean(p)
	return p == plain || p == "" || plain != "/" && p == plain+"/"
}

// wrap gives a resource its id, its log line, its errors and its safety net.
func (f *Frame) wrap(x Resource) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		visit := RequestInfo{ID: f.NewID("req_"), Client: f.ClientOf(r)}
		if x.Doc == nil || r.Method == http.MethodPost { // a document asks for nothing, and a context costs a copy of the request
			r = attachInfo(r, visit)
		}
		answer := &statusRecorder{ResponseWriter: w}
		answer.Header()["X-Request-Id"] = []string{visit.ID}
		answer.Header()["X-Content-Type-Options"] = noSniff
		if f.Secure {
			answer.Header()["Strict-Transport-Security"] = hstsOneYear
		}
		if mustClose(r) {
			answer.Header().Set("Connection", "close")
		}
		defer func() {
			panicked := recover()
			if panicked != nil {
				f.handlePanic(answer, attachInfo(r, visit), &x, panicked)
			}
			f.Log.logRequest(r.Context(), began, visit.ID, loggedMethod(r.Method), x.Path, answer.loggedStatus())
			if panicked == http.ErrAbortHandler || answer.status == 0 {
				panic(http.ErrAbortHandler) // to return would send an empty 200, which could be taken for an acceptance
			}
		}()
		if err := f.admit(&x, answer, r); err != nil {
			f.handleError(answer, attachInfo(r, visit), &x, err)
		}
	})
}

// attachInfo puts the visit into the request's context.
func attachInfo(r *http.Request, v RequestInfo) *http.Request {
	return r.WithContext(WithRequestInfo(r.Context(), v))
}

// admit refuses work that could not be done in time, before anything is made of it.
func (f *Frame) admit(x *Resource, w http.ResponseWriter, r *http.Request) error {
	if x.Work && r.Method == http.MethodPost {
		f.bodies.buffer(w, r)
		if !f.Gate.Enter(r.Context()) {
			if x.Open {
				allowAnyOrigin(w.Header(), r)
			}
			return catalog.Busy()
		}
		defer f.Gate.Leave()
	}
	return x.dispatch(w, r)
}

// handlePanic answers for a bug that panicked.
func (f *Frame) handlePanic(w *statusRecorder, r *http.Request, x *Resource, panicked any) {
	if panicked == http.ErrAbortHandler {
		return
	}
	if e := f.Log.LogPanic(r.Context(), x.Path); w.status == 0 {
		f.writeError(w, r, x, e)
	}
}

// statusRecorder remembers the status for the log.
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

// statusClientGone is what the log says where nobody waited for an answer.
const statusClientGone = 499

func (r *statusRecorder) loggedStatus() int {
	if r.status == 0 {
		return statusClientGone
	}
	return r.status
}

// loggedMethod keeps what a client made up out of the log.
func loggedMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}
