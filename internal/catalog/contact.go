package catalog

import (
	"net/url"
	"strings"

	"foyer/internal/lead"
)

// ContactURL is the contact as a link: a page as it is, an e-mail address with mailto. Where it is neither, such as a phone
// number or a sentence, the page that says how to reach the operator.
func (b Brand) ContactURL() string {
	switch {
	case b.ContactPage() != "":
		return b.ContactPage()
	case b.ContactEmail() != "":
		return "mailto:" + url.PathEscape(b.ContactEmail())
	}
	return b.URL("/privacy")
}

// ContactPage is the contact where it is the address of a page, or "".
func (b Brand) ContactPage() string {
	if strings.HasPrefix(b.Contact, "https://") || strings.HasPrefix(b.Contact, "http://") {
		return b.Contact
	}
	return ""
}

// ContactEmail is the contact where it is an e-mail address, or "".
func (b Brand) ContactEmail() string {
	if b.ContactPage() != "" {
		return ""
	}
	address, _ := lead.Email(b.Contact)
	return address
}
