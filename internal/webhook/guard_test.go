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

// A name says nothing: it is the address that it stands for when it is dialled that counts.
func TestNamesThatLeadHome(t *testing.T) {
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
		// Where a machine has no IPv6, there is not even a socket for the guard to look at.
		if out.Sent || out.Failure != webhook.RefusedAddress && (out.Failure != webhook.Connect || !strings.Contains(addrs[0], ":")) {
			t.Errorf("%s: got %+v", addrs, out)
		}
	}
}

// The guard does not rely on anybody having looked at the address before.
func TestTheGuardLooksAtEveryDial(t *testing.T) {
	home := rawBuyer(t, func(*net.TCPConn) {})
	_, port, _ := net.SplitHostPort(home)
	for _, addr := range []string{home, "localhost:" + port, "0.0.0.0:" + port, "[::ffff:127.0.0.1]:" + port, ":" + port} {
		if err := newSender(t, false).Dial(t.Context(), addr); err == nil {
			t.Errorf("%s: connected", addr)
		}
	}
	if err := newSender(t, true).Dial(t.Context(), home); err != nil {
		t.Errorf("private, and yet: %v", err)
	}
}

func TestRedirectsAreAnswersAndNobodyFollows(t *testing.T) {
	var visits atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer inside.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		outside := httptest.NewServer(http.RedirectHandler(inside.URL, status))
		if out := send(t, newSender(t, true), message(outside.URL)); out.Status != status || out.Failure != "" || !out.Sent {
			t.Errorf("%d: got %+v", status, out)
		}
		outside.Close()
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// A proxy would be asked for any name, and here nobody would answer. Instead the name is looked up. Names and addresses of
// this machine would tell nothing: net/http never asks a proxy for them.
func TestProxiesOfTheEnvironmentAreNotUsed(t *testing.T) {
	s := newSender(t, true)
	s.SetResolver(names{}.resolver())
	for _, url := range []string{"http://buyer.example.com/", "https://buyer.example.com/"} {
		if out := send(t, s, message(url)); out.Failure != webhook.DNS || !strings.Contains(out.Detail, "buyer.example.com") {
			t.Errorf("%s: got %+v", url, out)
		}
	}
}
