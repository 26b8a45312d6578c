package webhook_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"foyer/internal/webhook"
)

// The guard checks the address that a name resolves to when it is dialed, not the name.
func TestNamesOfInternalAddresses(t *testing.T) {
	_, port, _ := net.SplitHostPort(rawBuyer(t, func(*net.TCPConn) { t.Error("somebody came in") }))
	for _, addrs := range [][]string{
		{"127.0.0.1"},
		{"127.0.0.1", "10.0.0.1"},
		{"127.0.0.1", "::1"},
		{"::ffff:127.0.0.1"},
		{"::1"},
		{"0.0.0.0"},
		{"10.0.0.1"},
		{"169.254.169.254"},
		{"100.64.0.1"},
		{"fd00::1"},
		{"64:ff9b::7f00:1"},
	} {
		s := newSender(t, false)
		s.SetResolver(names{"buyer.example.com": addrs}.resolver())
		out := send(t, s, message("https://buyer.example.com:"+port+"/?token=1"))
		// On a machine without IPv6, dialing fails before the guard can check the socket.
		if out.Sent || out.Failure != webhook.RefusedAddress && (out.Failure != webhook.Connect || !strings.Contains(addrs[0], ":")) {
			t.Errorf("%s: got %+v", addrs, out)
		}
	}
}

// The guard does not rely on an earlier check of the address.
func TestGuardChecksEveryDial(t *testing.T) {
	local := rawBuyer(t, func(*net.TCPConn) {})
	_, port, _ := net.SplitHostPort(local)
	for _, addr := range []string{local, "localhost:" + port, "0.0.0.0:" + port, "[::ffff:127.0.0.1]:" + port, ":" + port} {
		if err := newSender(t, false).Dial(t.Context(), addr); err == nil {
			t.Errorf("%s: connected", addr)
		}
	}
	if err := newSender(t, true).Dial(t.Context(), local); err != nil {
		t.Errorf("private, and yet: %v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var requests atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer inside.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		outside := httptest.NewServer(http.RedirectHandler(inside.URL, status))
		if out := send(t, newSender(t, true), message(outside.URL)); out.Status != status || out.Failure != "" || !out.Sent {
			t.Errorf("%d: got %+v", status, out)
		}
		outside.Close()
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// With a proxy, net/http would send it every name, and no proxy answers here. Instead the sender looks up the name
// itself. Names and addresses of this machine would prove nothing: net/http never uses a proxy for them.
func TestProxyEnvironmentIsIgnored(t *testing.T) {
	s := newSender(t, true)
	s.SetResolver(names{}.resolver())
	for _, url := range []string{"http://buyer.example.com/", "https://buyer.example.com/"} {
		if out := send(t, s, message(url)); out.Failure != webhook.DNS || !strings.Contains(out.Detail, "buyer.example.com") {
			t.Errorf("%s: got %+v", url, out)
		}
	}
}
