package mail_test

import (
	"io"
	"log"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"foyer/test/smtp"
)

// TestNothingIsSentInPlain wants a server on another machine to encrypt, and to prove who it is; what it gets otherwise is neither the mail
// nor the password. 0.0.0.0 is this machine, but is not called so.
func TestNothingIsSentInPlain(t *testing.T) {
	plain, unknown := smtp.Start(t), httptest.NewUnstartedServer(nil)
	unknown.Config.ErrorLog = log.New(io.Discard, "", 0)
	unknown.StartTLS()
	t.Cleanup(unknown.Close)
	elsewhere := func(address string) string {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		return net.JoinHostPort("0.0.0.0", port)
	}
	for address, want := range map[string]string{
		"smtp://" + elsewhere(plain.Addr):                              "the mail server does not offer STARTTLS, and nothing is sent to another machine without encryption",
		"smtp://ada:s3cret@" + elsewhere(plain.Addr):                   "the mail server does not offer STARTTLS, and nothing is sent to another machine without encryption",
		"smtps://ada:s3cret@" + elsewhere(plain.Addr):                  "the mail server does not speak TLS on this port",
		"smtps://" + elsewhere(unknown.Listener.Addr().String()):       "the certificate of the mail server is not valid",
		"smtps://ada:s3cret@" + unknown.Listener.Addr().String() + "/": "the certificate of the mail server is not valid",
	} {
		if err := sender(t, address).Send(t.Context(), message("Foyer")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
	if got := plain.Mails(); len(got) > 0 {
		t.Errorf("sent in plain: %q", got)
	}
	for _, line := range plain.Lines() {
		if word := strings.ToUpper(strings.Fields(line + " -")[0]); word == "AUTH" || word == "MAIL" || word == "RCPT" || word == "DATA" {
			t.Errorf("the server was told %q", line)
		}
	}
	if err := sender(t, "smtp://"+plain.Addr).Send(t.Context(), message("Foyer")); err != nil || len(plain.Mails()) != 1 {
		t.Errorf("on this machine: %v, %d mails", err, len(plain.Mails()))
	}
}
