package edge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
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
	lead.MethodNotAllowed: http.StatusMethodNotAllowed,
	lead.RateLimited:      http.StatusTooManyRequests,
	lead.Unavailable:      http.StatusServiceUnavailable,
	lead.Internal:         http.StatusInternalServerError,
}

// Status is the HTTP status of an error.
func Status(e *lead.Error) int { return statuses[e.Kind] }

// RenderedError is an error that its handler wants shown in a way of its own, such as the form with the messages in it.
type RenderedError struct {
	Err    error
	Render func(w http.ResponseWriter, r *http.Request, e *lead.Error)
}

func (s *RenderedError) Error() string { return s.Err.Error() }
func (s *RenderedError) Unwrap() error { return s.Err }

// handleError answers an error.
func (f *Frame) handleError(w *statusRecorder, r *http.Request, x *Resource, err error) {
	if ClientGone(r.Context(), err) {
		return
	}
	told := f.Log.LogError(r.Context(), x.Path, err)
	var shown *RenderedError
	switch {
	case w.status != 0: // too late
	case errors.As(err, &shown):
		SetErrorHeaders(w.Header(), told)
		shown.Render(w, r, told)
	default:
		f.writeError(w, r, x, told)
	}
}

// LogError is an error as a client is told of it. What is not one of ours is a bug: logged in full, told in one bland
// sentence. The causes of refusals are logged too, but not for each of a flood of them.
func (l *Log) LogError(ctx context.Context, route string, err error) *lead.Error {
	visit := RequestInfoOf(ctx)
	var told *lead.Error
	if !errors.As(err, &told) {
		l.Error("bug", "id", visit.ID, "route", route, "error", err)
		return catalog.Bug(visit.ID)
	}
	if told.Cause != nil && l.mayLog(time.Now()) {
		l.Warn("refused", "id", visit.ID, "route", route, "error", told)
	}
	return told
}

// LogPanic answers for a bug that panicked. The panic's own words stay out of the log: they may hold what a person sent.
func (l *Log) LogPanic(ctx context.Context, route string) *lead.Error {
	visit := RequestInfoOf(ctx)
	l.Error("panic", "id", visit.ID, "route", route, "stack", string(debug.Stack()))
	return catalog.Bug(visit.ID)
}

// ClientGone says that nobody waits for the answer.
func ClientGone(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled) || errors.Is(err, errClientGone)
}

func (f *Frame) writeError(w http.ResponseWriter, r *http.Request, x *Resource, e *lead.Error) {
	SetErrorHeaders(w.Header(), e)
	if x.Page {
		w.Header().Add("Vary", "Accept")
		if AsksForHTML(r) {
			f.ErrorPage(w, r, Status(e), e)
			return
		}
	}
	WriteJSON(w, Status(e), wire.Marshal(wire.ErrorBody(e)))
}

// WriteJSON answers with a JSON body that is ready.
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

// SetErrorHeaders adds what a client needs in order to come back at the right time.
func SetErrorHeaders(h http.Header, e *lead.Error) {
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	switch e.Kind {
	case lead.RateLimited, lead.Unavailable:
		h.Set("Retry-After", strconv.Itoa(ceilSeconds(e.Retry)))
	case lead.Unauthorized:
		h.Set("WWW-Authenticate", "Webhook-Signature") // HTTP wants a word on how to sign
	}
	if q := e.Quota; q != nil {
		h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", q.Name, q.Limit, int(q.Window.Seconds())))
		h.Set("RateLimit", fmt.Sprintf("%q;r=0;t=%d", q.Name, ceilSeconds(e.Retry)))
	}
}

// ceilSeconds rounds up: a client that comes back a moment early is refused again.
func ceilSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }
