package alert

import (
	"net/url"
	"strings"
	"time"
)

// Way is how an operator hears of alerts.
type Way struct {
	ID        string
	Kind      WayKind
	Address   string // of mail, or a URL, which is a secret of its own for many chats
	Secret    string // signs events; "" for others
	CreatedAt time.Time
	CreatedBy string
}

// WayKind is a kind of way.
type WayKind string

// The kinds.
const (
	Mail  WayKind = "mail"
	Slack WayKind = "slack" // a webhook that takes {"text": …}, as those of Slack and Mattermost do
	Event WayKind = "event" // a webhook for programs, signed like messages to buyers
)

// WayKinds lists the kinds.
var WayKinds = []WayKind{Mail, Slack, Event}

// Shown is enough of the address to tell ways apart. The path of a webhook's URL often is its key.
func (w Way) Shown() string {
	if w.Kind == Mail {
		name, host, _ := strings.Cut(w.Address, "@")
		if runes := []rune(name); len(runes) > 2 {
			name = string(runes[:2]) + "…"
		}
		return name + "@" + host
	}
	u, err := url.Parse(w.Address)
	if err != nil || u.Host == "" {
		return "…"
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// Retry returns how long to wait after a number of failed attempts, and whether it is worth another: for a day, alerts are news.
func Retry(attempts int, created, now time.Time) (wait time.Duration, again bool) {
	const first, longest, worth = time.Minute, time.Hour, 24 * time.Hour
	wait = min(first<<min(attempts-1, 10), longest)
	return wait, now.Add(wait).Sub(created) < worth
}
