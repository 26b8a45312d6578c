package operator

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/buyer"
)

// TermsInput is what an operator wrote about a buyer's terms, as text. What is nil was not mentioned.
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

// Check looks at each value for itself.
func (d TermsInput) Check(checkURL func(string) error) error {
	_, problems := d.onto(buyer.Terms{}, checkURL)
	return problems.or()
}

// Begin makes the terms of a new buyer.
func (d TermsInput) Begin(checkURL func(string) error) (buyer.Terms, error) {
	return d.Change(buyer.Terms{Priority: buyer.DefaultPriority}, checkURL)
}

// Change makes new terms of those there are, or tells everything that is wrong with them.
func (d TermsInput) Change(t buyer.Terms, checkURL func(string) error) (buyer.Terms, error) {
	t, problems := d.onto(t, checkURL)
	sound(t, &problems)
	return t, problems.or()
}

// onto reads what was mentioned.
func (d TermsInput) onto(t buyer.Terms, checkURL func(string) error) (_ buyer.Terms, problems Problems) {
	for _, wrong := range []*FieldError{
		read("name", d.Name, &t.Name, name),
		read("url", d.URL, &t.URL, address(checkURL)),
		read("services", d.Services, &t.Services, Services),
		read("zips", d.ZIPs, &t.Area.ZIPs, buyer.CleanZIPs),
		read("exclude-zips", d.ExcludeZIPs, &t.Area.Excluded, buyer.CleanZIPs),
		read("states", d.States, &t.Area.States, states),
		read("hours", d.Hours, &t.Hours.Text, hours),
		read("time-zone", d.TimeZone, &t.Hours.Zone, zone),
		read("cap-hour", d.CapHour, &t.Caps.Hour, upTo(maxCap)),
		read("cap-day", d.CapDay, &t.Caps.Day, upTo(maxCap)),
		read("cap-month", d.CapMonth, &t.Caps.Month, upTo(maxCap)),
		read("cap-total", d.CapTotal, &t.Caps.Total, upTo(maxCap)),
		read("priority", d.Priority, &t.Priority, upTo(maxPriority)),
		read("payout", d.Payout, &t.Payout, words),
	} {
		problems.add(wrong)
	}
	set(d.PayoutPublic, &t.PayoutShown)
	set(d.OwnFormOnly, &t.Demands.OwnForm)
	set(d.PlausiblePhonesOnly, &t.Demands.PlausiblePhone)
	set(d.NoDuplicates, &t.Demands.NoDuplicates)
	set(d.StreetRequired, &t.Demands.Street)
	set(d.OneStep, &t.OneStep)
	set(d.AcceptPlain, &t.PlainAccept)
	return t, problems
}

func read[Given, Kept any](term string, given *Given, kept *Kept, parse func(Given) (Kept, error)) *FieldError {
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

func set(given, kept *bool) {
	if given != nil {
		*kept = *given
	}
}

func name(text string) (string, error) {
	text, err := words(text)
	if err == nil && text == "" {
		err = fmt.Errorf("a buyer needs a name: write 1 to %d characters on one line", maxNameLength)
	}
	return text, err
}

func words(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxNameLength || strings.ContainsFunc(text, unseen) {
		return "", fmt.Errorf("%.40q is too long, or not plain text: write at most %d characters on one line", text, maxNameLength)
	}
	return text, nil
}

// unseen says that a character would not be seen, or would turn what stands around it.
func unseen(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// address checks a URL. Only its beginning is repeated: there may be a key in the rest.
func address(check func(string) error) func(string) (string, error) {
	return func(raw string) (string, error) {
		raw = strings.TrimSpace(raw)
		err := check(raw)
		if u, bad := url.Parse(raw); err != nil && bad == nil && u.Host != "" {
			err = fmt.Errorf("%q cannot be used: %w", u.Scheme+"://"+u.Host, err)
		}
		return raw, err
	}
}

func hours(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "always" {
		text = ""
	}
	return text, buyer.Hours{Text: text, Zone: "UTC"}.Check()
}

func zone(text string) (string, error) {
	text = strings.TrimSpace(text)
	return text, buyer.Hours{Zone: text}.Check()
}

func upTo(most int) func(int) (int, error) {
	return func(n int) (int, error) {
		if n < 0 || n > most {
			return 0, fmt.Errorf("%d is out of bounds: write a number from 0 to %d", n, most)
		}
		return n, nil
	}
}
