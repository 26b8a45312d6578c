package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

const (
	bound     = 15 * time.Second // of a whole attempt: connecting, sending, the answer and its body
	maxHeader = 32 << 10
	maxAnswer = 16 << 10
)

// Sender keeps connections to the buyers.
type Sender struct {
	agent     string
	private   bool
	bound     time.Duration
	dialer    net.Dialer
	tls       *tls.Config
	transport *http.Transport
}

// New makes a sender that calls itself as agent says. Private permits addresses of our own network, http and any name: for
// tests, and for operators whose buyers are in the same house.
func New(agent string, private bool) *Sender {
	s := &Sender{agent: agent, private: private, bound: bound, tls: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}}
	if !private {
		s.dialer.Control = guard.Safe // sees the address that a name was resolved to, when it is dialled
	}
	s.transport = &http.Transport{
		Proxy:          nil, // not from the environment either: a proxy would do the dialling, and nobody check it
		DialContext:    s.dial,
		DialTLSContext: s.dialTLS,
		Protocols:      onlyHTTP1(),

		DisableCompression:     true, // the 16 KiB are those of the wire
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    8,
		MaxConnsPerHost:        0, // no bound: two buyers may share a host, and must not wait for each other
		IdleConnTimeout:        time.Minute,
	}
	return s
}

// onlyHTTP1 is safer here than HTTP/2, which would carry all messages to a host over one connection: if that hangs, all
// hang. It also sends a request again by itself when a server asks for it, and does not tell what was sent.
func onlyHTTP1() *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(true)
	return &p
}

// Close ends the connections that nobody uses. Those in use end with their attempts.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

// dial has a bound of its own, because net/http goes on dialling after the attempt was given up.
func (s *Sender) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.bound)
	defer cancel()
	raw, err := s.dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return newConn(raw, raw), nil
}

func (s *Sender) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.bound)
	defer cancel()
	raw, err := s.dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	config := s.tls.Clone()
	config.ServerName = host
	secure := tls.Client(raw, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = raw.Close()
		return nil, &handshakeError{err}
	}
	return newConn(secure, raw), nil
}
