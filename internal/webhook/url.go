package webhook

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const longestURL = 2048

// The messages never quote the address: there may be a key in it.
var (
	errURL      = errors.New("give a whole address such as https://buyer.example.com/leads")
	errScheme   = errors.New("the address must begin with https://")
	errPrivate  = errors.New("the address must begin with https:// or http://")
	errUserInfo = errors.New("the address must not hold a user name or a password: requests are signed instead")
	errFragment = errors.New("the address must not hold a part after #: it would not be sent")
	errPort     = errors.New("the port of the address must be a number from 1 to 65535")
	errHost     = errors.New("the host of the address must be a public name such as buyer.example.com, in ASCII (xn-- for other letters), or a public IP address")
)

// CheckURL says whether an address can be a buyer's. Private permits http, and hosts of our own network. It asks no name
// server: what a name stands for is checked whenever it is dialled.
func CheckURL(raw string, private bool) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || len(raw) > longestURL || !u.IsAbs():
		return errURL
	case private && u.Scheme != "https" && u.Scheme != "http":
		return errPrivate
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

// isPublicName refuses what can only be found at home: localhost, names without a dot, and numbers, which some resolvers
// take for addresses: 2130706433, 0x7f.1 and 0177.0.0.1 are all 127.0.0.1.
func isPublicName(host string) bool {
	dot := strings.LastIndexByte(host, '.')
	top := strings.ToLower(host[dot+1:])
	return dot > 0 && top != "" && top != "localhost" && (top[0] < '0' || top[0] > '9')
}
