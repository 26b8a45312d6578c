// Package lead is the domain: the fields of a request, how they are parsed, what is decided about them, the statuses a lead
// can have and the errors that clients see.
//
// It is pure. It uses no clock, file, network or random source, and imports only the standard library. Time, ids and
// randomness are arguments.
package lead

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode/utf8"
)

// Lead is a request that was accepted and saved, with the facts of its arrival.
type Lead struct {
	ID        string
	Status    Status
	Request   Request
	Source    string // the key of the source it came from, or "" if it came directly
	Marks     []Mark
	Evidence  Evidence
	CreatedAt time.Time
	UpdatedAt time.Time
	PrivacyAt time.Time // when a privacy request first named the lead; only LeadSummary loads it
}

// Channel is the door by which a request arrived. It is stored, and told to buyers, as door.
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

	SourceKey string `json:"source_key,omitempty"` // the key of a source that was given, if the lead does not count for it
	Campaign         // as the address of the page named it
}

// OwnOrigin reports whether a browser sent the request from a page of ours: from the given origin, or from the origin it
// was posted to.
func (e *Evidence) OwnOrigin(origin string) bool {
	return e.FetchSite == "same-origin" || origin != "" && e.Origin == origin
}

// Erased reports whether the contact has been erased.
func (l *Lead) Erased() bool { return l.Request.Contact == Contact{} }

// WithoutPerson returns the lead as it would be if its person were erased.
func (l Lead) WithoutPerson() Lead {
	l.Request.Contact = Contact{}
	l.Request.Job = l.Request.Job.Anonymized()
	l.Evidence = l.Evidence.Anonymized()
	return l
}

// Anonymized returns the evidence that remains after an erasure: the door, the consent text and the form that was served. The names of
// campaigns are free text, and newsletters put addresses there.
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

// PartnerWording begins the version of a wording that a source of leads has, after its grade. Buyers and the public see versions, so the
// key of the source is not in it.
const PartnerWording = "partner-"

// The least and the most characters of a consent text that an operator writes.
const (
	MinConsentText = 40
	MaxConsentText = 2000
)

