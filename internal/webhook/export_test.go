package webhook

import (
	"context"
	"crypto/x509"
	"net"
	"syscall"
	"time"
)

// RetryAfter exports retryAfter for tests.
var RetryAfter = retryAfter

// SetTimeout changes the timeout of an attempt.
func (s *Sender) SetTimeout(d time.Duration) { s.timeout, s.dialer.NetDialer.Timeout = d, d }

// SetResolver replaces the DNS resolver.
func (s *Sender) SetResolver(r *net.Resolver) { s.dialer.NetDialer.Resolver = r }

// SetControl gives a test access to the sockets.
func (s *Sender) SetControl(control func(network, addr string, socket syscall.RawConn) error) {
	s.dialer.NetDialer.Control = control
}

// SetRoots sets the trusted certificates.
func (s *Sender) SetRoots(roots *x509.CertPool) { s.dialer.Config.RootCAs = roots }

// Dial connects without checking the URL first.
func (s *Sender) Dial(ctx context.Context, addr string) error {
	conn, err := s.dial(ctx, "tcp", addr)
	if err == nil {
		_ = conn.Close()
	}
	return err
}
