package edge

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/realclientip/realclientip-go"
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
		if !slices.ContainsFunc(trusted, func(n netip.Prefix) bool { return n.Contains(peer) }) {
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

func ipNets(prefixes []netip.Prefix) []net.IPNet {
	nets := make([]net.IPNet, len(prefixes))
	for i, p := range prefixes {
		nets[i] = net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
	}
	return nets
}
