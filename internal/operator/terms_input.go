package operator

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/buyer"
)

// TermsInput is what an operator entered for a buyer's terms, as text. Nil fields were not mentioned.
type TermsInput struct {
	Name, URL, Services          *string
	ZIPs, ExcludeZIPs, States    *string
	Hours, TimeZone              *string
	CapHour, CapDay              *int
	CapMonth, CapTotal           *int
	Priority                     *int
	Payout                       *string
	PayoutPublic                 *bool
	OwnFormOnly                  *bool
	PlausiblePhonesOnly          *bool
	NoDuplicates, StreetRequired *bool
	OneStep, AcceptPlain         *bool
}

const (
	maxNameLength = 100
	maxCap        = 1_000_000_000
	maxPriority   = 1_000_000
)

// Check validates each value by itself.
func (in TermsInput) Check(checkURL func(string) error) error {
	_, problems := in.applyTo(buyer.Terms{}, checkURL)
	return problems.orNil()
}

// Begin returns the terms of a new buyer.
func (in TermsInput) Begin(checkURL func(string) error) (buyer.Terms, error) {
	return in.Change(buyer.Terms{Priority: buyer.DefaultPriority}, checkURL)
}

// Change applies the input to existing terms, or returns every problem with the result.
func (in TermsInput) Change(t buyer.Terms, checkURL func(string) error) (buyer.Terms, error) {
	t, problems := in.applyTo(t, checkURL)
	checkTerms(t, &problems)
	return t, problems.orNil()
}

// applyTo parses the fields that were mentioned.
func (in TermsInput) applyTo(t buyer.Terms, checkURL func(string) error) (_ buyer.Terms, problems Problems) {
	for _, wrong := range []*FieldError{
		parseField("name", in.Name, &t.Name, parseName),
		parseField("url", in.URL, &t.URL, parseURL(checkURL)),
		parseField("services", in.Services, &t.Services, Services),
		parseField("zips", in.ZIPs, &t.Area.ZIPs, buyer.CleanZIPs),
		parseField("exclude-zips", in.ExcludeZIPs, &t.Area.Excluded, buyer.CleanZIPs),
		parseField("states", in.States, &t.Area.States, parseStates),
		parseField("hours", in.Hours, &t.Hours.Text, parseHours),
		parseField("time-zone", in.TimeZone, &t.Hours.Zone, parseTimeZone),
		parseField("cap-hour", in.CapHour, &t.Caps.Hour, parseUpTo(maxCap)),
		parseField("cap-day", in.CapDay, &t.Caps.Day, parseUpTo(maxCap)),
		parseField("cap-month", in.CapMonth, &t.Caps.Month, parseUpTo(maxCap)),
		parseField("cap-total", in.CapTotal, &t.Caps.Total, parseUpTo(maxCap)),
		parseField("priority", in.Priority, &t.Priority, parseUpTo(maxPriority)),
		parseField("payout", in.Payout, &t.Payout, plainText),
	} {
		problems.add(wrong)
	}
	setBool(in.PayoutPublic, &t.PayoutShown)
	setBool(in.OwnFormOnly, &t.Demands.OwnForm)
	setBool(in.PlausiblePhonesOnly, &t.Demands.PlausiblePhone)
	setBool(in.NoDuplicates, &t.Demands.NoDuplicates)
	setBool(in.StreetRequired, &t.Demands.Street)
	setBool(in.OneStep, &t.OneStep)
	setBool(in.AcceptPlain, &t.PlainAccept)
	return t, problems
}

func parseField[Given, Kept any](term string, given *Given, kept *Kept, parse func(Given) (Kept, error)) *FieldError {
	if given == nil {
		return nil
	}
	value, err := parse(*given)
	if err != nil {
		return &FieldError{term, err.Error()}
	}
	*kept = value
	return nil
}

func setBool(given, kept *bool) {
	if given != nil {
		*kept = *given
	}
}

func parseName(text string) (string, error) {
	text, err := plainText(text)
	if err == nil && text == "" {
		err = fmt.Errorf("a buyer needs a name: write 1 to %d characters on one line", maxNameLength)
	}
	return text, err
}

func plainText(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxNameLength || strings.ContainsFunc(text, isInvisible) {
		return "", fmt.Errorf("%.40q is too long, or not plain text: write at most %d characters on one line", text, maxNameLength)
	}
	return text, nil
}

// isInvisible reports whether a character is invisible or changes the direction of the text around it.
func isInvisible(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// parseURL checks a URL. The error repeats only scheme and host: the rest may contain a key.
func parseURL(check func(string) error) func(string) (string, error) {
	return func(raw string) (string, error) {
		raw = strings.TrimSpace(raw)
		err := check(raw)
		if u, bad := url.Parse(raw); err != nil && bad == nil && u.Host != "" {
			err = fmt.Errorf("%q cannot be used: %w", u.Scheme+"://"+u.Host, err)
		}
		return raw, err
	}
}

func parseHours(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "always" {
		text = ""
	}
	return text, buyer.Hours{Text: text, Zone: "UTC"}.Check()
}

func parseTimeZone(text string) (string, error) {
	text = strings.TrimSpace(text)
	return text, buyer.Hours{Zone: text}.Check()
}

func parseUpTo(limit int) func(int) (int, error) {
	return func(n int) (int, error) {
		if n < 0 || n > limit {
			return 0, fmt.Errorf("%d is out of bounds: write a number from 0 to %d", n, limit)
		}
		return n, nil
	}
}
