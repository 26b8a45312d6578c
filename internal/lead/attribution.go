package lead

import (
	"strings"
	"unicode"
)

// Attribution is what the address of a page says about where its visitor came from. It is never a reason to refuse a request.
type Attribution struct {
	Key string // of a source, as it was given
	Campaign
	ClickIDs
}

// Campaign names an advertisement, as advertisers do it in addresses.
type Campaign struct {
	Source  string `json:"utm_source,omitempty"`
	Medium  string `json:"utm_medium,omitempty"`
	Name    string `json:"utm_campaign,omitempty"`
	Term    string `json:"utm_term,omitempty"`
	Content string `json:"utm_content,omitempty"`
}

// ClickIDs are numbers that advertising networks give to a click. They tell the network who clicked, so they are part of the contact.
type ClickIDs struct {
	Google   string `json:"gclid,omitempty"`
	Facebook string `json:"fbclid,omitempty"`
}

// SourceParameter is the parameter of a page's address, and the field of a form, that carries the key of a source. SourceHeader is the
// header that does it for programs.
const (
	SourceParameter = "source"
	SourceHeader    = "Foyer-Source"
)

// MaxAttribution is how many bytes of each value are kept.
const MaxAttribution = 200

// parameters are the parameters of a page's address that are kept, and where.
func (a *Attribution) parameters() []struct {
	name string
	text *string
} {
	return []struct {
		name string
		text *string
	}{
		{SourceParameter, &a.Key},
		{"utm_source", &a.Campaign.Source},
		{"utm_medium", &a.Campaign.Medium},
		{"utm_campaign", &a.Campaign.Name},
		{"utm_term", &a.Campaign.Term},
		{"utm_content", &a.Campaign.Content},
		{"gclid", &a.Google},
		{"fbclid", &a.Facebook},
	}
}

// ReadAttribution reads the parameters of a page's address, or the fields of a form that carries them.
func ReadAttribution(get func(name string) string) (a Attribution) {
	for _, p := range a.parameters() {
		*p.text = strings.TrimSpace(Shorten(get(p.name), MaxAttribution))
	}
	return a
}

// Values returns what was given, by the names of the parameters.
func (a Attribution) Values() map[string]string {
	values := make(map[string]string)
	for _, p := range a.parameters() {
		if *p.text != "" {
			values[p.name] = *p.text
		}
	}
	return values
}

// MayBeSourceKey reports whether a text has the form of a key. What does not could be anything, and is not kept.
func MayBeSourceKey(text string) bool {
	return text != "" && len(text) <= 64 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// Shorten limits a text from a client to some bytes, and removes what a terminal must not print.
func Shorten(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, ""))
}
