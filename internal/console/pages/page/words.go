package page

import (
	"cmp"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
)

// StateTone is the tone of a buyer's state, and of whether it answers.
func StateTone(b query.Summary) string {
	if b.State == buyer.Active && b.Health.Down() {
		return "stop"
	}
	return cmp.Or(BuyerTone(b.State), "soft")
}

// StatusTag is a lead's status.
func StatusTag(s lead.Status) Cell {
	tone := map[lead.Status]string{lead.Forwarded: "good", lead.Received: "wait", lead.Collected: "wait", lead.Errored: "stop", lead.CallToConnect: "good"}[s]
	return Tagged(strings.ReplaceAll(string(s), "_", " "), cmp.Or(tone, "soft"))
}

// BuyerTone is the tone of a buyer's state.
func BuyerTone(state buyer.State) string {
	return map[buyer.State]string{buyer.Active: "good", buyer.Paused: "stop", buyer.Testing: "wait"}[state]
}

// ServiceName is a service in words.
func ServiceName(s lead.Service) string { return cmp.Or(catalog.Label(s), string(s)) }

// PrivacyTone is the tone of the state of a privacy request.
func PrivacyTone(s lead.PrivacyState) string {
	if s == lead.PrivacyOpen {
		return "wait"
	}
	return "good"
}
