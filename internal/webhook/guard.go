package webhook

import (
	"errors"
	"net/netip"

	"code.dny.dev/ssrf"
)

// guard knows which addresses are the public internet, from the registries of special addresses. Any port will do: on a
// public address all that can be reached is what anybody can reach.
var guard = ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(wireServer))

// wireServer looks public, but is inside every machine on Azure: it hands out their configuration.
var wireServer = netip.MustParsePrefix("168.63.129.16/32")

// refused says whether a dial was ended by the guard.
func refused(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}
