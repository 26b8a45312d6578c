package lead

import "strings"

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

// MaxAttribution is how many bytes of a key or a name are kept. A click id is kept if it has at most MaxClickID: a part of one is worth
// nothing.
const (
	MaxAttribution = 200
	MaxClickID     = 500
)

// parameter is a parameter of a page's address that is kept, and where.
type parameter struct {
	name  string
	text  *string
	click bool // it is a click id
}

func (a *Attribution) parameters() []parameter {
	return []parameter{
		{SourceParameter, &a.Key, false},
		{"utm_source", &a.Campaign.Source, false},
		{"utm_medium", &a.Campaign.Medium, false},
		{"utm_campaign", &a.Campaign.Name, false},
		{"utm_term", &a.Campaign.Term, false},
		{"utm_content", &a.Campaign.Content, false},
		{"gclid", &a.Google, true},
		{"fbclid", &a.Facebook, true},
	}
}

// ReadAttribution reads the parameters of a page's address, or the fields of a form that carries them.
func ReadAttribution(get func(name string) string) (a Attribution) {
	for _, p := range a.parameters() {
		text, limit := get(p.name), MaxAttribution
		if p.click {
			limit = MaxClickID
		}
		if !p.click || len(text) <= limit {
			*p.text = strings.TrimSpace(Shorten(text, limit))
		}
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
