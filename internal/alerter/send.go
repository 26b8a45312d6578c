// Package alerter reads the facts that the rules of package alert look at, remembers what fires, and sends the messages about it. One
// process does it for all.
//
// It has no rules of its own, and reads no lead but to count those in error. What it sends holds no personal data.
package alerter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/alert"
	"foyer/internal/mail"
	"foyer/internal/webhook"
)

// Sender sends messages by all kinds of ways.
type Sender struct {
	Brand   string                                                 // what the service is called
	Console string                                                 // the address of the console, which links begin with; "" if there is none
	Mail    func(context.Context, mail.Message) error              // nil if there is no mail server
	Post    func(context.Context, webhook.Message) webhook.Outcome // sends a webhook
	Now     func() time.Time
}

var errNoServer = errors.New("this service has no mail server: set smtp and mail-from")

// Send sends a message by a way. The id is the same for all attempts. The error is one line for an operator, without secrets.
func (s Sender) Send(ctx context.Context, w alert.Way, id string, m alert.Message) error {
	switch {
	case w.Kind == alert.Mail && s.Mail == nil:
		return errNoServer
	case w.Kind == alert.Mail:
		return s.Mail(ctx, mail.Message{ID: id, To: w.Address, Subject: s.subject(m), Body: s.body(m), At: s.Now()})
	}
	body := s.event(m)
	if w.Kind == alert.Slack {
		body = s.slack(m)
	}
	out := s.Post(ctx, webhook.Message{ID: id, URL: w.Address, Secrets: []string{w.Secret}, Body: body})
	switch {
	case out.Failure != "":
		return fmt.Errorf("%s: %s", out.Failure, strings.NewReplacer("the buyer's", "the receiver's", "the buyer", "the receiver").Replace(out.Detail))
	case out.Status < 200 || out.Status > 299:
		return fmt.Errorf("the receiver answered with the status %d", out.Status)
	}
	return nil
}

// subject is one line that says it all.
func (s Sender) subject(m alert.Message) string { return alert.Clean(s.Brand) + ": " + headline(m) }

func headline(m alert.Message) string {
	switch m.Kind {
	case alert.Recovered:
		return "recovered: " + m.Title
	case alert.Reminder:
		return "still: " + m.Title
	}
	return m.Title
}

func (s Sender) link(m alert.Message) string {
	if s.Console == "" {
		return ""
	}
	return s.Console + m.Path
}

func (s Sender) body(m alert.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n%s\n", alert.Sentence(headline(m)), m.Text)
	began := m.Since.UTC().Format("2 January 2006, 15:04 MST")
	switch {
	case m.Kind == alert.Test || m.Since.IsZero():
	case m.Kind == alert.Recovered:
		fmt.Fprintf(&b, "It began on %s.\n", began)
	default:
		fmt.Fprintf(&b, "\nSince %s\n", began)
	}
	if s.Console == "" {
		return b.String()
	}
	fmt.Fprintf(&b, "\n%s\n", s.link(m))
	if m.Path != alertsPath { // a test is about that page
		fmt.Fprintf(&b, "\nWhat you hear about, and how: %s\n", s.Console+alertsPath)
	}
	return b.String()
}

// alertsPath is the page of the console about alerts.
const alertsPath = "/settings/alerts"

// slackText escapes what Slack would read as a link or a mention.
var slackText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (s Sender) slack(m alert.Message) []byte {
	text := slackText.Replace(s.subject(m) + ". " + m.Text)
	if link := s.link(m); link != "" {
		text += "\n" + link
	}
	return encode(struct {
		Text string `json:"text"`
	}{text})
}

// event is the body of a signed message. It has the shape of messages to buyers.
func (s Sender) event(m alert.Message) []byte {
	kind := "alert.fired"
	if m.Kind == alert.Recovered || m.Kind == alert.Test {
		kind = "alert." + string(m.Kind)
	}
	type data struct {
		Rule     alert.Name `json:"rule"`
		Subject  string     `json:"subject"`
		Title    string     `json:"title"`
		Text     string     `json:"text"`
		Reminder bool       `json:"reminder"`
		Since    time.Time  `json:"since"`
		URL      string     `json:"url"`
	}
	return encode(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      data      `json:"data"`
	}{kind, m.At, data{m.Rule, m.Subject, m.Title, m.Text, m.Kind == alert.Reminder, m.Since, s.link(m)}})
}

func encode(body any) []byte {
	text, err := json.Marshal(body, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err) // a struct of texts and times
	}
	return text
}

// TestMessage is what a test sends.
func TestMessage(now time.Time) alert.Message {
	return alert.Message{Kind: alert.Test, Title: "this is a test", Text: "Alerts reach you by this way.", Path: alertsPath, Since: now, At: now}
}
