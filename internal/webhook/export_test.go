package webhook

import (
	"context"
	"crypto/x509"
	"net"
	"syscall"
	"time"
)

// RetryAfter is what the tests may read a header with.
var RetryAfter = retryAfter

// SetTimeout shortens an attempt, for those who test one that lasts too long.
func (s *Sender) SetTimeout(d time.Duration) { s.timeout = d }

// SetResolver says who knows the names.
func (s *Sender) SetResolver(r *net.Resolver) { s.dialer.Resolver = r }

// SetControl lets a test see the sockets.
func (s *Sender) SetControl(see func(network, addr string, socket syscall.RawConn) error) {
	s.dialer.Control = see
}

// SetRoots says whose certificates are believed.
func (s *Sender) SetRoots(roots *x509.CertPool) { s.tls.RootCAs = roots }

// Dial connects as for a message whose address nobody looked at.
func (s *Sender) Dial(ctx context.Context, addr string) error {
	conn, err := s.dial(ctx, "tcp", addr)
	if err == nil {
		_ = conn.Close()
	}
	return err
}
