package entered

import (
	"fmt"
	"net/url"
	"strings"

	"foyer/internal/buyer"
)

// Terms is what an operator entered for a buyer's terms, as text. Nil fields were not mentioned. The tags make it the flags of
// foyer buyers add and edit, and the members of a buyer in the operator's API: api is the kind of a member, its name if that is not the
// flag's, and what null or an empty list stands for.
type Terms struct {
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

// BuyerIDPrefix begins the ids of buyers.
const BuyerIDPrefix = "buyer_"

// Check validates each value by itself.
func (in Terms) Check(checkURL func(string) error) error {
	_, problems := in.applyTo(buyer.Terms{}, checkURL)
	return problems.OrNil()
}

// Begin returns the terms of a new buyer.
func (in Terms) Begin(checkURL func(string) error) (buyer.Terms, error) {
	return in.Change(buyer.Terms{Priority: buyer.DefaultPriority}, checkURL)
}

// Change applies the input to existing terms, or returns every problem with the result.
func (in Terms) Change(t buyer.Terms, checkURL func(string) error) (buyer.Terms, error) {
	t, problems := in.applyTo(t, checkURL)
	CheckTerms(t, &problems)
	return t, problems.OrNil()
}

// applyTo parses the fields that were mentioned.
func (in Terms) applyTo(t buyer.Terms, checkURL func(string) error) (_ buyer.Terms, problems Problems) {
	ParseField(&problems, "name", in.Name, &t.Name, parseName)
	ParseField(&problems, "url", in.URL, &t.URL, ParseURL(checkURL))
	ParseField(&problems, "services", in.Services, &t.Services, Services)
	ParseField(&problems, "zips", in.ZIPs, &t.Area.ZIPs, buyer.CleanZIPs)
	ParseField(&problems, "exclude-zips", in.ExcludeZIPs, &t.Area.Excluded, buyer.CleanZIPs)
	ParseField(&problems, "states", in.States, &t.Area.States, parseStates)
	ParseField(&problems, "hours", in.Hours, &t.Hours.Text, parseHours)
	ParseField(&problems, "time-zone", in.TimeZone, &t.Hours.Zone, parseTimeZone)
	ParseField(&problems, "cap-hour", in.CapHour, &t.Caps.Hour, parseUpTo(maxCap))
	ParseField(&problems, "cap-day", in.CapDay, &t.Caps.Day, parseUpTo(maxCap))
	ParseField(&problems, "cap-month", in.CapMonth, &t.Caps.Month, parseUpTo(maxCap))
	ParseField(&problems, "cap-total", in.CapTotal, &t.Caps.Total, parseUpTo(maxCap))
	ParseField(&problems, "money-cap-day", in.MoneyCapDay, &t.Caps.MoneyDay, parseMoneyCap)
	ParseField(&problems, "money-cap-month", in.MoneyCapMonth, &t.Caps.MoneyMonth, parseMoneyCap)
	ParseField(&problems, "price", in.Price, &t.Prices, parsePrices(t.Services))
	ParseField(&problems, "credit-limit", in.CreditLimit, &t.CreditLimit, parseCreditLimit)
	ParseField(&problems, "return-days", in.ReturnDays, &t.Returns.Days, parseReturnDays)
	ParseField(&problems, "approve-returns", in.ApproveReturns, &t.Returns.Approve, parseReturnCodes)
	ParseField(&problems, "deny-returns", in.DenyReturns, &t.Returns.Deny, parseReturnCodes)
	ParseField(&problems, "priority", in.Priority, &t.Priority, parseUpTo(MaxPriority))
	ParseField(&problems, "max-in-flight", in.MaxInFlight, &t.MaxInFlight, parseInFlight)
	ParseField(&problems, "payout", in.Payout, &t.Payout, PlainText)
	SetBool(in.PayoutPublic, &t.PayoutShown)
	SetBool(in.OwnFormOnly, &t.Demands.OwnForm)
	SetBool(in.PlausiblePhonesOnly, &t.Demands.PlausiblePhone)
	SetBool(in.NoDuplicates, &t.Demands.NoDuplicates)
	SetBool(in.StreetRequired, &t.Demands.Street)
	SetBool(in.OneStep, &t.OneStep)
	SetBool(in.AcceptPlain, &t.PlainAccept)
	return t, problems
}

func parseInFlight(n int) (int, error) {
	if n < 1 || n > maxInFlight {
		return 0, fmt.Errorf("%d is not possible: write a number from 1 to %d", n, maxInFlight)
	}
	return n, nil
}

func parseName(text string) (string, error) {
	text, err := PlainText(text)
	if err == nil && text == "" {
		err = fmt.Errorf("a buyer needs a name: write 1 to %d characters on one line", MaxNameLength)
	}
	if strings.HasPrefix(strings.ToLower(text), BuyerIDPrefix) {
		err = fmt.Errorf("%s begins an id: write another name", BuyerIDPrefix)
	}
	return text, err
}

// ParseURL checks a URL. The error repeats only scheme and host: the rest may contain a key.
func ParseURL(check func(string) error) func(string) (string, error) {
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
