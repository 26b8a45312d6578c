package mail_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/mail"
	"foyer/test/smtp"
	"foyer/test/stopwatch"
)

func sender(t *testing.T, address string) mail.Sender {
	t.Helper()
	server, err := mail.ParseServer(address)
	if err != nil {
		t.Fatal(err)
	}
	return mail.Sender{Server: server, From: "foyer@example.com"}
}

func message(subject string) mail.Message {
	return mail.Message{ID: "alert_1", To: "ops@example.com", Subject: subject, Body: "It is down.\n.\nReally, – “é”.\n", At: time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)}
}

func TestSend(t *testing.T) {
	s := smtp.Start(t)
	if err := sender(t, "smtp://"+s.Addr).Send(t.Context(), message("Foyer: Acme does not answer")); err != nil {
		t.Fatal(err)
	}
	got := s.Mails()
	if len(got) != 1 {
		t.Fatalf("%d mails", len(got))
	}
	for _, want := range []string{"Subject: Foyer: Acme does not answer\n", "From: <foyer@example.com>\n", "To: <ops@example.com>\n", "Message-ID: <alert_1@example.com>\n", "Date: Thu, 05 Nov 2026 12:00:00 +0000\n", "It is down."} {
		if !strings.Contains(got[0], want) {
			t.Errorf("no %q in\n%s", want, got[0])
		}
	}
}

// TestHeadersCannotBeInjected wants a subject with ends of lines to stay a subject.
func TestHeadersCannotBeInjected(t *testing.T) {
	s := smtp.Start(t)
	if err := sender(t, "smtp://"+s.Addr).Send(t.Context(), message("Acme\r\nBcc: all@example.com\r\n\r\n<b>\u202eboo\x00")); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(s.Mails()[0], "\n\n")
	if strings.Contains(head, "\nBcc") || strings.Contains(head, "\u202e") || !strings.Contains(head, "Subject: Acme Bcc: all@example.com <b> boo\n") {
		t.Errorf("the headers are\n%s", head)
	}
}

// TestFailures wants what the server said, without passwords, user names and receivers.
func TestFailures(t *testing.T) {
	refusing := smtp.Start(t)
	refusing.SetRefuse("550 5.1.1 no mailbox ops@example.com here")
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := silent.Addr().String()
	_ = silent.Close()
	for address, want := range map[string]string{
		"smtp://" + refusing.Addr:            "5.1.1 no mailbox … here",
		"smtp://ada:s3cret@" + refusing.Addr: "535 5.7.8 wrong password",
		"smtp://" + closed:                   "cannot be reached",
	} {
		err := sender(t, address).Send(t.Context(), message("Foyer"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", address, err, want)
			continue
		}
		for _, secret := range []string{"s3cret", "ada", "AGFkYQBzM2NyZXQ=", "ops@"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error shows %q: %v", secret, err)
			}
		}
	}
}

func TestCheckAddress(t *testing.T) {
	for address, want := range map[string]string{"ops@example.com": "ops@example.com", "Ops <ops@example.com>": "ops@example.com", "ops": "", "": "", "a@b\r\nBcc: c@d": ""} {
		if got, err := mail.CheckAddress(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q (%v)", address, got, err)
		}
	}
}

func TestCheckSender(t *testing.T) {
	for address, want := range map[string]string{
		"foyer@example.com": "foyer@example.com", "Foyer <foyer@example.com>": `"Foyer" <foyer@example.com>`, "Müller, Inc <foyer@example.com>": "",
		`"Müller, Inc" <foyer@example.com>`: "=?utf-8?b?TcO8bGxlciwgSW5j?= <foyer@example.com>", "Foyer\r\nBcc: <c@example.com>": "", "Foyer": "",
	} {
		if got, err := mail.CheckSender(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q (%v)", address, got, err)
		}
	}
}

// TestSendEndsWithItsContext wants an attempt to end at once, wherever the server hangs.
func TestSendEndsWithItsContext(t *testing.T) {
	for name, say := range map[string][]string{
		"before it greets":     {},
		"after the greeting":   {"220 smtp"},
		"before it takes mail": {"220 smtp", "250 smtp", "250 ok", "250 ok"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			address := hanging(t, cancel, say)
			watch := stopwatch.Start()
			err := sender(t, "smtp://"+address).Send(ctx, message("Foyer"))
			if err == nil || err.Error() != "the mail was given up before the mail server had taken it" {
				t.Errorf("got %v", err)
			}
			if took := watch.Stop(); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// hanging starts a mail server that says some lines, calls hangs, and says nothing more.
func hanging(t *testing.T, hangs func(), say []string) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
		in := bufio.NewScanner(conn)
		for i, line := range say {
			if i > 0 && !in.Scan() {
				return
			}
			fmt.Fprint(conn, line+"\r\n")
		}
		if len(say) > 0 {
			in.Scan()
		}
		hangs()
		_, _ = io.Copy(io.Discard, conn)
	})
	t.Cleanup(func() { _ = listener.Close(); serving.Wait() })
	return listener.Addr().String()
}
