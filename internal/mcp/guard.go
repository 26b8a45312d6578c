package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/catalog"
)

// guard keeps web pages from reaching a server on somebody's own machine by way of DNS (rebinding), and pages of other
// origins out where the operator names the ones allowed.
type guard struct {
	host    string // the public host
	origins []string
}

func newGuard(baseURL string, origins []string) guard {
	g := guard{origins: origins}
	if u, err := url.Parse(baseURL); err == nil {
		g.host = strings.ToLower(u.Hostname())
	}
	return g
}

func (g guard) admit(r *http.Request) error {
	if arrivedOverLoopback(r) && !g.knows(r.Host) {
		return catalog.ForeignHost()
	}
	if values := r.Header["Origin"]; len(values) > 0 && !g.allows(values) {
		return catalog.ForeignOrigin()
	}
	return nil
}

func arrivedOverLoopback(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	address, err := netip.ParseAddrPort(local.String())
	return err == nil && address.Addr().Unmap().IsLoopback()
}

// knows says that a Host is this machine's or the public one.
func (g guard) knows(hostport string) bool {
	u, err := url.Parse("http://" + hostport)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Unmap().IsLoopback() || host == g.host
	}
	host = strings.TrimSuffix(host, ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || host == g.host
}

// allows says that an Origin is well formed and, where a list exists, on it. A sandboxed page says "null".
func (g guard) allows(values []string) bool {
	if len(values) != 1 {
		return false
	}
	origin := values[0]
	if len(g.origins) > 0 {
		return slices.Contains(g.origins, strings.ToLower(origin))
	}
	if origin == "null" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme != "" && u.Host != "" && u.Path == "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}
