package app

import (
	"net"
	"net/netip"
	"slices"

	"foyer/internal/limit"
)

// countedClients says whose connections are counted: those of trusted proxies, exempt networks and this machine itself are
// not, because behind each of them many people may stand.
func countedClients(uncounted ...netip.Prefix) func(net.Addr) netip.Prefix {
	return func(remote net.Addr) netip.Prefix {
		peer, known := remote.(*net.TCPAddr)
		if !known {
			return netip.Prefix{}
		}
		address := peer.AddrPort().Addr().Unmap().WithZone("")
		if address.IsLoopback() || slices.ContainsFunc(uncounted, func(n netip.Prefix) bool { return n.Contains(address) }) {
			return netip.Prefix{}
		}
		return limit.Of(address)
	}
}
