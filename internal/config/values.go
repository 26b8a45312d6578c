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

// refuse says what was given and what is accepted; the name of the setting stands before it.
func refuse(given, accepted string) error {
	return fmt.Errorf("got %q, want %s", given, accepted)
}

// Database names a data store.
type Database string

// Validate checks the name. Not while it is read: a variable that cannot be read is shown in full.
func (d Database) Validate() error {
	path, file := strings.CutPrefix(string(d), "sqlite:")
	if file && path != "" || d.server() && !d.loose() {
		return nil
	}
	return errors.New("got a value that is not shown, because it may hold a password, want sqlite:PATH, for example sqlite:foyer.db, or postgres://user:password@host:5432/name, with %2F for a / and %40 for an @ in the password")
}

// Validate checks what was set, wherever it comes from.
func (d Data) Validate() error {
	if err := d.Database.Validate(); err != nil {
		return fmt.Errorf("--database: %w", err)
	}
	return nil
}

// server says whether the name is the address of a PostgreSQL server.
func (d Database) server() bool {
	scheme, rest, _ := strings.Cut(string(d), "://")
	return (scheme == "postgres" || scheme == "postgresql") && rest != ""
}

// loose says that an address has a second @, or one behind the host: what is before it is a part of a password that was not
// escaped.
func (d Database) loose() bool {
	_, rest, _ := strings.Cut(string(d), "://")
	host := strings.IndexAny(rest, "/?#")
	if host < 0 {
		host = len(rest)
	}
	return strings.Count(rest[:host], "@") > 1 || strings.Contains(rest[host:], "@")
}

// String is the name as it may be shown: a password in it is left out.
func (d Database) String() string {
	if strings.HasPrefix(string(d), "sqlite:") {
		return string(d)
	}
	u, err := url.Parse(string(d))
	if err != nil || !d.server() || d.loose() || strings.Contains(string(d), "#") {
		return "an address that cannot be read"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "an address that cannot be read"
	}
	for name := range query {
		if strings.Contains(name, "password") { // sslpassword is one, too
			query.Set(name, "xxxxx")
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

// Addr is an address to listen on.
type Addr string

// UnmarshalText checks the address.
func (a *Addr) UnmarshalText(text []byte) error {
	given := string(text)
	_, port, err := net.SplitHostPort(given)
	if number, notNumber := strconv.ParseUint(port, 10, 16); err != nil || notNumber != nil || number > 65535 {
		return refuse(given, "a host and a port such as 127.0.0.1:8080, or :8080 for all interfaces")
	}
	*a = Addr(given)
	return nil
}

// Words are a short text on one line.
type Words string

// UnmarshalText checks the text.
func (w *Words) UnmarshalText(text []byte) error {
	given := strings.TrimSpace(string(text))
	if given == "" || !utf8.ValidString(given) || utf8.RuneCountInString(given) > 100 || strings.ContainsFunc(given, unicode.IsControl) {
		return refuse(string(text), "a text of 1 to 100 characters on one line")
	}
	*w = Words(given)
	return nil
}

// Number is a phone number in E.164.
type Number string

var e164 = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// UnmarshalText checks the number.
func (n *Number) UnmarshalText(text []byte) error {
	if given := string(text); !e164.MatchString(given) {
		return refuse(given, "a number in E.164, for example +18005550199")
	}
	*n = Number(text)
	return nil
}

// Rate is a pace such as "60/minute burst 120", or off.
type Rate struct {
	limit.Rate
	Off bool
}

var (
	rateForm = regexp.MustCompile(`^([0-9]{1,6})/(second|minute|hour|day)(?: burst ([0-9]{1,6}))?$`)
	windows  = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
)

// longestRefill keeps a mistyped burst from being no limit at all, and from being longer than a clock can count.
const longestRefill = 366 * 24 * time.Hour

// UnmarshalText reads the pace. Without a burst, a whole window may come at once.
func (r *Rate) UnmarshalText(text []byte) error {
	given := strings.Join(strings.Fields(string(text)), " ")
	if given == "off" {
		*r = Rate{Off: true}
		return nil
	}
	parts := rateForm.FindStringSubmatch(given)
	if parts == nil {
		return refuse(string(text), `a pace such as "60/minute burst 120" (second, minute, hour or day; the burst may be left out), or "off"`)
	}
	count, _ := strconv.Atoi(parts[1])
	burst := count
	if parts[3] != "" {
		burst, _ = strconv.Atoi(parts[3])
	}
	if count < 1 || burst < 1 {
		return refuse(string(text), `a pace and a burst of at least 1, or "off"`)
	}
	per := windows[parts[2]]
	if per.Hours()*float64(burst)/float64(count) > longestRefill.Hours() {
		return refuse(string(text), `a burst that the pace fills again within a year, or "off"`)
	}
	*r = Rate{Rate: limit.Rate{Count: count, Per: per, Burst: burst}}
	return nil
}

// Networks are address ranges, separated by commas. A single address is a range of one.
type Networks []netip.Prefix

// UnmarshalText reads the ranges.
func (n *Networks) UnmarshalText(text []byte) error {
	var networks Networks
	for _, part := range list(text) {
		prefix, err := netip.ParsePrefix(part)
		if address, single := netip.ParseAddr(part); single == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if prefix.Addr().Is4In6() { // clients are compared as IPv4
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		if err != nil || !prefix.IsValid() {
			return refuse(part, "networks such as 10.0.0.0/8 or 2001:db8::/32, separated by commas")
		}
		networks = append(networks, prefix.Masked())
	}
	*n = networks
	return nil
}

// Origins are origins of web pages, separated by commas.
type Origins []string

// UnmarshalText reads the origins.
func (o *Origins) UnmarshalText(text []byte) error {
	var origins Origins
	for _, part := range list(text) {
		u, err := url.Parse(part)
		if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil || u.Path != "" || strings.ContainsAny(part, "?#") {
			return refuse(part, "origins such as https://app.example.com, separated by commas")
		}
		origins = append(origins, strings.ToLower(part))
	}
	*o = origins
	return nil
}

// Days is a number of days.
type Days int

// UnmarshalText reads the number.
func (d *Days) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > 3650 {
		return refuse(string(text), "a number of days from 1 to 3650")
	}
	*d = Days(n)
	return nil
}

func list(text []byte) []string {
	var parts []string
	for part := range strings.SplitSeq(string(text), ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
