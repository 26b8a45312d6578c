package edge

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"foyer/internal/lead"
)

// EvidenceOf collects what a request itself shows about how it arrived.
func EvidenceOf(r *http.Request, door lead.Channel) lead.Evidence {
	info := RequestInfoOf(r.Context())
	return lead.Evidence{
		Channel:   door,
		Client:    info.Client.String(),
		UserAgent: Short(r.UserAgent()),
		Page:      pageURL(r.Referer()),
		Origin:    Short(r.Header.Get("Origin")),
		FetchSite: Short(r.Header.Get("Sec-Fetch-Site")),
		RequestID: info.ID,
	}
}

// pageURL returns the URL of the page that held the form. Its query may contain anything, so it is left out.
func pageURL(referer string) string {
	if referer == "" {
		return ""
	}
	u, err := url.Parse(referer)
	if err != nil || u.Host == "" {
		return ""
	}
	return Short(u.Scheme + "://" + u.Host + u.EscapedPath())
}

// Short limits a text from a client to the length that evidence needs, and removes what a terminal must not print.
func Short(text string) string {
	const limit = 300
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
