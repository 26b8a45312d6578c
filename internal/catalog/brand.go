package catalog

import (
	"net/url"
	"strings"
)

// DefaultNumber is reserved for fiction. While it is in use, plumbing calls reach nobody.
const DefaultNumber = "+18005550199"

// Brand is what the operator makes their own.
type Brand struct {
	Name    string
	Contact string
	BaseURL string // without a slash at the end
	Number  string // E.164
	Consent string // the text beside the box, in place of ours
	Foot    string // lines at the foot of every page
	Look    Look
}

// Look is how the operator's pages differ from ours. It is plain text and bytes, checked before: a Brand can be compared.
type Look struct {
	Accent     string // a colour for light pages, as #rrggbb
	AccentDark string // the same for dark ones
	Style      string // CSS that comes last
	Logo       string // the bytes of a picture
	LogoType   string // its media type
	LogoWidth  int    // of a logo that is 32 high
}

// URL is the public address of a path.
func (b Brand) URL(path string) string { return b.BaseURL + path }

// Pages that a form post is sent on to.
const (
	PageThanks   = "/thanks"
	PageChecked  = "/thanks?dry_run=true"
	PagePlumbing = "/plumbing"
)

// PathWithdraw is where a person withdraws a request or has it erased.
const PathWithdraw = "/privacy#wish"

// Path is the path of the public address, or "".
func (b Brand) Path() string {
	u, err := url.Parse(b.BaseURL)
	if err != nil {
		return ""
	}
	return u.Path
}

// Origin is the origin of the public address, as a browser writes it.
func (b Brand) Origin() string {
	u, err := url.Parse(strings.ToLower(b.BaseURL))
	if err != nil || u.Host == "" {
		return ""
	}
	if usual := map[string]string{"http": "80", "https": "443"}; u.Port() == usual[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	return u.Scheme + "://" + u.Host
}

// NumberDisplay is the plumbing number as people write it.
func (b Brand) NumberDisplay() string {
	ten, us := strings.CutPrefix(b.Number, "+1")
	if !us || len(ten) != 10 {
		return b.Number
	}
	return "(" + ten[:3] + ") " + ten[3:6] + "-" + ten[6:]
}

// TelLink is the plumbing number as a link that a phone can dial.
func (b Brand) TelLink() string { return "tel:" + b.Number }
