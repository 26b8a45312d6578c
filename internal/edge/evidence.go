package edge

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"foyer/internal/lead"
)

// EvidenceOf gathers what a request itself tells about how it came.
func EvidenceOf(r *http.Request, door lead.Door) lead.Evidence {
	visit := RequestInfoOf(r.Context())
	return lead.Evidence{
		Door:      door,
		Client:    visit.Client.String(),
		UserAgent: Short(r.UserAgent()),
		Page:      pageURL(r.Referer()),
		Origin:    Short(r.Header.Get("Origin")),
		FetchSite: Short(r.Header.Get("Sec-Fetch-Site")),
		RequestID: visit.ID,
	}
}

// pageURL is the address of the page a form stood on. Its query may carry anything, so it is left out.
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

// Short keeps a text from outside to what evidence needs, and to what a terminal can show.
func Short(text string) string {
	const most = 300
	if len(text) > most {
		text = text[:most]
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, ""))
}
