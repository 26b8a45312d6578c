package webhook_test

import (
	"net/http"
	"testing"
	"time"

	"foyer/internal/webhook"
)

func TestRetryAfter(t *testing.T) {
	const day = 24 * time.Hour
	date := func(d time.Duration, layout string) string { return now.Add(d).UTC().Format(layout) }
	for header, want := range map[string]time.Duration{
		"":                                     0,
		"0":                                    0,
		"1":                                    time.Second,
		"120":                                  2 * time.Minute,
		"0120":                                 2 * time.Minute,
		"86400":                                day,
		"86401":                                day,
		"4294967296":                           day,
		"99999999999999999999999":              day,
		"-1":                                   0,
		"+1":                                   0,
		"1.5":                                  0,
		"1e3":                                  0,
		"0x10":                                 0,
		"1_000":                                0,
		"soon":                                 0,
		"10 seconds":                           0,
		date(time.Minute, http.TimeFormat):     time.Minute,
		date(time.Minute, time.ANSIC):          time.Minute,
		date(-time.Minute, http.TimeFormat):    0,
		date(0, http.TimeFormat):               0,
		date(48*time.Hour, http.TimeFormat):    day,
		"Fri, 31 Dec 9999 23:59:59 GMT":        day,
		"Thu, 01 Jan 0001 00:00:00 GMT":        0,
		date(time.Minute, time.RFC3339):        0,
		"Thu, 32 Feb 2021 15:03:10 GMT":        0,
		date(time.Minute, http.TimeFormat)[5:]: 0,
	} {
		if got := webhook.RetryAfter(header, now); got != want {
			t.Errorf("%q: got %s, want %s", header, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "120", "-1", "18446744073709551616", now.UTC().Format(http.TimeFormat)} {
		f.Add(seed, now.Unix())
	}
	f.Fuzz(func(t *testing.T, header string, at int64) {
		if got := webhook.RetryAfter(header, time.Unix(at, 0)); got < 0 || got > 24*time.Hour {
			t.Errorf("%q: got %s", header, got)
		}
	})
}
