// Package config parses flags and environment variables into one validated struct. Every setting is a flag and a variable
// of the same name. An invalid value stops the start with one line that says what is accepted.
//
// It holds settings only and starts nothing. The only files it opens are the operator's logo and overrides, and the file that
// the setting smtp names, because an invalid file is an invalid value, too.
package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"foyer/internal/catalog"
)

// Data says where the leads and the secret keys are stored.
type Data struct {
	Database Database `env:"FOYER_DATABASE" default:"sqlite:foyer.db" placeholder:"URL" help:"Where leads are kept: sqlite:PATH, or postgres://user@host/name for several processes (default: ${default})."`
	Keys     Keys     `env:"FOYER_KEYS" default:"file:foyer.keys" placeholder:"SOURCE" help:"Where the secret keys of the database are: file:PATH. A relative path starts beside a SQLite database, and in the working folder for PostgreSQL (default: ${default})."`
}

// Public says where people reach the service.
type Public struct {
	BaseURL BaseURL `name:"base-url" env:"FOYER_BASE_URL" placeholder:"URL" help:"Public address that every link and redirect starts with. Default: http://localhost and the port."`
}

// ConsoleListener says where operators reach the service.
type ConsoleListener struct {
	ConsoleAddr Addr    `name:"console-addr" env:"FOYER_CONSOLE_ADDR" placeholder:"ADDRESS" help:"Listening address of the console and the operator's API alone, such as 127.0.0.1:8081. Default: with everything else."`
	ConsoleURL  BaseURL `name:"console-url" env:"FOYER_CONSOLE_URL" placeholder:"URL" help:"Public address of the listener at console-addr, if a proxy of trusted-proxies serves it by https. Default: http and console-addr."`
}

// Brand is what the operator can customize.
type Brand struct {
	Public
	Name           Words     `env:"FOYER_NAME" default:"Foyer" placeholder:"TEXT" help:"Your name, shown everywhere (default: ${default})."`
	Contact        Words     `env:"FOYER_CONTACT" default:"hello@example.com" placeholder:"TEXT" help:"How people reach you, shown everywhere (default: ${default})."`
	PlumbingNumber Number    `name:"plumbing-number" env:"FOYER_PLUMBING_NUMBER" default:"+18005550199" placeholder:"NUMBER" help:"Number people dial for plumbing, in E.164. The default, ${default}, is reserved for fiction."`
	Accent         Accent    `env:"FOYER_ACCENT" placeholder:"COLOR" help:"Color of buttons and links, such as #0b5d56; a second one is for dark pages. Default: ours."`
	Logo           Logo      `env:"FOYER_LOGO" placeholder:"FILE" help:"SVG or PNG that stands in the header. For the share card and phones, an SVG needs a PNG of the same name beside it. Default: ours."`
	Overrides      Overrides `env:"FOYER_OVERRIDES" placeholder:"FOLDER" help:"Folder with texts and styles of your own: consent.txt, footer.txt (or footer.md, shown as plain text too), custom.css."`
}

// Network says which addresses buyers may have.
type Network struct {
	AllowPrivate bool `name:"allow-private-buyers" env:"FOYER_ALLOW_PRIVATE_BUYERS" help:"Let buyers have private addresses and http, for tests and networks of your own."`
}

// Hold says how long leads are held.
type Hold struct {
	HoldDays Days `name:"hold-days" env:"FOYER_HOLD_DAYS" default:"30" placeholder:"DAYS" help:"How long a request that no buyer takes is held (default: ${default})."`
}

// Calendar says which time zone the days and months of statements and reports have. Hours and caps of a buyer have its own.
type Calendar struct {
	TimeZone Zone `name:"time-zone" env:"FOYER_TIME_ZONE" default:"UTC" placeholder:"ZONE" help:"Time zone of days and months, such as America/New_York (default: ${default})."`
}

