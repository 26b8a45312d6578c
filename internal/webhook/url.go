package webhook

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"
)

const maxURLLength = 2048

// The messages never quote the address, which may contain a key.
var (
	errURL           = errors.New("give a whole address such as https://buyer.example.com/leads")
	errScheme        = errors.New("the address must begin with https://")
	errPrivateScheme = errors.New("the address must begin with https:// or http://")
	errUserInfo      = errors.New("the address must not hold a user name or a password: requests are signed instead")
	errFragment      = errors.New("the address must not hold a part after #: it would not be sent")
	errPort          = errors.New("the port of the address must be a number from 1 to 65535")
	errHost          = errors.New("the host of the address must be a public name such as buyer.example.com, in ASCII (xn-- for other letters), or a public IP address")
)

// CheckURL checks whether an address can be a buyer's. private permits http, and hosts in our own network. It does not
// resolve the name: the address behind it is checked whenever it is dialed.
func CheckURL(raw string, private bool) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || len(raw) > maxURLLength || !u.IsAbs():
		return errURL
	case private && u.Scheme != "https" && u.Scheme != "http":
		return errPrivateScheme
	case !private && u.Scheme != "https":
		return errScheme
	case u.Hostname() == "":
		return errURL
	case u.User != nil:
		return errUserInfo
	case strings.Contains(raw, "#"):
		return errFragment
	case !isPort(u.Port()):
		return errPort
	}
	return checkHost(strings.TrimSuffix(u.Hostname(), "."), private)
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func checkHost(host string, private bool) error {
	addr, err := netip.ParseAddr(host)
	switch {
	case err == nil && !private && guard.SafeAddr(addr) != nil:
		return fmt.Errorf("%s is not a public address; the host must be a public name such as buyer.example.com, or a public IP address", addr)
	case err == nil:
		return nil
	case host == "", strings.ContainsFunc(host, notInNames), !private && !isPublicName(host):
		return errHost
	}
	return nil
}

func notInNames(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_'
}

// isPublicName rejects names that only resolve locally: localhost, names without a dot, and numbers, which some
// resolvers read as addresses: 2130706433, 0x7f.1 and 0177.0.0.1 are all 127.0.0.1.
func isPublicName(host string) bool {
	lastDot := strings.LastIndexByte(host, '.')
	tld := strings.ToLower(host[lastDot+1:])
	return lastDot > 0 && tld != "" && tld != "localhost" && (tld[0] < '0' || tld[0] > '9')
}

// guard allows only public internet addresses, according to the registries of special-purpose addresses. It allows any
// port: what a public address serves is open to everyone anyway.
var guard = ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(wireServer))

// wireServer looks public, but is reachable from inside every Azure machine and serves its configuration.
var wireServer = netip.MustParsePrefix("168.63.129.16/32")

// blockedByGuard reports whether the guard rejected a dial.
func blockedByGuard(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}
