package lead

import (
	"crypto/sha256"
	"encoding/hex"
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
	Door      Door
	Client    string // address of the client
	UserAgent string
	Page      string // address of the page a form stood on, without its query
	Origin    string
	FetchSite string // Sec-Fetch-Site: a browser's own word for where the form came from
	MCPClient string // name and version an MCP client gave in the request itself
	RequestID string
	Consent   ConsentRef
}

// ConsentRef points at the exact words a person agreed to.
type ConsentRef struct {
	Version string
	Hash    string
}

// ConsentText is a text that was shown to a person, or that a client stated to have told one.
type ConsentText struct {
	Version string
	Text    string
}

// Ref is how leads point at the text.
func (c ConsentText) Ref() ConsentRef {
	sum := sha256.Sum256([]byte(c.Text))
	return ConsentRef{Version: c.Version, Hash: hex.EncodeToString(sum[:])}
}
