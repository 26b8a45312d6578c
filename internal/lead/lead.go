package lead

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Lead is a request that was accepted and kept, with the facts of how it came.
type Lead struct {
	ID        string
	Status    Status
	Request   Request
	Marks     []Mark
	Evidence  Evidence
	CreatedAt time.Time
	UpdatedAt time.Time
	PrivacyAt time.Time // when a privacy request first named it; only a glance reads it
}

// Door is the way a request came in.
type Door string

// The three doors.
const (
	DoorJSON Door = "json"
	DoorForm Door = "form"
	DoorMCP  Door = "mcp"
)

// Evidence is what was known about a request's arrival. It is kept to prove consent later.
type Evidence struct {
	Door      Door       `json:"door"`
	Client    string     `json:"client"` // address of the client
	UserAgent string     `json:"user_agent,omitempty"`
	Page      string     `json:"page,omitempty"` // address of the page a form stood on, without its query
	Origin    string     `json:"origin,omitempty"`
	FetchSite string     `json:"sec_fetch_site,omitempty"` // a browser's own word for where the form came from
	MCPClient string     `json:"mcp_client,omitempty"`     // name and version an MCP client gave in the request itself
	RequestID string     `json:"request_id"`
	Consent   ConsentRef `json:"consent"`

	FormToken     TokenVerdict `json:"form_token,omitempty"`     // of a form post
	SecondsOnPage int          `json:"seconds_on_page,omitzero"` // from serving our form to posting it, where the token is genuine
	PageVersion   string       `json:"page_version,omitempty"`   // of our form, where the token is genuine
}

// OwnOrigin says that a browser sent the request from a page of ours: of this origin, or of the one it was posted to.
func (e Evidence) OwnOrigin(origin string) bool {
	return e.FetchSite == "same-origin" || origin != "" && e.Origin == origin
}

// Erased says that nobody knows any more who sent a lead.
func (l *Lead) Erased() bool { return l.Request.Contact == Contact{} }

// Anonymized is what stays of it when the person is erased: by which door, which words were agreed to, and which form was
// served.
func (e Evidence) Anonymized() Evidence {
	return Evidence{
		Door: e.Door, RequestID: e.RequestID, Consent: e.Consent,
		FormToken: e.FormToken, SecondsOnPage: e.SecondsOnPage, PageVersion: e.PageVersion,
	}
}

// ConsentRef points at the exact words a person agreed to.
type ConsentRef struct {
	Version string `json:"version,omitempty"`
	Hash    string `json:"hash,omitempty"`
}

// ConsentText is a text that was shown to a person, or that a client stated to have told one.
type ConsentText struct {
	Version   string
	Text      string
	FirstUsed time.Time // where the text comes from the store
}

// Ref is how leads point at the text.
func (c ConsentText) Ref() ConsentRef {
	sum := sha256.Sum256([]byte(c.Text))
	return ConsentRef{Version: c.Version, Hash: hex.EncodeToString(sum[:])}
}

// MayBeConsentHash says that a text has the form of the hash in a ConsentRef.
func MayBeConsentHash(text string) bool {
	return len(text) == hex.EncodedLen(sha256.Size) && strings.Trim(text, "0123456789abcdef") == ""
}
