package edge_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"foyer/internal/edge"
)

// jsonLinesHandler is a handler that also takes ready-made JSON lines.
type jsonLinesHandler struct {
	slog.Handler
	to *bytes.Buffer
}

func (h jsonLinesHandler) Lines() io.Writer { return h.to }

// TestLogLineMatchesStandardHandler compares our request line with that of the standard handler.
func TestLogLineMatchesStandardHandler(t *testing.T) {
	line := func(wrap func(slog.Handler, *bytes.Buffer) slog.Handler) map[string]any {
		var out bytes.Buffer
		f := &edge.Frame{
			Log:      edge.NewLog(slog.New(wrap(slog.NewJSONHandler(&out, nil), &out))),
			ClientOf: func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.1") },
			NewID:    func(prefix string) string { return prefix + "1" },
		}
		f.Serve(edge.Resource{Path: "/", Any: writeHello}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/x", nil))
		var got map[string]any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v in %s", err, out.String())
		}
		return got
	}
	standard := line(func(h slog.Handler, _ *bytes.Buffer) slog.Handler { return h })
	ours := line(func(h slog.Handler, to *bytes.Buffer) slog.Handler { return jsonLinesHandler{h, to} })
	for name, want := range standard {
		switch got := ours[name]; name {
		case "time":
			if _, err := time.Parse(time.RFC3339Nano, got.(string)); err != nil {
				t.Error(err)
			}
		case "took_ms":
			if _, ok := got.(float64); !ok {
				t.Errorf("took_ms is %v", got)
			}
		default:
			if got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
	}
	if len(ours) != len(standard) {
		t.Errorf("got %v, want the members of %v", ours, standard)
	}
}
