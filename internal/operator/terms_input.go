package operator

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/buyer"
)

// TermsInput is what an operator entered for a buyer's terms, as text. Nil fields were not mentioned. The tags make it the flags of
// foyer buyers add and edit, and the members of a buyer in the operator's API: api is the kind of a member, its name if that is not the
// flag's, and what null or an empty list stands for.
type TermsInput struct {
	Name                *string `placeholder:"TEXT" help:"What you call the buyer. Never shown to the public."`
	URL                 *string `name:"url" placeholder:"URL" help:"Its endpoint, an https address."`
	Services            *string `placeholder:"LIST" help:"Services it takes, separated by commas, or all." api:"list"`
	ZIPs                *string `name:"zips" placeholder:"LIST" help:"ZIP codes it covers: 33139, 331* or *, separated by commas. Default: everywhere." api:"list"`
	ExcludeZIPs         *string `name:"exclude-zips" placeholder:"LIST" help:"ZIP codes it does not cover, in the same form." api:"list"`
	States              *string `placeholder:"LIST" help:"States it covers, such as FL, GA or Florida. Only ZIP codes in these states count." api:"list"`
	Hours               *string `placeholder:"TEXT" help:"When it takes leads: 'mon-fri 08:00-18:00, sat 09:00-13:00'. Default: always."`
	TimeZone            *string `name:"time-zone" placeholder:"ZONE" help:"Time zone of its hours, days and months, such as America/New_York. Required with --hours. Default: UTC."`
	CapHour             *int    `name:"cap-hour" placeholder:"N" help:"Maximum leads per hour; 0 for no cap." api:"number,caps.hour,0"`
	CapDay              *int    `name:"cap-day" placeholder:"N" help:"Maximum leads per day." api:"number,caps.day,0"`
	CapMonth            *int    `name:"cap-month" placeholder:"N" help:"Maximum leads per month." api:"number,caps.month,0"`
	CapTotal            *int    `name:"cap-total" placeholder:"N" help:"Maximum leads in total." api:"number,caps.total,0"`
	MoneyCapDay         *string `name:"money-cap-day" placeholder:"AMOUNT" help:"Maximum money per day, such as 500.00, or none." api:"cents,caps.money_day_cents" api-help:"Maximum money per day, in cents; 0 or null for no cap."`
	MoneyCapMonth       *string `name:"money-cap-month" placeholder:"AMOUNT" help:"Maximum money per month." api:"cents,caps.money_month_cents" api-help:"Maximum money per month, in cents; 0 or null for no cap."`
	Price               *string `placeholder:"LIST" help:"What it pays for a lead: 45.00 for every service that it takes, or hvac=45.00,handyman=20.00, or none. Sent with each offer." api:"prices,price_cents" api-help:"What it pays for a lead of each service that it takes, in cents; one number for all of them; null for no prices. Sent with each offer."`
	CreditLimit         *string `name:"credit-limit" placeholder:"AMOUNT" help:"How much it may owe: 0 if it pays in advance, none for no limit. Default: none." api:"cents,credit_limit_cents" api-help:"How much it may owe, in cents: 0 if it pays in advance, null for no limit."`
	ReturnDays          *int    `name:"return-days" placeholder:"N" help:"Days after its delivery in which a lead can be returned, 1 to 90. Default: 7." api:"number,return_days,7"`
	ApproveReturns      *string `name:"approve-returns" placeholder:"LIST" help:"Codes of returns that are approved without a look: bad_contact, duplicate, out_of_area, service_not_offered, consent, other; or none." api:"list,approve_returns,none" api-help:"Codes of returns that are approved without a look: bad_contact, duplicate, out_of_area, service_not_offered, consent, other."`
	DenyReturns         *string `name:"deny-returns" placeholder:"LIST" help:"Codes of returns that are denied without a look. All others wait for you." api:"list,deny_returns,none" api-help:"Codes of returns that are denied without a look. All others wait for a decision."`
	Priority            *int    `placeholder:"N" help:"Lower numbers are asked first. Default: 100." api:"number,priority,100"`
	Payout              *string `placeholder:"TEXT" help:"What it pays, as free text for the public."`
	PayoutPublic        *bool   `name:"payout-public" negatable:"" help:"Show the payout to the sender of a request."`
	OwnFormOnly         *bool   `name:"own-form-only" negatable:"" help:"Only leads from our own form, which showed the consent text."`
	PlausiblePhonesOnly *bool   `name:"plausible-phones-only" negatable:"" help:"Only plausible phone numbers."`
	NoDuplicates        *bool   `name:"no-duplicates" negatable:"duplicates" help:"No repeat requests by the same person for the same work."`
	StreetRequired      *bool   `name:"street-required" negatable:"" help:"Only leads with a street address."`
	MaxInFlight         *int    `name:"max-in-flight" placeholder:"N" help:"Messages at the same time from each process, 1 to 256. Default: 8." api:"number,max_in_flight,8"`
	OneStep             *bool   `name:"one-step" negatable:"" help:"Send the contact right away; the answer is the decision."`
	AcceptPlain         *bool   `name:"accept-plain" negatable:"" help:"Any 2xx accepts, even without a decision. Only with --one-step."`
}

// buyerPrefix begins the ids of buyers.
const buyerPrefix = "buyer_"

