package config_test

import (
	"encoding"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"foyer/internal/config"
	"foyer/internal/limit"
)

// accepts parses a text into the value of a setting.
func accepts[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, text string, want T) {
	t.Helper()
	var got T
	if err := P(&got).UnmarshalText([]byte(text)); err != nil {
		t.Errorf("%q is refused: %v", text, err)
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
		t.Errorf("%q (-want +got):\n%s", text, diff)
	}
}

// refuses checks that the error has the value and what is accepted, and that the setting does not change.
func refuses[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, text, given, accepted string) {
	t.Helper()
	var got, zero T
	err := P(&got).UnmarshalText([]byte(text))
	if err == nil {
		t.Errorf("%q is accepted as %v", text, got)
		return
	}
	if message := err.Error(); !strings.Contains(message, "got \""+given+"\"") || !strings.Contains(message, accepted) || strings.Contains(message, "\n") {
		t.Errorf("%q: %s, want one line with %q and %q", text, message, given, accepted)
	}
	if diff := cmp.Diff(zero, got, cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
		t.Errorf("%q left something behind: %s", text, diff)
	}
}

func TestDatabase(t *testing.T) {
	for _, text := range []string{"sqlite:foyer.db", "sqlite:/var/lib/foyer/foyer.db", "sqlite:a b.db", "postgres://foyer:secret@db.example.com:5432/leads", "postgresql://db.example.com/leads", "postgres://foyer:secret@one.example.com:5432,two.example.com:5432/leads?target_session_attrs=read-write", "postgres:///leads?host=/run/postgresql"} {
		if err := config.Database(text).Validate(); err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
	}
	for _, text := range []string{"", "sqlite:", "foyer.db", "sqlite3:foyer.db", "mysql://db.example.com", "sqlite", "postgres:leads", "postgres://"} {
		if err := config.Database(text).Validate(); err == nil || !strings.Contains(err.Error(), "sqlite:PATH") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestDatabaseHidesPassword checks that no form of a password is shown.
func TestDatabaseHidesPassword(t *testing.T) {
	for _, text := range []string{
		"host=db.example.com user=foyer password=hunter2", "postgres:foyer:hunter2@db.example.com", "postgres//foyer:hunter2@db.example.com/leads",
		"mysql://foyer:hunter2@db.example.com/leads", "hunter2",
		"postgres://foyer:12/hunter2@db.example.com/leads", "postgres://foyer:12?hunter2@db.example.com/leads",
		"postgres://foyer:12@hunter2@db.example.com/leads", "postgres://foyer:12?a=hunter2@db.example.com/leads",
	} {
		_, byFlag := parse(t, "--database", text)
		t.Setenv("FOYER_DATABASE", text)
		_, byVariable := parse(t)
		for _, err := range []error{byFlag, byVariable} {
			if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "--database") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, d := range []config.Database{
		"postgres://foyer:hunter2@db.example.com/leads", "postgres://db.example.com/leads?user=foyer&password=hunter2", "postgres://db.example.com/leads?sslpassword=hunter2",
		"postgres://db.example.com/leads?password=hunter2;x", "postgres://foyer:12#hunter2@db.example.com/leads", "postgres://foyer:12/hunter2@db.example.com/leads",
		"postgres://foyer:12?hunter2@db.example.com/leads", "host=db.example.com password=hunter2",
		"postgres://foyer:12@hunter2@db.example.com/leads", "postgres://foyer:12?a=hunter2@db.example.com/leads",
	} {
		if shown := d.String(); strings.Contains(shown, "hunter2") {
			t.Errorf("%q is shown", shown)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, text := range []string{"+18005550199", "+13055550123", "+442079460123", "+12345678", "+123456789012345"} {
		accepts(t, text, config.Number(text))
	}
	for _, text := range []string{"", "18005550199", "+1 800 555 0199", "+1-800-555-0199", "+08005550199", "+1234567", "+1234567890123456", "+1800555HELP", "+18005550199 "} {
		refuses[config.Number](t, text, text, "E.164, for example +18005550199")
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]config.Words{"Foyer": "Foyer", " Foyer & Co ": "Foyer & Co", "hello@example.com": "hello@example.com"} {
		accepts(t, text, want)
	}
	for text, given := range map[string]string{"": "", "   ": "   ", "two\nlines": `two\nlines`, strings.Repeat("x", 101): strings.Repeat("x", 101), "\xff": `\xff`} {
		refuses[config.Words](t, text, given, "1 to 100 characters on one line")
	}
}

func TestBaseURL(t *testing.T) {
	for text, want := range map[string]config.BaseURL{
		"https://foyer.example.com":        "https://foyer.example.com",
		"https://foyer.example.com/":       "https://foyer.example.com",
		"https://foyer.example.com///":     "https://foyer.example.com",
		"https://example.com/foyer/":       "https://example.com/foyer",
		"http://localhost:8080":            "http://localhost:8080",
		"http://[2001:db8::1]:8080":        "http://[2001:db8::1]:8080",
		"https://foyer.example.com:443/a/": "https://foyer.example.com:443/a",
	} {
		accepts(t, text, want)
	}
	for _, text := range []string{
		"", "foyer.example.com", "//foyer.example.com", "/foyer", "ftp://foyer.example.com", "https://", "https:///path", "http://:8080",
		"https://foyer.example.com?x=1", "https://foyer.example.com/?", "https://foyer.example.com#top", "https://foyer.example.com/#",
		"https://user:secret@foyer.example.com", "https://foyer example.com", " https://foyer.example.com", "https://foyer.example.com:port",
	} {
		refuses[config.BaseURL](t, text, text, "https://foyer.example.com")
	}
}

func TestNetworks(t *testing.T) {
	prefixes := func(texts ...string) config.Networks {
		var n config.Networks
		for _, text := range texts {
			n = append(n, netip.MustParsePrefix(text))
		}
		return n
	}
	for text, want := range map[string]config.Networks{
		"":                             nil,
		" , ":                          nil,
		"10.0.0.0/8":                   prefixes("10.0.0.0/8"),
		"10.1.2.3/8":                   prefixes("10.0.0.0/8"),
		"192.0.2.1":                    prefixes("192.0.2.1/32"),
		"2001:db8::1":                  prefixes("2001:db8::1/128"),
		"10.0.0.0/8, 2001:db8::/32 ,,": prefixes("10.0.0.0/8", "2001:db8::/32"),
	} {
		accepts(t, text, want)
	}
	for text, given := range map[string]string{
		"example.com": "example.com", "10.0.0.0/33": "10.0.0.0/33", "10.0.0/8": "10.0.0/8", "10.0.0.0/8 192.0.2.1": "10.0.0.0/8 192.0.2.1",
		"10.0.0.0/8,all": "all", "10.0.0.1:80": "10.0.0.1:80", "*": "*",
	} {
		refuses[config.Networks](t, text, given, "networks such as 10.0.0.0/8")
	}
}

func TestOrigins(t *testing.T) {
	for text, want := range map[string]config.Origins{
		"":                        nil,
		"https://app.example.com": {"https://app.example.com"},
		"HTTPS://App.Example.com": {"https://app.example.com"},
		"http://localhost:3000":   {"http://localhost:3000"},
		"https://a.example.com, https://b.example.com:8443": {"https://a.example.com", "https://b.example.com:8443"},
	} {
		accepts(t, text, want)
	}
	for text, given := range map[string]string{
		"app.example.com": "app.example.com", "https://app.example.com/": "https://app.example.com/", "https://app.example.com/path": "https://app.example.com/path",
		"https://app.example.com?x": "https://app.example.com?x", "https://app.example.com#x": "https://app.example.com#x", "null": "null", "*": "*",
		"https://user@app.example.com": "https://user@app.example.com", "https://a.example.com,b": "b",
	} {
		refuses[config.Origins](t, text, given, "origins such as https://app.example.com")
	}
}

func TestDays(t *testing.T) {
	for text, want := range map[string]config.Days{"1": 1, "30": 30, "3650": 3650} {
		accepts(t, text, want)
	}
	for _, text := range []string{"", "0", "-1", "3651", "1.5", "30d", "thirty", " 30", "99999999999999999999"} {
		refuses[config.Days](t, text, text, "from 1 to 3650")
	}
}

func TestRate(t *testing.T) {
	rate := func(count int, per time.Duration, burst int) config.Rate {
		return config.Rate{Rate: limit.Rate{Count: count, Per: per, Burst: burst}}
	}
	for text, want := range map[string]config.Rate{
		"60/minute burst 120":       rate(60, time.Minute, 120),
		"  60/minute   burst 120  ": rate(60, time.Minute, 120),
		"1/second":                  rate(1, time.Second, 1),
		"100/hour":                  rate(100, time.Hour, 100),
		"1/day burst 366":           rate(1, 24*time.Hour, 366),
		"999999/second":             rate(999999, time.Second, 999999),
		"off":                       {Off: true},
	} {
		accepts(t, text, want)
	}
	for _, text := range []string{
		"", "60", "60/minute burst", "60/minute burst x", "60/minute, burst 120", "60/fortnight", "60 / minute", "-1/minute", "1.5/minute", "1000000/minute", "OFF", "none",
	} {
		refuses[config.Rate](t, text, text, `"off"`)
	}
	for _, text := range []string{"0/minute", "0/minute burst 5", "5/minute burst 0"} {
		refuses[config.Rate](t, text, text, "at least 1")
	}
	for _, text := range []string{"1/day burst 367", "1/day burst 999999"} {
		refuses[config.Rate](t, text, text, "within a year")
	}
}

// TestEveryRateIsUsable checks that the limiter accepts every valid rate.
func TestEveryRateIsUsable(t *testing.T) {
	for _, text := range []string{"1/second", "999999/second burst 999999", "1/day burst 366", "1/day", "999999/day burst 1", "1/hour burst 8784"} {
		var r config.Rate
		if err := r.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := limit.New(r.Rate, nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestKeyFile checks that the keys are in the folder of a SQLite database, whatever the working folder.
func TestKeyFile(t *testing.T) {
	for _, x := range []struct {
		database config.Database
		keys     config.Keys
		want     string
	}{
		{"sqlite:foyer.db", "file:foyer.keys", "foyer.keys"},
		{"sqlite:/var/lib/foyer/foyer.db", "file:foyer.keys", "/var/lib/foyer/foyer.keys"},
		{"sqlite:/var/lib/foyer/foyer.db", "", "/var/lib/foyer/foyer.keys"},
		{"sqlite:data/foyer.db", "file:keys/a.keys", "data/keys/a.keys"},
		{"sqlite:/var/lib/foyer/foyer.db", "file:/etc/foyer.keys", "/etc/foyer.keys"},
		{"postgres://db.example.com/foyer", "file:foyer.keys", "foyer.keys"},
		{"postgres://db.example.com/foyer", "file:/etc/foyer.keys", "/etc/foyer.keys"},
	} {
		if got := (config.Data{Database: x.database, Keys: x.keys}).KeyFile(); got != absolute(t, x.want) {
			t.Errorf("%s with %s: %s, want %s", x.database, x.keys, got, x.want)
		}
	}
	for _, text := range []string{"foyer.keys", "file:", "FILE:foyer.keys", "env:FOYER_SECRET", "exec:vault"} {
		refuses[config.Keys](t, text, text, "want file:PATH")
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