// CleanConsentText joins the lines of a consent text, so that an editor may wrap it, and reports whether its length can be used.
func CleanConsentText(text string) (clean string, ok bool) {
	clean = strings.Join(strings.Fields(text), " ")
	n := utf8.RuneCountInString(clean)
	return clean, n >= MinConsentText && n <= MaxConsentText
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

// Request is the LeadRequest of the published interface, after it passed every check. A new field goes into Job or Contact; what else
// it takes to add a field is in ARCHITECTURE.md, "How to add a field to the request". The JSON names are those in the database, and the
// hash that binds an idempotency key is made with them; the names that clients send are in Fields.
type Request struct {
	Job
	Contact Contact `json:"contact"`
	DryRun  bool    `json:"dry_run"`
}

// Job is the work that is requested: every field that describes it, and none that identifies the person, as those of Contact do. Two are
// free text, and may identify a person all the same: see Anonymized.
type Job struct {
	Service       Service `json:"service_type"`
	ZIP           string  `json:"zip_code"`
	City          string  `json:"city,omitempty"`
	State         string  `json:"state,omitempty"`
	Home          Home    `json:"home"`
	Frequency     string  `json:"frequency"`
	PreferredDate string  `json:"preferred_date,omitempty"`
	FlexibleDates bool    `json:"flexible_dates"`
	Consent       bool    `json:"consent_to_contact"`
	SourceAgent   string  `json:"source_agent,omitempty"`
}

// Anonymized returns the job that remains after an erasure. City and source agent are free text and may identify the
// person: the city of a ZIP code may be a village, and an agent may be named after its user.
func (j Job) Anonymized() Job {
	j.City, j.SourceAgent = "", ""
	return j
}

// Home describes the place. A nil number was not given.
type Home struct {
	Type       string   `json:"home_type,omitempty"`
	Bedrooms   *int     `json:"bedrooms,omitempty"`
	Bathrooms  *float64 `json:"bathrooms,omitempty"`
	SquareFeet *int     `json:"square_feet,omitempty"`
}

// Contact holds every field that identifies the person. It is stored as one value, so that it can be erased as one.
type Contact struct {
	Name   string `json:"name"`
	Phone  string `json:"phone"`
	Email  string `json:"email,omitempty"`
	Street string `json:"street,omitempty"`
	Notes  string `json:"notes,omitempty"`
	ClickIDs
}

// Service is one of the nine kinds of work a person can request.
type Service string

// The nine services, in the order of every list.
const (
	HouseCleaning     Service = "house_cleaning"
	DeepCleaning      Service = "deep_cleaning"
	MoveCleaning      Service = "move_in_out_cleaning"
	RecurringCleaning Service = "recurring_cleaning"
	PestControl       Service = "pest_control"
	Plumbing          Service = "plumbing"
	HVAC              Service = "hvac"
	Handyman          Service = "handyman"
	Other             Service = "other"
)

// Services lists every service in its public order.
var Services = []Service{
	HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, PestControl, Plumbing, HVAC, Handyman, Other,
}

// Live reports whether the person calls a number themselves, now. The published catalog calls these services live, and says that requests
// for all others are collected.
func (s Service) Live() bool { return s == Plumbing }

// NeedsConsent reports whether a request may be saved only if the person agreed to be contacted.
func (s Service) NeedsConsent() bool { return !s.Live() }

// Receipt is the answer to a request: the LeadResponse of the published interface. All nine members are always present.
type Receipt struct {
	LeadID          string   `json:"lead_id"`
	Status          Status   `json:"status"`
	Message         string   `json:"message"`
	NextSteps       []string `json:"next_steps"`
	PayoutHint      *string  `json:"estimated_payout_hint"`
	Call            *string  `json:"call_to_connect"`
	CallDisplay     *string  `json:"call_to_connect_display"`
	CallInstruction *string  `json:"call_instruction"`
	DryRun          bool     `json:"dry_run"`
}

// StatusAnswer is the answer to a look-up. It reports the status of a lead and nothing about who sent it.
type StatusAnswer struct {
	LeadID    string    `json:"lead_id"`
	Status    Status    `json:"status"`
	Service   Service   `json:"service_type"`
	ZIP       string    `json:"zip_code"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Message   string    `json:"message"`
	NextSteps []string  `json:"next_steps"`
	Private   bool      `json:"-"` // a privacy request named the lead, so its true status is not shown
}

// Idempotency binds an idempotency key to a request and the answer to that request.
type Idempotency struct {
	Key     string // hash of the key
	Request string // hash of the parsed request
	Answer  []byte
}

// Limits that are enforced and also documented for clients.
const (
	MaxBody           = 64 << 10       // bytes in a request body
	MaxKey            = 255            // characters in an idempotency key
	IdempotencyWindow = 24 * time.Hour // how long an idempotency key is remembered
)

// ValidKey reports whether a text can be an idempotency key.
func ValidKey(key string) bool { return key != "" && utf8.RuneCountInString(key) <= MaxKey }

// Bucket is one of the rate limit buckets of a client address.
type Bucket uint8

const (
	BucketLeads      Bucket = iota // leads and privacy requests that are saved
	BucketAttempts                 // dry runs, refused requests, repeats of an idempotency key, and returns
	BucketUnknownIDs               // wrong guesses: unknown ids, tokens and passwords
)

// Charge is a rate limit to charge, that of a client or of a network that the client is in: one request for each Step, with
// bursts of up to Burst.
type Charge struct {
	Key   string
	Step  time.Duration
	Burst int
}

// Allowance is the result of taking from a client's bucket.
type Allowance struct {
	Granted bool
	Retry   time.Duration // when to retry, if not granted
	Quota   Quota
}
