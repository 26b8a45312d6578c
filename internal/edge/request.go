package edge

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/realclientip/realclientip-go"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Clients returns a function that finds the address of a request's client. It believes X-Forwarded-For only from a trusted
// proxy.
func Clients(trusted []netip.Prefix, log *slog.Logger) func(*http.Request) netip.Addr {
	forwarded, err := realclientip.NewRightmostTrustedRangeStrategy("X-Forwarded-For", ipNets(trusted))
	if err != nil {
		panic(err) // only a bad header name is refused
	}
	var once sync.Once
	return func(r *http.Request) netip.Addr {
		peer := peerOf(r)
		if r.Header["X-Forwarded-For"] == nil {
			return peer
		}
		if !isTrusted(peer, trusted) {
			once.Do(func() {
				log.Warn("ignoring an X-Forwarded-For header: its sender is not in trusted-proxies (logged once)")
			})
			return peer
		}
		if client, err := netip.ParseAddr(forwarded.ClientIP(r.Header, r.RemoteAddr)); err == nil {
			return client.Unmap()
		}
		return peer
	}
}

func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

func isTrusted(peer netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(n netip.Prefix) bool { return n.Contains(peer) })
}

// Way is how a request came.
type Way int

// The ways.
const (
	FromElsewhere    Way = iota // over a network, by plain http
	FromMachine                 // of the service itself
	FromProxy                   // a trusted one
	FromUnknownProxy            // on this machine: the client may be anywhere
)

// proxyHeaders are those that proxies add. A request of a client on this machine has none.
var proxyHeaders = []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via"}

func wayOf(r *http.Request, trusted []netip.Prefix) Way {
	peer := peerOf(r)
	switch {
	case isTrusted(peer, trusted):
		return FromProxy
	case !peer.IsLoopback():
		return FromElsewhere
	case slices.ContainsFunc(proxyHeaders, func(name string) bool { return r.Header[name] != nil }):
		return FromUnknownProxy
	}
	return FromMachine
}

// IsPrivate reports whether nobody on the way could read the request: it came from this machine, or through a trusted proxy that serves https.
func (i RequestInfo) IsPrivate(https bool) bool {
	return i.Way == FromMachine || i.Way == FromProxy && (https || i.Client.IsLoopback())
}

func ipNets(prefixes []netip.Prefix) []net.IPNet {
	nets := make([]net.IPNet, len(prefixes))
	for i, p := range prefixes {
		nets[i] = net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
	}
	return nets
}

// Accepts reports whether the Accept header names a media type. Ranges such as */* name none.
func Accepts(r *http.Request, mediaType string) bool {
	return weight(r.Header["Accept"], mediaType) > 0
}

// Prefers reports whether the Accept header names a media type and gives it more weight than other.
func Prefers(r *http.Request, mediaType, other string) bool {
	return weight(r.Header["Accept"], mediaType) > weight(r.Header["Accept"], other)
}

// weight returns the q of a media type or coding in a list of them: 1 if it has none, 0 if the list does not name it.
func weight(header []string, wanted string) (highest float64) {
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), wanted) {
			continue
		}
		q := 1.0
		for param := range strings.SplitSeq(params, ";") {
			key, value, _ := strings.Cut(param, "=")
			if strings.EqualFold(strings.TrimSpace(key), "q") {
				q, _ = strconv.ParseFloat(strings.TrimSpace(value), 64)
			}
		}
		highest = max(highest, q)
	}
	return highest
}

// AsksForHTML reports whether the client names HTML, as browsers do.
func AsksForHTML(r *http.Request) bool { return Accepts(r, "text/html") }

// AsksForJSON reports whether the client names JSON and not HTML, as programs do.
func AsksForJSON(r *http.Request) bool { return Accepts(r, "application/json") && !AsksForHTML(r) }

// MediaType returns the media type of a request body, without its parameters; "" if none is named.
func MediaType(r *http.Request) string {
	header := r.Header.Get("Content-Type")
	if header == "" || header == "application/json" {
		return header
	}
	name, _, err := mime.ParseMediaType(header)
	if err != nil {
		return "unreadable"
	}
	return name
}

// ReadBody reads a whole request body, up to its size limit.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	for _, coding := range r.Header["Content-Encoding"] {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return nil, catalog.Compressed
		}
	}
	if r.ContentLength > lead.MaxBody {
		w.Header().Set("Connection", "close")
		return nil, catalog.TooLarge
	}
	body := make([]byte, 0, min(max(r.ContentLength+1, 512), maxSmallBody))
	from := r.Body
	if r.ContentLength < 0 { // net/http enforces an announced length
		from = http.MaxBytesReader(w, r.Body, lead.MaxBody)
	}
	body, err := readUpTo(body, from, maxSmallBody)
	if err == nil {
		client := countedClientOf(r.Context())
		if !largeBodies.add(client) {
			w.Header().Set("Connection", "close")
			return nil, catalog.Busy
		}
		defer largeBodies.remove(client)
		body, err = readUpTo(body, from, lead.MaxBody+1)
	}
	if err == io.EOF {
		return body, nil
	}
	return nil, bodyError(w, r, err)
}

const maxSmallBody = 4 << 10 // more than a request without long notes needs

// readUpTo reads until the end, or until body has limit bytes.
func readUpTo(body []byte, from io.Reader, limit int) ([]byte, error) {
	for len(body) < limit {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err != nil {
			return body, err
		}
	}
	return body, nil
}

// bodyError returns the error for a body that could not be read to its end.
func bodyError(w http.ResponseWriter, r *http.Request, err error) error {
	if errors.As(err, new(*http.MaxBytesError)) {
		return catalog.TooLarge
	}
	w.Header().Set("Connection", "close")
	return readError(r, err)
}

// errClientGone says that the client disconnected, or never sent the length it announced: no response is expected.
var errClientGone = errors.New("the client left")

// readError distinguishes a client that disconnected from one whose framing is wrong.
func readError(r *http.Request, err error) error {
	var network net.Error
	if r.Context().Err() != nil || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return errClientGone
	}
	return catalog.BrokenBody
}

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

// SourceKey returns the key of a source that a program named.
func SourceKey(r *http.Request) string {
	return strings.TrimSpace(lead.Shorten(r.Header.Get(lead.SourceHeader), lead.MaxAttribution))
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

// Short limits a text from a client to the length that evidence needs.
func Short(text string) string { return lead.Shorten(text, 300) }
