package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"foyer/internal/mail"
)

// Mail says how mail is sent.
type Mail struct {
	SMTP     SMTP        `name:"smtp" env:"FOYER_SMTP" placeholder:"URL" help:"Mail server for alerts: smtp://user:password@host:587, smtps://user:password@host:465, or file:PATH with such a line. Default: none."`
	MailFrom MailAddress `name:"mail-from" env:"FOYER_MAIL_FROM" placeholder:"ADDRESS" help:"The sender of mail, such as foyer@example.com, or with a name: Foyer <foyer@example.com>."`
}

// Sender returns what sends mail, or nil if there is no mail server.
func (m Mail) Sender() *mail.Sender {
	server, err := m.SMTP.server()
	if m.SMTP == "" || err != nil { // Validate refused it
		return nil
	}
	return &mail.Sender{Server: server, From: string(m.MailFrom)}
}

// Validate checks the settings, whether they come from a flag or a variable.
func (m Mail) Validate() error {
	if m.SMTP == "" {
		return nil
	}
	if _, err := m.SMTP.server(); err != nil {
		return fmt.Errorf("--smtp: %w", err)
	}
	if m.MailFrom == "" {
		return errors.New("--mail-from: it is empty, want the address that mail comes from, such as foyer@example.com, because smtp is set")
	}
	return nil
}

// SMTP is the address of a mail server, or the name of a file that holds it. It may hold a password, so like Database it has no
// UnmarshalText.
type SMTP string

// String keeps passwords out of messages.
func (SMTP) String() string { return "smtp://…" }

// maxServerLine is longer than any address of a server.
const maxServerLine = 4 << 10

func (s SMTP) server() (mail.Server, error) {
	text := string(s)
	if path, inFile := strings.CutPrefix(text, "file:"); inFile {
		content, err := os.ReadFile(path)
		if err != nil {
			return mail.Server{}, err
		}
		if text = strings.TrimSpace(string(content)); len(text) > maxServerLine || strings.Contains(text, "\n") {
			return mail.Server{}, errors.New("the file holds more than one line: write the address of the mail server and nothing else")
		}
	}
	server, err := mail.ParseServer(text)
	if err != nil {
		return server, fmt.Errorf("got a value that is not shown, because it may hold a password: %w", err)
	}
	return server, nil
}

// MailAddress is an address of mail, which may have a name.
type MailAddress string

// UnmarshalText validates the address.
func (a *MailAddress) UnmarshalText(text []byte) error {
	given := string(text)
	if given == "" { // an empty variable means unset
		return nil
	}
	address, err := mail.CheckSender(given)
	if err != nil {
		return invalidValue(given, "an address such as foyer@example.com")
	}
	*a = MailAddress(address)
	return nil
}
