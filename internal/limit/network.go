package limit

import "net/netip"

// level is one size of network that clients are counted by, and how many times an address's allowance it has.
type level struct{ bits, factor int }

// levels are the sizes that IPv6 is counted by, the widest first. A household or a server has a whole /64 to choose
// addresses from, and whoever rents a /56 or a /48 has hundreds or thousands of those. The wider networks have a larger
// allowance, because several households may share one.
var levels = [...]level{{48, 16}, {56, 4}, {64, 1}}

// clientLevel is the level of one client: the /64 of an IPv6 address, or an IPv4 address.
const clientLevel = len(levels) - 1

// Of says which client an address belongs to: an IPv4 address stands for itself, an IPv6 one for its /64.
func Of(client netip.Addr) netip.Prefix {
	client = normalize(client)
	bits := client.BitLen()
	if client.Is6() {
		bits = levels[clientLevel].bits
	}
	network, _ := client.Prefix(bits) // fails for the zero address only, which is then a client of its own
	return network
}

// levelKey is where something is counted: under a key, at a level.
type levelKey struct {
	key   string
	level int
}

// levelKeys are all the places where a client is counted, the widest first.
func levelKeys(client netip.Addr) []levelKey {
	client = normalize(client)
	if !client.Is6() {
		return []levelKey{{client.String(), clientLevel}}
	}
	places := make([]levelKey, len(levels))
	for i, l := range levels {
		network, _ := client.Prefix(l.bits)
		places[i] = levelKey{network.String(), i}
	}
	return places
}

// normalize is an address as networks have it: without a zone, and not mapped into IPv6.
func normalize(client netip.Addr) netip.Addr { return client.Unmap().WithZone("") }
