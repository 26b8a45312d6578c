package lead

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Lead is a request that was accepted and saved, with the facts of its arrival.
type Lead struct {
	ID        string
	Status    Status
	Request   Request
	Marks     []Mark
	Evidence  Evidence
	CreatedAt time.Time
	UpdatedAt time.Time
	PrivacyAt time.Time // when a privacy request first named the lead; only LeadSummary loads it
}

// Channel is the channel by which a request arrived.
type Channel string

// The three channels.
const (
	ChannelJSON Channel = "json"
	ChannelForm Channel = "form"
	ChannelMCP  Channel = "mcp"
)

// Evidence is what is known about the arrival of a request. It is stored to prove consent later.
type Evidence struct {
	Channel   Channel    `json:"door"`
	Client    string     `json:"client"` // IP address
	UserAgent string     `json:"user_agent,omitempty"`
	Page      string     `json:"page,omitempty"` // URL of the page with the form, without its query
	Origin    string     `json:"origin,omitempty"`
	FetchSite string     `json:"sec_fetch_site,omitempty"` // the Sec-Fetch-Site header: where the form came from, according to the browser
	MCPClient string     `json:"mcp_client,omitempty"`     // name and version that an MCP client sent with the request
	RequestID string     `json:"request_id"`
	Consent   ConsentRef `json:"consent"`

	FormToken     TokenVerdict `json:"form_token,omitempty"`     // of a form post
	SecondsOnPage int          `json:"seconds_on_page,omitzero"` // from serving our form to posting it, if the token is genuine
	PageVersion   string       `json:"page_version,omitempty"`   // of our form, if the token is genuine
}

// OwnOrigin reports whether a browser sent the request from a page of ours: from the given origin, or from the origin it
// was posted to.
func (e Evidence) OwnOrigin(origin string) bool {
	return e.FetchSite == "same-origin" || origin != "" && e.Origin == origin
}

// Erased reports whether the contact has been erased.
func (l *Lead) Erased() bool { return l.Request.Contact == Contact{} }

// Anonymized returns the evidence that remains after an erasure: the door, the consent text and the form that was served.
func (e Evidence) Anonymized() Evidence {
	return Evidence{
		Channel: e.Channel, RequestID: e.RequestID, Consent: e.Consent,
		FormToken: e.FormToken, SecondsOnPage: e.SecondsOnPage, PageVersion: e.PageVersion,
	}
}

// ConsentRef identifies the exact text a person agreed to.
type ConsentRef struct {
	Version string `json:"version,omitempty"`
	Hash    string `json:"hash,omitempty"`
}

// ConsentText is a text that our form showed to a person, or that a client states it told a person.
type ConsentText struct {
	Version   string
	Text      string
	FirstUsed time.Time // set if the text comes from the store
}

// Ref returns the reference that leads store.
func (c ConsentText) Ref() ConsentRef {
	sum := sha256.Sum256([]byte(c.Text))
	return ConsentRef{Version: c.Version, Hash: hex.EncodeToString(sum[:])}
}

// MayBeConsentHash reports whether text has the form of the hash in a ConsentRef.
func MayBeConsentHash(text string) bool {
	return len(text) == hex.EncodedLen(sha256.Size) && strings.Trim(text, "0123456789abcdef") == ""
}
