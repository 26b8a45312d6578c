package pages

import (
	"cmp"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
)

func stateTone(b query.Summary) string {
	if b.State == buyer.Active && b.Health.Failures > 0 && !b.Health.OpenUntil.IsZero() {
		return "stop"
	}
	return cmp.Or(buyerTone(b.State), "soft")
}

// statusTag is a lead's status.
func statusTag(s lead.Status) cell {
	tone := map[lead.Status]string{lead.Forwarded: "good", lead.Received: "wait", lead.Collected: "wait", lead.Errored: "stop", lead.CallToConnect: "good"}[s]
	return tagged(strings.ReplaceAll(string(s), "_", " "), cmp.Or(tone, "soft"))
}

// buyerTone is the tone of a buyer's state.
func buyerTone(state buyer.State) string {
	return map[buyer.State]string{buyer.Active: "good", buyer.Paused: "stop", buyer.Testing: "wait"}[state]
}

// serviceName is a service in words.
func serviceName(s lead.Service) string { return cmp.Or(catalog.Label(s), string(s)) }

func privacyTone(s lead.PrivacyState) string {
	if s == lead.PrivacyOpen {
		return "wait"
	}
	return "good"
}
