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

// guard protects a server on a local machine from DNS rebinding by web pages, and refuses pages of other origins if the
// operator lists the allowed ones.
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
	if arrivedOverLoopback(r) && !g.knowsHost(r.Host) {
		return catalog.ForeignHost
	}
	if values := r.Header["Origin"]; len(values) > 0 && !g.allowsOrigin(values) {
		return catalog.ForeignOrigin
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

// knowsHost reports whether a Host header names the local machine or the public host.
func (g guard) knowsHost(hostport string) bool {
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

// allowsOrigin reports whether an Origin header is well formed and, if a list exists, on it. A sandboxed page sends "null".
func (g guard) allowsOrigin(values []string) bool {
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
