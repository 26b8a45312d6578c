package webhook_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// tlsBuyer starts a buyer with an untrusted certificate. It accepts only HTTP/1.
func tlsBuyer(t *testing.T, change func(*httptest.Server)) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 {
			t.Errorf("it came over %s", r.Proto)
		}
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if change != nil {
		change(server)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// closedAddress returns an address where nothing listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// In these cases nothing was sent, and the outcome says so.
func TestNothingWasSent(t *testing.T) {
	hang := func(conn *net.TCPConn) { _, _ = io.Copy(io.Discard, conn) }
	for _, c := range []struct {
		name, url string
		failure   webhook.Failure
	}{
		{"nobody listens", "http://" + closedAddress(t), webhook.Connect},
		{"nobody listens behind a name", "https://closed.example.com:1/", webhook.Connect},
		{"no such name", "https://buyer.invalid/leads", webhook.DNS},
		{"a name without an address", "https://empty.example.com/leads", webhook.DNS},
		{"a certificate of nobody", tlsBuyer(t, nil).URL, webhook.TLS},
		{"TLS of old", tlsBuyer(t, func(s *httptest.Server) { s.TLS = &tls.Config{MaxVersion: tls.VersionTLS11} }).URL, webhook.TLS},
		{"no TLS at all", "https://" + rawBuyer(t, func(conn *net.TCPConn) { _, _ = io.WriteString(conn, "220 mail.example.com ESMTP\r\n") }), webhook.TLS},
		{"closes in the handshake", "https://" + rawBuyer(t, func(conn *net.TCPConn) { _, _ = conn.Read(make([]byte, 1)) }), webhook.TLS},
		{"hangs in the handshake", "https://" + rawBuyer(t, hang), webhook.Timeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSender(t, true)
			if c.failure == webhook.Timeout {
				s.SetTimeout(short)
			}
			s.SetResolver(names{"closed.example.com": {"127.0.0.1"}, "empty.example.com": {}}.resolver())
			out := send(t, s, message(c.url+"?token=1"))
			if out.Failure != c.failure || out.Sent || out.Status != 0 || out.Took > soon {
				t.Errorf("got %+v", out)
			}
		})
	}
}

func TestTrustedCertificate(t *testing.T) {
	server := tlsBuyer(t, nil)
	s := newSender(t, true)
	trust(s, server)
	for range 2 {
		if out := send(t, s, message(server.URL)); out.Status != 200 || !out.Sent {
			t.Errorf("got %+v", out)
		}
	}
}

// A certificate is valid only for the requested name.
func TestCertificateForAnotherName(t *testing.T) {
	server := tlsBuyer(t, nil)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	s := newSender(t, true)
	trust(s, server)
	s.SetResolver(names{"buyer.example.net": {"127.0.0.1"}}.resolver())
	if out := send(t, s, message("https://buyer.example.net:"+port)); out.Failure != webhook.TLS || out.Sent {
		t.Errorf("got %+v", out)
	}
}

// With TLS 1.3 a buyer demands a client certificate only after the handshake. By then something may have been sent.
func TestBuyerThatRequiresAClientCertificate(t *testing.T) {
	known := tlsBuyer(t, nil)
	config := &tls.Config{Certificates: known.TLS.Certificates, ClientAuth: tls.RequireAnyClientCert}
	s := newSender(t, true)
	trust(s, known)
	out := send(t, s, message("https://"+rawBuyer(t, func(conn *net.TCPConn) {
		_ = tls.Server(conn, config).Handshake()
		_, _ = io.Copy(io.Discard, conn)
	})))
	if out.Failure != webhook.TLS || !strings.Contains(out.Detail, "certificate required") {
		t.Errorf("got %+v", out)
	}
}

// net/http continues the handshake after the attempt has ended, for the next attempt to use, but not forever.
func TestDialEndsAfterItsAttempt(t *testing.T) {
	ended := make(chan struct{})
	s := newSender(t, true)
	s.SetTimeout(50 * time.Millisecond)
	out := send(t, s, message("https://"+rawBuyer(t, func(conn *net.TCPConn) {
		_ = conn.SetDeadline(time.Now().Add(2 * soon))
		_, _ = io.Copy(io.Discard, conn)
		close(ended)
	})))
	if out.Failure != webhook.Timeout {
		t.Errorf("got %+v", out)
	}
	select {
	case <-ended:
	case <-time.After(soon):
		t.Error("it still goes on")
	}
}

func trust(s *webhook.Sender, server *httptest.Server) {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	s.SetRoots(roots)
}
