package config_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/limit"
)

// parse parses settings the way the program does.
func parse(t *testing.T, args ...string) (config.Settings, error) {
	t.Helper()
	var s config.Settings
	parser, err := kong.New(&s, kong.Name("foyer"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return s, err
}

func TestDefaults(t *testing.T) {
	got, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Settings{
		Data:      config.Data{Database: "sqlite:foyer.db", Keys: "file:foyer.keys"},
		Brand:     config.Brand{Name: "Foyer", Contact: "hello@example.com", PlumbingNumber: "+18005550199"},
		RateLimit: config.Rate{Rate: limit.Rate{Count: 60, Per: time.Minute, Burst: 120}},
		Hold:      config.Hold{HoldDays: 30},
		Console:   "on",
		Calendar:  config.Calendar{TimeZone: config.Zone{Location: time.UTC}},
		Repeats:   config.Repeats{DuplicateWindow: config.Window(24 * time.Hour), PhoneLimit: config.PhoneLimit{Leads: 3, Per: 24 * time.Hour}},
	}
	sameZone := cmp.Comparer(func(a, b config.Zone) bool { return a.String() == b.String() })
	if diff := cmp.Diff(want, got, sameZone); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if catalog.DefaultNumber != string(got.PlumbingNumber) {
		t.Error("the default number is not the one that is warned of")
	}
}

// TestFlagsAndVariables checks that every setting is a flag and a variable of the same name, and that the flag wins.
func TestFlagsAndVariables(t *testing.T) {
	for flag, values := range map[string][2]string{
		"addr":              {":9000", ":9001"},
		"console-addr":      {"127.0.0.1:9000", "127.0.0.1:9001"},
		"console":           {"off", "on"},
		"console-url":       {"https://console.example.com", "https://other.example.com"},
		"base-url":          {"https://foyer.example.com", "https://other.example.com"},
		"database":          {"sqlite:one.db", "sqlite:two.db"},
		"keys":              {"file:one.keys", "file:two.keys"},
		"time-zone":         {"America/New_York", "America/Denver"},
		"mail-from":         {"foyer@example.com", "alerts@example.com"},
		"name":              {"Hallway", "Porch"},
		"contact":           {"desk@example.com", "door@example.com"},
		"plumbing-number":   {"+18005550100", "+18005550101"},
		"accent":            {"#0b5d56", "#7a1f6b"},
		"rate-limit":        {"off", "1/hour"},
		"rate-limit-exempt": {"10.0.0.0/8", "192.0.2.1"},
		"hold-days":         {"7", "8"},
		"duplicate-window":  {"off", "2d"},
		"phone-limit":       {"off", "5/hour"},
		"trusted-proxies":   {"192.0.2.1", "10.0.0.0/8"},
		"allowed-origins":   {"https://app.example.com", "https://other.example.com"},
	} {
		value, other := values[0], values[1]
		t.Run(flag, func(t *testing.T) {
			unset, _ := parse(t)
			byFlag, err := parse(t, "--"+flag, value)
			if err != nil || reflect.DeepEqual(unset, byFlag) {
				t.Fatalf("the flag sets nothing: %v", err)
			}
			t.Setenv(variable(flag), value)
			if byVariable, err := parse(t); err != nil || !reflect.DeepEqual(byFlag, byVariable) {
				t.Errorf("by variable %+v, by flag %+v, error %v", byVariable, byFlag, err)
			}
			t.Setenv(variable(flag), other)
			if both, err := parse(t, "--"+flag, value); err != nil || !reflect.DeepEqual(byFlag, both) {
				t.Errorf("the flag does not win: %+v, error %v", both, err)
			}
		})
	}
}

func variable(flag string) string {
	return "FOYER_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// TestInvalidValueNamesSetting checks that an invalid value stops the start with one line that names the setting, the value
// and what is accepted.
func TestInvalidValueNamesSetting(t *testing.T) {
	for flag, accepted := range map[string]string{
		"base-url": "https://foyer.example.com", "accent": "#0b5d56", "logo": "an SVG or PNG file", "overrides": "consent.txt", "database": "sqlite:PATH", "keys": "file:PATH", "plumbing-number": "E.164", "rate-limit": "60/minute burst 120",
		"rate-limit-exempt": "10.0.0.0/8", "hold-days": "from 1 to 3650", "duplicate-window": "24h", "phone-limit": "3/day", "time-zone": "America/New_York", "mail-from": "foyer@example.com", "smtp": "smtp://user:password@host:587", "trusted-proxies": "10.0.0.0/8", "allowed-origins": "https://app.example.com",
	} {
		t.Run(flag, func(t *testing.T) {
			_, byFlag := parse(t, "--"+flag, "nonsense")
			t.Setenv(variable(flag), "nonsense")
			_, byVariable := parse(t)
			for _, err := range []error{byFlag, byVariable} {
				if err == nil {
					t.Fatal("accepted")
				}
				given := `"nonsense"`
				if flag == "database" || flag == "smtp" { // may contain a password
					given = "got a value that is not shown"
				}
				for _, must := range []string{flag, given, accepted} {
					if !strings.Contains(err.Error(), must) || strings.Contains(err.Error(), "\n") {
						t.Errorf("%q does not name %s in one line", err, must)
					}
				}
			}
		})
	}
}

func TestListenAddr(t *testing.T) {
	for _, c := range []struct {
		addr       config.Addr
		port, want string
	}{
		{"", "", ":8080"},
		{"", "3000", ":3000"},
		{":9000", "", ":9000"},
		{"127.0.0.1:9000", "3000", "127.0.0.1:9000"},
	} {
		if got, err := (config.Settings{Addr: c.addr}).ListenAddr(c.port); err != nil || got != c.want {
			t.Errorf("addr %q and port %q: %q (%v), want %q", c.addr, c.port, got, err, c.want)
		}
	}
	if _, err := (config.Settings{}).ListenAddr("http"); err == nil || err.Error() != `PORT: got "http", want a port number such as 8080` {
		t.Errorf("a port that is none: %v", err)
	}
}

// TestBrandCatalog checks that links start with the listening address if there is no base URL.
func TestBrandCatalog(t *testing.T) {
	b := config.Brand{Name: "Foyer", Contact: "hello@example.com", PlumbingNumber: "+18005550199"}
	for listening, base := range map[string]string{":8080": "http://localhost:8080", "127.0.0.1:9000": "http://localhost:9000", "[::1]:9000": "http://localhost:9000"} {
		want := catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: base, Number: "+18005550199"}
		if diff := cmp.Diff(want, b.Catalog(listening)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", listening, diff)
		}
	}
	b.BaseURL = "https://foyer.example.com"
	if got := b.Catalog(":8080").BaseURL; got != "https://foyer.example.com" {
		t.Errorf("got %s", got)
	}
}
