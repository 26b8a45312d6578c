package edge_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"foyer/internal/edge"
)

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}
	for _, tc := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "192.0.2.7:5000", nil, "192.0.2.7"},
		{"no proxy, IPv6", "[2001:db8::7]:5000", nil, "2001:db8::7"},
		{"IPv4 inside IPv6", "[::ffff:192.0.2.7]:5000", nil, "192.0.2.7"},
		{"a trusted proxy", "10.1.2.3:5000", []string{"192.0.2.7"}, "192.0.2.7"},
		{"a trusted proxy on IPv6", "[2001:db8:1::1]:5000", []string{"2001:db8::7"}, "2001:db8::7"},
		{"a trusted proxy that is asked directly", "10.1.2.3:5000", nil, "10.1.2.3"},
		{"two trusted proxies", "10.1.2.3:5000", []string{"192.0.2.7, 10.9.9.9"}, "192.0.2.7"},
		{"what the client made up is on the left", "10.1.2.3:5000", []string{"203.0.113.1, 192.0.2.7"}, "192.0.2.7"},
		{"in a header of its own", "10.1.2.3:5000", []string{"203.0.113.1", "192.0.2.7"}, "192.0.2.7"},
		{"nonsense from a trusted proxy", "10.1.2.3:5000", []string{"nonsense"}, "10.1.2.3"},
		{"only trusted addresses", "10.1.2.3:5000", []string{"10.0.0.1, 10.0.0.2"}, "10.1.2.3"},
		{"an untrusted peer", "192.0.2.7:5000", []string{"203.0.113.1"}, "192.0.2.7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tc.peer
			r.Header["X-Forwarded-For"] = tc.forwarded
			if tc.forwarded == nil {
				delete(r.Header, "X-Forwarded-For")
			}
			if got := edge.Clients(trusted, slog.New(slog.DiscardHandler))(r); got.String() != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// TestPrivateRequests wants a request to be called private only if nobody on the way could read it.
func TestPrivateRequests(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.2/32")}
	for _, tc := range []struct {
		name, peer, header, value string
		way                       edge.Way
		http, https               bool
	}{
		{"a client on the machine", "127.0.0.1:5000", "", "", edge.FromMachine, true, true},
		{"a client on the machine, IPv6", "[::1]:5000", "", "", edge.FromMachine, true, true},
		{"a client elsewhere", "192.0.2.7:5000", "", "", edge.FromElsewhere, false, false},
		{"a client elsewhere that says it is here", "192.0.2.7:5000", "X-Forwarded-For", "127.0.0.1", edge.FromElsewhere, false, false},
		{"a proxy on the machine", "127.0.0.1:5000", "X-Forwarded-For", "127.0.0.1", edge.FromUnknownProxy, false, false},
		{"one that names no client", "127.0.0.1:5000", "X-Forwarded-Proto", "https", edge.FromUnknownProxy, false, false},
		{"one that follows the standard", "[::1]:5000", "Forwarded", "for=192.0.2.7", edge.FromUnknownProxy, false, false},
		{"a trusted proxy", "10.1.2.3:5000", "X-Forwarded-For", "192.0.2.7", edge.FromProxy, false, true},
		{"a trusted proxy that names no client", "10.1.2.3:5000", "", "", edge.FromProxy, false, true},
		{"a trusted proxy on the machine", "127.0.0.2:5000", "X-Forwarded-For", "192.0.2.7", edge.FromProxy, false, true},
		{"a trusted proxy for a client on the machine", "127.0.0.2:5000", "X-Forwarded-For", "127.0.0.1", edge.FromProxy, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var info edge.RequestInfo
			log := slog.New(slog.DiscardHandler)
			frame := &edge.Frame{Log: edge.NewLog(log), ClientOf: edge.Clients(trusted, log), Trusted: trusted, NewID: func(string) string { return "req_1" }}
			h := frame.Serve(edge.Resource{Get: func(w http.ResponseWriter, r *http.Request) error {
				info = edge.RequestInfoOf(r.Context())
				w.WriteHeader(http.StatusNoContent)
				return nil
			}})
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tc.peer
			if tc.header != "" {
				r.Header.Set(tc.header, tc.value)
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			if info.Way != tc.way || info.IsPrivate(false) != tc.http || info.IsPrivate(true) != tc.https {
				t.Errorf("way %d, private: %t, where the public URL is https: %t", info.Way, info.IsPrivate(false), info.IsPrivate(true))
			}
		})
	}
}

func TestIgnoredForwardedHeaderIsLoggedOnce(t *testing.T) {
	log := &logBuffer{}
	clientOf := edge.Clients(nil, slog.New(slog.NewTextHandler(log, nil)))
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "192.0.2.7:5000"
	clientOf(r)
	if log.String() != "" {
		t.Errorf("without the header the log says %s", log)
	}
	r.Header.Set("X-Forwarded-For", "203.0.113.1")
	for range 3 {
		if got := clientOf(r); got.String() != "192.0.2.7" {
			t.Errorf("the header was believed: %s", got)
		}
	}
	if got := strings.Count(log.String(), "level=WARN"); got != 1 || !strings.Contains(log.String(), "trusted-proxies") || strings.Contains(log.String(), "203.0.113.1") {
		t.Errorf("want one warning that names the setting and no address: %s", log)
	}
}
