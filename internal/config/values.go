package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"foyer/internal/limit"
)

// invalidValue returns an error with the value and what is accepted. The caller adds the name of the setting.
func invalidValue(given, accepted string) error {
	return fmt.Errorf("got %q, want %s", given, accepted)
}

// Database is the address of a database.
type Database string

// Validate checks the address. There is no UnmarshalText, because the flag parser prints a variable it cannot parse in
// full, password included.
func (d Database) Validate() error {
	path, file := strings.CutPrefix(string(d), "sqlite:")
	if file && path != "" || d.isPostgres() && !d.hasUnescapedPassword() {
		return nil
	}
	return errors.New("got a value that is not shown, because it may hold a password, want sqlite:PATH, for example sqlite:foyer.db, or postgres://user:password@host:5432/name, with %2F for a / and %40 for an @ in the password")
}

// Validate checks the settings, whether they come from a flag or a variable.
func (d Data) Validate() error {
	if err := d.Database.Validate(); err != nil {
		return fmt.Errorf("--database: %w", err)
	}
	return nil
}

// isPostgres reports whether the address is that of a PostgreSQL server.
func (d Database) isPostgres() bool {
	scheme, rest, _ := strings.Cut(string(d), "://")
	return (scheme == "postgres" || scheme == "postgresql") && rest != ""
}

// hasUnescapedPassword reports whether the address has a second @, or one after the host. The text before it is part of a
// password that was not escaped.
func (d Database) hasUnescapedPassword() bool {
	_, rest, _ := strings.Cut(string(d), "://")
	host := strings.IndexAny(rest, "/?#")
	if host < 0 {
		host = len(rest)
	}
	return strings.Count(rest[:host], "@") > 1 || strings.Contains(rest[host:], "@")
}

// String keeps passwords out of messages. store.Redacted names the server.
func (d Database) String() string {
	if strings.HasPrefix(string(d), "sqlite:") {
		return string(d)
	}
	return "postgres://…"
}

// Addr is an address to listen on.
type Addr string

// UnmarshalText validates the address.
func (a *Addr) UnmarshalText(text []byte) error {
	given := string(text)
	_, port, err := net.SplitHostPort(given)
	if _, notNumber := strconv.ParseUint(port, 10, 16); err != nil || notNumber != nil {
		return invalidValue(given, "a host and a port such as 127.0.0.1:8080, or :8080 for all interfaces")
	}
	*a = Addr(given)
	return nil
}

// Words is a short text on one line.
type Words string

// UnmarshalText validates the text.
func (w *Words) UnmarshalText(text []byte) error {
	given := strings.TrimSpace(string(text))
	if given == "" || !utf8.ValidString(given) || utf8.RuneCountInString(given) > 100 || strings.ContainsFunc(given, unicode.IsControl) {
		return invalidValue(string(text), "a text of 1 to 100 characters on one line")
	}
	*w = Words(given)
	return nil
}

// Number is a phone number in E.164.
type Number string

var e164 = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// UnmarshalText validates the number.
func (n *Number) UnmarshalText(text []byte) error {
	if given := string(text); !e164.MatchString(given) {
		return invalidValue(given, "a number in E.164, for example +18005550199")
	}
	*n = Number(text)
	return nil
}

// Rate is a rate limit such as "60/minute burst 120", or off.
type Rate struct {
	limit.Rate
	Off bool
}

var (
	ratePattern   = regexp.MustCompile(`^([0-9]{1,6})/(second|minute|hour|day)(?: burst ([0-9]{1,6}))?$`)
	unitDurations = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
)

// maxRefill keeps a mistyped burst from being no limit at all, or from overflowing a duration.
const maxRefill = 366 * 24 * time.Hour

// UnmarshalText parses the rate. Without a burst, the whole count may come at once.
func (r *Rate) UnmarshalText(text []byte) error {
	given := strings.Join(strings.Fields(string(text)), " ")
	if given == "off" {
		*r = Rate{Off: true}
		return nil
	}
	parts := ratePattern.FindStringSubmatch(given)
	if parts == nil {
		return invalidValue(string(text), `a pace such as "60/minute burst 120" (second, minute, hour or day; the burst may be left out), or "off"`)
	}
	count, _ := strconv.Atoi(parts[1])
	burst := count
	if parts[3] != "" {
		burst, _ = strconv.Atoi(parts[3])
	}
	if count < 1 || burst < 1 {
		return invalidValue(string(text), `a pace and a burst of at least 1, or "off"`)
	}
	per := unitDurations[parts[2]]
	if per.Hours()*float64(burst)/float64(count) > maxRefill.Hours() {
		return invalidValue(string(text), `a burst that the pace fills again within a year, or "off"`)
	}
	*r = Rate{Rate: limit.Rate{Count: count, Per: per, Burst: burst}}
	return nil
}

// Networks are address ranges, separated by commas. A single address is a range of one.
type Networks []netip.Prefix

// UnmarshalText parses the ranges.
func (n *Networks) UnmarshalText(text []byte) error {
	var networks Networks
	for _, part := range splitCommas(text) {
		prefix, err := netip.ParsePrefix(part)
		if address, single := netip.ParseAddr(part); single == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if prefix.Addr().Is4In6() { // clients are compared as IPv4
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		if err != nil || !prefix.IsValid() {
			return invalidValue(part, "networks such as 10.0.0.0/8 or 2001:db8::/32, separated by commas")
		}
		networks = append(networks, prefix.Masked())
	}
	*n = networks
	return nil
}

// Origins are origins of web pages, separated by commas.
type Origins []string

// UnmarshalText parses the origins.
func (o *Origins) UnmarshalText(text []byte) error {
	var origins Origins
	for _, part := range splitCommas(text) {
		u, err := url.Parse(part)
		if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil || u.Path != "" || strings.ContainsAny(part, "?#") {
			return invalidValue(part, "origins such as https://app.example.com, separated by commas")
		}
		origins = append(origins, strings.ToLower(part))
	}
	*o = origins
	return nil
}

// Days is a number of days.
type Days int

// UnmarshalText parses the number.
func (d *Days) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > 3650 {
		return invalidValue(string(text), "a number of days from 1 to 3650")
	}
	*d = Days(n)
	return nil
}

func splitCommas(text []byte) []string {
	var parts []string
	for part := range strings.SplitSeq(string(text), ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
