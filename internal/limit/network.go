package limit

import "net/netip"

// level is one size of network that is counted, and how many times the allowance of one client it has.
type level struct{ bits, factor int }

// levels are the sizes of network that IPv6 clients are counted by, the widest first. A household or a server has a whole /64 to
// choose addresses from, and the owner of a /56 or a /48 has hundreds or thousands of those. The wider networks have a larger
// allowance, because several households may share one.
var levels = [...]level{{48, 16}, {56, 4}, {64, 1}}

// clientLevel is the level of one client: the /64 of an IPv6 address, or an IPv4 address.
const clientLevel = len(levels) - 1

// Of returns the client that an address belongs to: an IPv4 address counts by itself, an IPv6 address by its /64.
func Of(client netip.Addr) netip.Prefix {
	client = normalize(client)
	bits := client.BitLen()
	if client.Is6() {
		bits = levels[clientLevel].bits
	}
	network, _ := client.Prefix(bits) // fails only for the zero address, which then counts as one client
	return network
}

// levelKey is the key under which a client is counted at one level.
type levelKey struct {
	key   string
	level int
}

// levelKeys returns all keys under which a client is counted, the widest network first.
func levelKeys(client netip.Addr) []levelKey {
	client = normalize(client)
	if !client.Is6() {
		return []levelKey{{client.String(), clientLevel}}
	}
	keys := make([]levelKey, len(levels))
	for i, l := range levels {
		network, _ := client.Prefix(l.bits)
		keys[i] = levelKey{network.String(), i}
	}
	return keys
}

// normalize returns an address in the form that prefixes use: without a zone, and not mapped into IPv6.
func normalize(client netip.Addr) netip.Addr { return client.Unmap().WithZone("") }
