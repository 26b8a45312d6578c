// Package mail sends a mail by an SMTP server. The connection is encrypted, unless the server is on this machine.
//
// It makes one attempt, keeps nothing and writes no log. None of its errors contain the password, the user name or who the mail is for.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/textproto"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	smtp "github.com/wneessen/go-mail"
)

// Server is an SMTP server. The zero value is none.
type Server struct {
	host           string
	port           int
	tls            bool // from the first byte, not by STARTTLS
	user, password string
}

// errServer does not repeat what was given: it may hold a password.
var errServer = errors.New("write smtp://user:password@host:587 for a server that changes to TLS, or smtps://user:password@host:465, with %2F for a / and %40 for an @ in the password")

// ParseServer reads the address of a server. The error never contains it.
func ParseServer(raw string) (Server, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsFunc(u.Hostname(), unicode.IsSpace) {
		return Server{}, errServer
	}
	s := Server{host: u.Hostname(), tls: u.Scheme == "smtps", user: u.User.Username()}
	s.password, _ = u.User.Password()
	port := "587"
	if s.tls {
		port = "465"
	}
	if s.port, err = strconv.Atoi(cmp.Or(u.Port(), port)); err != nil || s.port < 1 || s.port > 65535 || (s.user == "") != (s.password == "") {
		return Server{}, errServer
	}
	return s, nil
}

// String names the server without who signs in there.
func (s Server) String() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// loopback reports whether the server is on this machine.
func (s Server) loopback() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}

// CheckAddress returns an address of mail as it is written on an envelope, or an error.
func CheckAddress(text string) (string, error) {
	a, err := parseAddress(text)
	return a.Address, err
}

// CheckSender returns an address with the name before it, if there is one: "Foyer" <foyer@example.com>.
func CheckSender(text string) (string, error) {
	a, err := parseAddress(text)
	if err != nil || a.Name == "" {
		return a.Address, err
	}
	return a.String(), nil
}

func parseAddress(text string) (mail.Address, error) {
	a, err := mail.ParseAddress(strings.TrimSpace(text))
	if err != nil || len(a.Address) > 254 || strings.ContainsFunc(a.Address, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return mail.Address{}, errors.New("this is not an address of mail: write one such as ops@example.com")
	}
	return *a, nil
}

// Message is a mail to one person.
type Message struct {
	ID      string // the same for all attempts
	To      string
	Subject string // one line
	Body    string
	At      time.Time
}

// Sender sends mail.
type Sender struct {
	Server Server
	From   string // an address; may have a name
}

// timeout bounds an attempt.
const timeout = 20 * time.Second

// Send makes one attempt. It ends with the context.
func (s Sender) Send(ctx context.Context, m Message) error {
	msg := smtp.NewMsg(smtp.WithNoDefaultUserAgent())
	if msg.From(s.From) != nil || msg.To(m.To) != nil {
		return errors.New("the address of the sender or of the receiver is not usable")
	}
	msg.Subject(oneLine(m.Subject))
	domain := s.From[strings.LastIndex(s.From, "@")+1:] // a name before the address may have an @, too
	msg.SetMessageIDWithValue(m.ID + "@" + strings.TrimSuffix(domain, ">"))
	msg.SetDateWithValue(m.At)
	msg.SetBulk() // no machine answers it
	msg.SetBodyString(smtp.TypeTextPlain, m.Body)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var conn net.Conn
	client, err := s.client(ctx, &conn)
	if err != nil {
		return s.explain(err, m)
	}
	defer func() { // the library leaves it open if the server refuses the password
		if conn != nil {
			_ = conn.Close()
		}
	}()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil && !msg.IsDelivered() {
		return s.explain(errors.Join(err, ctx.Err()), m)
	}
	return nil
}

// client returns a client that dials once, into conn. The library heeds a context only while it dials, and gives each command a deadline of
// its own, so the end of the context closes the connection.
func (s Sender) client(until context.Context, conn *net.Conn) (*smtp.Client, error) {
	dial := func(ctx context.Context, network, address string) (opened net.Conn, err error) {
		plain := net.Dialer{Timeout: timeout}
		if s.Server.tls {
			secure := tls.Dialer{NetDialer: &plain, Config: &tls.Config{ServerName: s.Server.host, MinVersion: tls.VersionTLS12}}
			opened, err = secure.DialContext(ctx, network, address)
		} else {
			opened, err = plain.DialContext(ctx, network, address)
		}
		if err == nil {
			*conn = opened
			context.AfterFunc(until, func() { _ = opened.Close() })
		}
		return opened, err
	}
	options := []smtp.Option{smtp.WithPort(s.Server.port), smtp.WithTimeout(timeout), smtp.WithDialContextFunc(dial)}
	if name, err := os.Hostname(); err == nil && name != "" {
		options = append(options, smtp.WithHELO(oneLine(name)))
	}
	switch {
	case s.Server.tls:
		options = append(options, smtp.WithSSL())
	case s.Server.loopback():
		options = append(options, smtp.WithTLSPolicy(smtp.NoTLS))
	default:
		options = append(options, smtp.WithTLSPolicy(smtp.TLSMandatory))
	}
	if s.Server.user != "" {
		how := smtp.SMTPAuthAutoDiscover
		if s.Server.loopback() && !s.Server.tls {
			how = smtp.SMTPAuthPlainNoEnc // the library discovers nothing without TLS
		}
		options = append(options, smtp.WithSMTPAuth(how), smtp.WithUsername(s.Server.user), smtp.WithPassword(s.Server.password))
	}
	return smtp.NewClient(s.Server.host, options...)
}

// explain says what went wrong in one line: the words of the server, if it has any.
func (s Sender) explain(err error, m Message) error {
	text := err.Error()
	refused, isRefused := errors.AsType[*textproto.Error](err)
	failed, isFailed := errors.AsType[*net.OpError](err)
	unproved, isUnproved := errors.AsType[*tls.CertificateVerificationError](err)
	_, isPlain := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case strings.Contains(text, "does not support STARTTLS"): // the library has no type for it
		text = "the mail server does not offer STARTTLS, and nothing is sent to another machine without encryption: write smtps:// if it speaks TLS from the start"
	case isUnproved:
		text = "the certificate of the mail server is not valid: " + unproved.Err.Error()
	case isPlain:
		text = "the mail server does not speak TLS on this port: write smtp:// if it changes to TLS by STARTTLS"
	case isRefused:
		text = fmt.Sprintf("the mail server answered %d %s", refused.Code, refused.Msg)
	case errors.Is(err, context.DeadlineExceeded):
		text = "the mail server did not answer within " + timeout.String()
	case errors.Is(err, context.Canceled):
		text = "the mail was given up before the mail server had taken it"
	case isFailed:
		text = "the mail server cannot be reached: " + failed.Err.Error()
	default: // the library adds who the mail is for
		text, _, _ = strings.Cut(text, ", affected recipient")
		text, _, _ = strings.Cut(text, ", affected message")
	}
	for _, secret := range []string{"\x00" + s.Server.user + "\x00" + s.Server.password, s.Server.password, s.Server.user, m.To} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
			text = strings.ReplaceAll(text, base64.StdEncoding.EncodeToString([]byte(secret)), "…")
		}
	}
	const longest = 300
	if runes := []rune(oneLine(text)); len(runes) > longest {
		return errors.New(string(runes[:longest]) + "…")
	}
	return errors.New(oneLine(text))
}

// oneLine keeps a text from ending the line that it is on, and from turning around what follows.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)), " ")
}
