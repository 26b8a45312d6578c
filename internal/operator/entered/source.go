package entered

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/audit"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
)

// SourceTerms is what an operator entered for a source, as text. Nil fields were not mentioned. The tags make it the flags of
// foyer sources add and edit, and the members of a source in the operator's API.
type SourceTerms struct {
	Cost     *string `placeholder:"AMOUNT" help:"What you pay for each lead, such as 12.50, or none." api:"cents,cost_cents" api-help:"What you pay for each lead, in cents."`
	CapDay   *int    `name:"cap-day" placeholder:"N" help:"How many leads of a day you pay for; 0 for all. Further ones are taken all the same, and cost nothing." api:"number,cap_day,0"`
	CapMonth *int    `name:"cap-month" placeholder:"N" help:"How many leads of a month you pay for." api:"number,cap_month,0"`
	Origins  *string `placeholder:"LIST" help:"The websites that may use the key from their own pages, such as https://partner.example.com, separated by commas, or all. Our own form and programs may always use it." api:"list,origins,all" api-help:"The websites that may use the key from their own pages, such as https://partner.example.com; an empty list for all. Our own form and programs may always use it."`
	Consent  *string `placeholder:"TEXT" help:"The wording beside the consent box for its visitors, 40 to 2000 characters, or none for the usual one." api:"text,consent_text,none" api-help:"The wording beside the consent box for its visitors, 40 to 2000 characters; null for the usual one."`
}

// ApplyTo parses the fields that were mentioned.
func (in SourceTerms) ApplyTo(t source.Terms) (_ source.Terms, problems Problems) {
	ParseField(&problems, "cost", in.Cost, &t.Cost, parseCost)
	ParseField(&problems, "cap-day", in.CapDay, &t.CapDay, parseUpTo(maxCap))
	ParseField(&problems, "cap-month", in.CapMonth, &t.CapMonth, parseUpTo(maxCap))
	ParseField(&problems, "origins", in.Origins, &t.Origins, parseOrigins)
	ParseField(&problems, "consent", in.Consent, &t.Consent, parseWording)
	return t, problems
}

// Check validates each value by itself.
func (in SourceTerms) Check() error {
	_, problems := in.ApplyTo(source.Terms{})
	return problems.OrNil()
}

// parseCost parses what a lead costs. none is nothing.
func parseCost(text string) (buyer.Cents, error) {
	if strings.TrimSpace(text) == "none" {
		return 0, nil
	}
	return parseLimit(text)
}

// maxOrigins bounds how many websites may use a key.
const maxOrigins = 50

func parseOrigins(text string) (origins []string, err error) {
	if strings.TrimSpace(text) == "all" {
		return nil, nil
	}
	for _, part := range SplitList(text) {
		u, err := url.Parse(part)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || strings.ContainsAny(part, "?#") {
			return nil, fmt.Errorf("%.80q is not the origin of a website: write https:// and a host, such as https://partner.example.com, or all", part)
		}
		if strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
			return nil, fmt.Errorf("%.80q has letters that browsers write in another way: open the website and copy its address from the browser, it has xn-- in it", part)
		}
		port := map[string]string{"https": ":443", "http": ":80"}[u.Scheme] // browsers leave it out
		origins = append(origins, u.Scheme+"://"+strings.ToLower(strings.TrimSuffix(u.Host, port)))
	}
	if len(origins) == 0 || len(origins) > maxOrigins {
		return nil, fmt.Errorf("%d origins: write 1 to %d, separated by commas, or all", len(origins), maxOrigins)
	}
	return origins, nil
}

// parseWording cleans a wording.
func parseWording(text string) (string, error) {
	text, ok := lead.CleanConsentText(text)
	switch {
	case text == "none":
		return "", nil
	case !ok || !utf8.ValidString(text) || strings.ContainsFunc(text, IsInvisible):
		return "", fmt.Errorf("it has %d characters, or is not plain text: write %d to %d that say who may contact the person and how, or none",
			utf8.RuneCountInString(text), lead.MinConsentText, lead.MaxConsentText)
	}
	return text, nil
}

// ParseSourceName parses the name of a source. Commands and reports name leads without a source direct.
func ParseSourceName(text string) (string, error) {
	name, err := PlainText(text)
	switch {
	case err != nil:
		return "", err
	case name == "":
		return "", fmt.Errorf("a source needs a name: write 1 to %d characters on one line", MaxNameLength)
	case strings.EqualFold(name, source.Direct):
		return "", errors.New("direct is what leads without a source are called: write another name")
	case strings.HasPrefix(strings.ToLower(name), SourceKeyPrefix):
		return "", fmt.Errorf("%s begins a key: write another name", SourceKeyPrefix)
	}
	return name, nil
}

// SourceKeyPrefix begins the keys of sources.
const SourceKeyPrefix = "src_"

// ChangedSource returns what differs, each with its old and its new value. Names are left out: they may be a person's.
func ChangedSource(before, after source.Source) audit.Detail {
	changed := audit.Detail{}
	b, a := before.Terms, after.Terms
	for _, term := range []struct {
		name     string
		old, new any
	}{
		{"state", before.State, after.State},
		{"hold", b.Hold, a.Hold},
		{"cost_cents", b.Cost, a.Cost},
		{"cap-day", b.CapDay, a.CapDay},
		{"cap-month", b.CapMonth, a.CapMonth},
		{"origins", audit.Text(strings.Join(b.Origins, ",")), audit.Text(strings.Join(a.Origins, ","))},
		{"consent", consentVersion(before), consentVersion(after)},
	} {
		if term.old != term.new {
			changed[term.name] = []any{term.old, term.new}
		}
	}
	if b.Name != a.Name {
		changed["name"] = "changed"
	}
	return changed
}

// consentVersion is the version of the wording that a source has, or "".
func consentVersion(s source.Source) string {
	if s.Terms.Consent == "" {
		return ""
	}
	return s.ConsentShown().Version
}
