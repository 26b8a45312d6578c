package catalog

import (
	"net/netip"
	"net/url"
	"strings"

	"foyer/internal/lead"
)

// DefaultNumber is reserved for fiction. While it is in use, plumbing calls reach no one.
const DefaultNumber = "+18005550199"

// DefaultContact is made up, too: what people write there reaches no one.
const DefaultContact = "hello@example.com"

// Brand is the operator's name, contact and branding.
type Brand struct {
	Name    string
	Contact string
	BaseURL string // without a trailing slash
	Number  string // E.164
	Consent string // replaces our consent text if set
	Foot    string // footer lines of every page
	Look    Look
}

// Look is the operator's visual branding. It consists of validated strings and numbers, so that Brands can be compared.
type Look struct {
	Accent     string // a color for light pages, as #rrggbb
	AccentDark string // the same for dark pages
	Style      string // CSS that comes last
	Logo       string // the bytes of an image
	LogoType   string // its media type
	LogoWidth  int    // at a height of 32 pixels
	LogoPNG    string // the same logo as a PNG, if it is an SVG and the operator has both
}

// PNG returns the logo as a PNG, or "" if there is none.
func (l Look) PNG() string {
	if l.LogoType == "image/png" {
		return l.Logo
	}
	return l.LogoPNG
}

// URL returns the public address of a path.
func (b Brand) URL(path string) string { return b.BaseURL + path }

// The pages that a form post redirects to.
const (
	PageThanks   = "/thanks"
	PageChecked  = "/thanks?dry_run=true"
	PagePlumbing = "/plumbing"
)

// PathWithdraw is where a person withdraws a request or has it erased.
const PathWithdraw = "/privacy#wish"

// address is the parsed public address, empty if it cannot be parsed.
func (b Brand) address() *url.URL {
	u, err := url.Parse(b.BaseURL)
	if err != nil {
		return &url.URL{}
	}
	return u
}

// Path returns the path of the public address, or "".
func (b Brand) Path() string { return b.address().Path }

// HTTPS reports whether the public address is reached by https.
func (b Brand) HTTPS() bool { return b.address().Scheme == "https" }

// Origin returns the origin of the public address, as browsers write it.
func (b Brand) Origin() string {
	u := b.address()
	if u.Host == "" {
		return ""
	}
	if usual := map[string]string{"http": "80", "https": "443"}; u.Port() == usual[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}

// Host returns the public host, without a port.
func (b Brand) Host() string {
	host := b.address().Hostname()
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return "localhost" // an IP address cannot be a name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// NumberDisplay returns the plumbing number as people write it.
func (b Brand) NumberDisplay() string {
	digits, isUS := strings.CutPrefix(b.Number, "+1")
	if !isUS || len(digits) != 10 {
		return b.Number
	}
	return "(" + digits[:3] + ") " + digits[3:6] + "-" + digits[6:]
}

// TelLink returns the plumbing number as a tel: link.
func (b Brand) TelLink() string { return "tel:" + b.Number }

// ContactURL returns the contact as a link: a web address unchanged, an email address with mailto. For anything else,
// such as a phone number or a sentence, it is the page that says how to reach the operator.
func (b Brand) ContactURL() string {
	switch {
	case b.ContactPage() != "":
		return b.ContactPage()
	case b.ContactEmail() != "":
		return "mailto:" + url.PathEscape(b.ContactEmail())
	}
	return b.URL("/privacy")
}

// ContactPage returns the contact if it is a web address, or "".
func (b Brand) ContactPage() string {
	if strings.HasPrefix(b.Contact, "https://") || strings.HasPrefix(b.Contact, "http://") {
		return b.Contact
	}
	return ""
}

// ContactEmail returns the contact if it is an email address, or "".
func (b Brand) ContactEmail() string {
	if b.ContactPage() != "" {
		return ""
	}
	address, _ := lead.Email(b.Contact)
	return address
}
