package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// statuses is the only place where a kind of error becomes an HTTP status.
var statuses = map[lead.Kind]int{
	lead.Invalid:          http.StatusUnprocessableEntity,
	lead.Refused:          http.StatusUnprocessableEntity,
	lead.KeyReused:        http.StatusUnprocessableEntity,
	lead.TooLarge:         http.StatusRequestEntityTooLarge,
	lead.UnsupportedMedia: http.StatusUnsupportedMediaType,
	lead.NotAcceptable:    http.StatusNotAcceptable,
	lead.Unauthorized:     http.StatusUnauthorized,
	lead.Forbidden:        http.StatusForbidden,
	lead.NotFound:         http.StatusNotFound,
	lead.Conflict:         http.StatusConflict,
	lead.MethodNotAllowed: http.StatusMethodNotAllowed,
	lead.RateLimited:      http.StatusTooManyRequests,
	lead.Unavailable:      http.StatusServiceUnavailable,
	lead.Internal:         http.StatusInternalServerError,
}

// Status is the HTTP status of an error.
func Status(e *lead.Error) int { return statuses[e.Kind] }

// RenderedError is an error that its handler renders itself, such as the form with the messages in it.
type RenderedError struct {
	Err    error
	Render func(w http.ResponseWriter, r *http.Request, e *lead.Error)
}

func (e *RenderedError) Error() string { return e.Err.Error() }
func (e *RenderedError) Unwrap() error { return e.Err }

// handleError logs an error and writes it to the client.
func (f *Frame) handleError(w *statusRecorder, r *http.Request, res *Resource, err error) {
	if ClientGone(r.Context(), err) {
		return
	}
	public := f.Log.LogError(r.Context(), res.Path, err)
	var rendered *RenderedError
	switch {
	case w.status != 0: // the response has started
	case errors.As(err, &rendered):
		SetErrorHeaders(w.Header(), public)
		rendered.Render(w, r, public)
	default:
		f.writeError(w, r, res, public)
	}
}

// LogError logs an error and returns it as the client may see it. An error that is not a lead.Error is a bug: it is logged in
// full, and the client gets one generic sentence. The cause of a refusal is
// logged at most once a second.
func (l *Log) LogError(ctx context.Context, route string, err error) *lead.Error {
	info := RequestInfoOf(ctx)
	var public *lead.Error
	if !errors.As(err, &public) {
		l.Error("bug", "id", info.ID, "route", route, "error", err)
		return catalog.Bug(info.ID)
	}
	if public.Cause != nil && l.mayLog(time.Now()) {
		l.Warn("refused", "id", info.ID, "route", route, "error", public)
	}
	return public
}

// LogPanic logs a panic and returns the error for the client. The panic value stays out of the log: it may hold what a person
// sent.
func (l *Log) LogPanic(ctx context.Context, route string) *lead.Error {
	info := RequestInfoOf(ctx)
	l.Error("panic", "id", info.ID, "route", route, "stack", string(debug.Stack()))
	return catalog.Bug(info.ID)
}

// ClientGone reports whether the client disconnected and no response is expected.
func ClientGone(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled) || errors.Is(err, errClientGone)
}

func (f *Frame) writeError(w http.ResponseWriter, r *http.Request, res *Resource, e *lead.Error) {
	SetErrorHeaders(w.Header(), e)
	if res.Page {
		w.Header().Add("Vary", "Accept")
		if AsksForHTML(r) {
			f.ErrorPage(w, r, Status(e), e)
			return
		}
	}
	WriteJSON(w, Status(e), wire.Marshal(wire.ErrorBody(e)))
}

// SetErrorHeaders sets the headers of an error, among them when the client should retry.
func SetErrorHeaders(h http.Header, e *lead.Error) {
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	switch e.Kind {
	case lead.RateLimited, lead.Unavailable:
		h.Set("Retry-After", strconv.Itoa(ceilSeconds(e.Retry)))
	case lead.Unauthorized:
		if h["Www-Authenticate"] == nil { // HTTP requires a scheme in a 401
			h.Set("WWW-Authenticate", "Webhook-Signature")
		}
	}
	if q := e.Quota; q != nil {
		h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", q.Name, q.Limit, int(q.Window.Seconds())))
		h.Set("RateLimit", fmt.Sprintf("%q;r=0;t=%d", q.Name, ceilSeconds(e.Retry)))
	}
}

// ceilSeconds rounds up: a client that retries a moment early is refused again.
func ceilSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// Log is the log of requests and of what went wrong with them.
type Log struct {
	*slog.Logger
	jsonLines   io.Writer    // where ready-made JSON lines go; nil if the handler takes none
	lastCauseAt atomic.Int64 // when the cause of a refusal was last logged
}

// NewLog wraps a logger. A handler with a Lines method writes JSON lines to its writer, and gets request lines ready-made.
func NewLog(l *slog.Logger) *Log {
	log := &Log{Logger: l}
	if h, ok := l.Handler().(interface{ Lines() io.Writer }); ok {
		log.jsonLines = h.Lines()
	}
	return log
}

// mayLog permits one cause a second: a full disk refuses thousands of requests for the same reason.
func (l *Log) mayLog(now time.Time) bool {
	last := l.lastCauseAt.Load()
	return now.UnixNano()-last > int64(time.Second) && l.lastCauseAt.CompareAndSwap(last, now.UnixNano())
}
