package app_test

import (
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"foyer/internal/app"
	"foyer/internal/config"
)

// discardWriter is a ResponseWriter that drops the body.
type discardWriter struct {
	header http.Header
	status int
}

func (w *discardWriter) Header() http.Header         { return w.header }
func (w *discardWriter) WriteHeader(status int)      { w.status = status }
func (w *discardWriter) Write(b []byte) (int, error) { return len(b), nil }

const benchLead = `{"service_type":"house_cleaning","zip_code":"33139","city":"Miami Beach","state":"FL","bedrooms":2,"bathrooms":1.5,` +
	`"square_feet":1200,"home_type":"apartment","frequency":"biweekly","notes":"Two cats; please use unscented products.",` +
	`"customer_name":"Pat Example","customer_phone":"305-555-0123","customer_email":"pat@example.com","consent_to_contact":true}`

// BenchmarkHandlers measures our own code: no socket, no client, 64 concurrent callers.
func BenchmarkHandlers(b *testing.B) {
	for _, c := range []struct {
		name, method, path, body string
		status                   int
	}{
		{"services", "GET", "/v1/services", "", 200},
		{"intake", "POST", "/v1/intake", benchLead, 202},
		{"dry run", "POST", "/v1/intake?dry_run=true", benchLead, 200},
		{"reading tool", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plumbing_call_number","arguments":{"zip_code":"33139"}}}`, 200},
		{"look-up", "GET", "/v1/leads/lead_aaaaaaaaaaaaaaaaaaaaaaaaaa", "", 404},
	} {
		b.Run(c.name, func(b *testing.B) {
			handler := benchHandler(b)
			b.ReportAllocs()
			b.SetParallelism(32)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, _ := http.NewRequestWithContext(b.Context(), c.method, c.path, io.NopCloser(strings.NewReader(c.body)))
					r.ContentLength, r.RemoteAddr, r.RequestURI = int64(len(c.body)), "127.0.0.1:1", c.path
					r.Header["Content-Type"] = []string{"application/json"}
					w := &discardWriter{header: make(http.Header, 8)}
					if handler.ServeHTTP(w, r); w.status != c.status {
						b.Fatalf("got %d", w.status)
					}
				}
			})
		})
	}
}

func benchHandler(b *testing.B) http.Handler {
	b.Helper()
	var settings config.Settings
	parser, err := kong.New(&settings)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := parser.Parse([]string{"--database", "sqlite:" + filepath.Join(b.TempDir(), "foyer.db"), "--rate-limit", "off"}); err != nil {
		b.Fatal(err)
	}
	a, err := app.New(b.Context(), settings, "127.0.0.1:0", slog.New(slog.NewJSONHandler(io.Discard, nil)))
	if err != nil {
		b.Fatal(err)
	}
	return a.Handler()
}
