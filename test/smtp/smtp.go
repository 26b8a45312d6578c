// Package smtp is an SMTP server for tests. It keeps what it receives, and refuses what it is told to.
package smtp

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is an SMTP server on the loopback address.
type Server struct {
	Addr   string
	Refuse string // the answer to every RCPT, such as "550 5.1.1 no such user"; "" accepts

	mu    sync.Mutex
	mails []string
	lines []string // all but mails
}

// Start starts a server, which ends with the test.
func Start(t *testing.T) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: listener.Addr().String()}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); running.Wait() })
	return s
}

// SetRefuse changes what every RCPT is answered with.
func (s *Server) SetRefuse(answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Refuse = answer
}

// Mails are the mails that were received, with their headers.
func (s *Server) Mails() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.mails...)
}

// Lines are the commands that were received.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.lines...)
}

func (s *Server) serve(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second)) // a client that forgets its connection does not keep the test
	in := bufio.NewScanner(conn)
	say := func(line string) { fmt.Fprint(conn, line+"\r\n") }
	say("220 smtp")
	for in.Scan() {
		s.mu.Lock()
		s.lines = append(s.lines, in.Text())
		s.mu.Unlock()
		switch word := strings.ToUpper(strings.SplitN(in.Text(), " ", 2)[0]); word {
		case "EHLO":
			say("250-smtp\r\n250 AUTH PLAIN")
		case "AUTH":
			say("535 5.7.8 wrong password for " + strings.TrimPrefix(in.Text(), "AUTH PLAIN "))
		case "RCPT":
			s.mu.Lock()
			answer := s.Refuse
			s.mu.Unlock()
			if answer == "" {
				answer = "250 ok"
			}
			say(answer)
		case "DATA":
			say("354 go on")
			var mail strings.Builder
			for in.Scan() && in.Text() != "." {
				mail.WriteString(in.Text() + "\n")
			}
			s.mu.Lock()
			s.mails = append(s.mails, mail.String())
			s.mu.Unlock()
			say("250 kept")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}