const (
	maxNameLength = 100
	maxCap        = 1_000_000_000
	maxPriority   = 1_000_000
	maxInFlight   = 256
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
	parseField(&problems, "name", in.Name, &t.Name, parseName)
	parseField(&problems, "url", in.URL, &t.URL, parseURL(checkURL))
	parseField(&problems, "services", in.Services, &t.Services, Services)
	parseField(&problems, "zips", in.ZIPs, &t.Area.ZIPs, buyer.CleanZIPs)
	parseField(&problems, "exclude-zips", in.ExcludeZIPs, &t.Area.Excluded, buyer.CleanZIPs)
	parseField(&problems, "states", in.States, &t.Area.States, parseStates)
	parseField(&problems, "hours", in.Hours, &t.Hours.Text, parseHours)
	parseField(&problems, "time-zone", in.TimeZone, &t.Hours.Zone, parseTimeZone)
	parseField(&problems, "cap-hour", in.CapHour, &t.Caps.Hour, parseUpTo(maxCap))
	parseField(&problems, "cap-day", in.CapDay, &t.Caps.Day, parseUpTo(maxCap))
	parseField(&problems, "cap-month", in.CapMonth, &t.Caps.Month, parseUpTo(maxCap))
	parseField(&problems, "cap-total", in.CapTotal, &t.Caps.Total, parseUpTo(maxCap))
	parseField(&problems, "money-cap-day", in.MoneyCapDay, &t.Caps.MoneyDay, parseMoneyCap)
	parseField(&problems, "money-cap-month", in.MoneyCapMonth, &t.Caps.MoneyMonth, parseMoneyCap)
	parseField(&problems, "price", in.Price, &t.Prices, parsePrices(t.Services))
	parseField(&problems, "credit-limit", in.CreditLimit, &t.CreditLimit, parseCreditLimit)
	parseField(&problems, "return-days", in.ReturnDays, &t.Returns.Days, parseReturnDays)
	parseField(&problems, "approve-returns", in.ApproveReturns, &t.Returns.Approve, parseReturnCodes)
	parseField(&problems, "deny-returns", in.DenyReturns, &t.Returns.Deny, parseReturnCodes)
	parseField(&problems, "priority", in.Priority, &t.Priority, parseUpTo(maxPriority))
	parseField(&problems, "max-in-flight", in.MaxInFlight, &t.MaxInFlight, parseInFlight)
	parseField(&problems, "payout", in.Payout, &t.Payout, plainText)
	setBool(in.PayoutPublic, &t.PayoutShown)
	setBool(in.OwnFormOnly, &t.Demands.OwnForm)
	setBool(in.PlausiblePhonesOnly, &t.Demands.PlausiblePhone)
	setBool(in.NoDuplicates, &t.Demands.NoDuplicates)
	setBool(in.StreetRequired, &t.Demands.Street)
	setBool(in.OneStep, &t.OneStep)
	setBool(in.AcceptPlain, &t.PlainAccept)
	return t, problems
}

// parseField parses a value that was mentioned, and keeps it if it can be used.
func parseField[Given, Kept any](problems *Problems, term string, given *Given, kept *Kept, parse func(Given) (Kept, error)) {
	if given == nil {
		return
	}
	value, err := parse(*given)
	if err != nil {
		problems.add(FieldError{term, err.Error()})
		return
	}
	*kept = value
}

func setBool(given, kept *bool) {
	if given != nil {
		*kept = *given
	}
}

func parseInFlight(n int) (int, error) {
	if n < 1 || n > maxInFlight {
		return 0, fmt.Errorf("%d is not possible: write a number from 1 to %d", n, maxInFlight)
	}
	return n, nil
}

func parseName(text string) (string, error) {
	text, err := plainText(text)
	if err == nil && text == "" {
		err = fmt.Errorf("a buyer needs a name: write 1 to %d characters on one line", maxNameLength)
	}
	if strings.HasPrefix(strings.ToLower(text), buyerPrefix) {
		err = fmt.Errorf("%s begins an id: write another name", buyerPrefix)
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

// FieldError is a term that cannot be used, with one line that says what was given and what is accepted. Term is the name of its
// flag, or empty when several terms conflict.
type FieldError struct{ Term, Text string }

// Problems is everything wrong with an operator's input, in the order of the fields.
type Problems []FieldError

// Error names the flag of each problem, and lists several problems on lines of their own.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, fe := range p {
		if lines[i] = fe.Text; fe.Term != "" {
			lines[i] = "--" + fe.Term + ": " + fe.Text
		}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%d problems:\n  %s", len(lines), strings.Join(lines, "\n  "))
}

// add appends a problem, unless its term, or one of the terms in but, already has one: errors that follow from another
// error help no one.
func (p *Problems) add(fe FieldError, but ...string) {
	if !slices.ContainsFunc(*p, func(known FieldError) bool { return known.Term == fe.Term || slices.Contains(but, known.Term) }) {
		*p = append(*p, fe)
	}
}

// orNil returns nil when there are no problems.
func (p Problems) orNil() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// maxQuoted bounds how many bad words of one list an error repeats.
const maxQuoted = 5

// quoteList quotes the first bad words of a list, and says how many more there are.
func quoteList(wrong []string, one, many string) string {
	if len(wrong) == 1 {
		return fmt.Sprintf("%q %s", wrong[0], one)
	}
	var list []string
	for _, word := range wrong[:min(len(wrong), maxQuoted)] {
		list = append(list, fmt.Sprintf("%q", word))
	}
	if more := len(wrong) - maxQuoted; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ") + " " + many
}