// Settings are the settings of the service.
type Settings struct {
	Data
	Brand
	Network
	Repeats
	Calendar
	ConsoleListener
	Mail
	Console    string   `name:"console" env:"FOYER_CONSOLE" default:"on" enum:"on,off" placeholder:"on|off" help:"The operator's pages under /console: on or off (default: ${default})."`
	Addr       Addr     `env:"FOYER_ADDR" placeholder:"ADDRESS" help:"Listening address. Default: :8080, or the port in $$PORT."`
	RateLimit  Rate     `name:"rate-limit" env:"FOYER_RATE_LIMIT" default:"60/minute burst 120" placeholder:"RATE" help:"Leads kept for each client address; 'off' for no limit (default: ${default})."`
	RateExempt Networks `name:"rate-limit-exempt" env:"FOYER_RATE_LIMIT_EXEMPT" placeholder:"NETWORKS" help:"Networks that are not limited, separated by commas."`
	Hold
	HoldAutomated  bool     `name:"hold-automated" env:"FOYER_HOLD_AUTOMATED" help:"Hold leads that a program seems to have filled in until you release them."`
	TrustedProxies Networks `name:"trusted-proxies" env:"FOYER_TRUSTED_PROXIES" placeholder:"NETWORKS" help:"Networks whose X-Forwarded-For is trusted, separated by commas."`
	AllowedOrigins Origins  `name:"allowed-origins" env:"FOYER_ALLOWED_ORIGINS" placeholder:"ORIGINS" help:"Origins of web pages that may use the tools, separated by commas. Default: any."`
}

// ListenAddr returns the address to listen on. port is the PORT variable that hosting platforms set.
func (s Settings) ListenAddr(port string) (string, error) {
	switch {
	case s.Addr != "":
		return string(s.Addr), nil
	case port == "":
		return ":8080", nil
	}
	var a Addr
	if a.UnmarshalText([]byte(":"+port)) != nil {
		return "", fmt.Errorf("PORT: %w", invalidValue(port, "a port number such as 8080"))
	}
	return string(a), nil
}

// Catalog converts the brand for package catalog. Without a base URL, links start with localhost and the port of listening.
func (b Brand) Catalog(listening string) catalog.Brand {
	base := string(b.BaseURL)
	if base == "" {
		_, port, _ := net.SplitHostPort(listening)
		base = "http://localhost:" + port
	}
	return catalog.Brand{
		Name: string(b.Name), Contact: string(b.Contact), BaseURL: base, Number: string(b.PlumbingNumber),
		Consent: b.Overrides.Consent, Foot: b.Overrides.Footer,
		Look: catalog.Look{
			Accent: b.Accent.Light, AccentDark: b.Accent.Dark, Style: b.Overrides.Style,
			Logo: b.Logo.Body, LogoType: b.Logo.Type, LogoWidth: b.Logo.Width, LogoPNG: b.Logo.PNG,
		},
	}
}

// BaseURL is an absolute URL without a trailing slash.
type BaseURL string

// UnmarshalText validates the URL.
func (b *BaseURL) UnmarshalText(text []byte) error {
	given := string(text)
	u, err := url.Parse(given)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || strings.ContainsAny(given, "?#") {
		return invalidValue(given, "an address such as https://foyer.example.com, without query or fragment")
	}
	*b = BaseURL(strings.TrimRight(given, "/"))
	return nil
}

// Zone is a time zone.
type Zone struct{ *time.Location }

// UnmarshalText loads the time zone. That of the machine has no name that means the same everywhere.
func (z *Zone) UnmarshalText(text []byte) (err error) {
	given := string(text)
	if z.Location, err = time.LoadLocation(given); err != nil || z.String() == "Local" {
		return invalidValue(given, "a time zone such as America/New_York, or UTC")
	}
	return nil
}

// Keys names the key file.
type Keys string

// UnmarshalText validates the name.
func (k *Keys) UnmarshalText(text []byte) error {
	given := string(text)
	if path, ok := strings.CutPrefix(given, "file:"); given != "" && (!ok || path == "") { // an empty variable means unset
		return invalidValue(given, "file:PATH, for example file:foyer.keys")
	}
	*k = Keys(given)
	return nil
}

// KeyFile returns the absolute path of the key file. A relative path starts in the folder of a SQLite database, so that the two stay
// together whatever the working folder. For PostgreSQL it starts in the working folder.
func (d Data) KeyFile() string {
	path := strings.TrimPrefix(cmp.Or(string(d.Keys), "file:foyer.keys"), "file:")
	if file, ok := strings.CutPrefix(string(d.Database), "sqlite:"); ok && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
