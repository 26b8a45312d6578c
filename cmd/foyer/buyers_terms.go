package main

import (
	"errors"
	"fmt"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/desk"
	"foyer/internal/webhook"
)

// terms are the flags that describe a buyer. They are a desk.Draft, field by field.
type terms struct {
	Name                *string `placeholder:"TEXT" help:"What you call it. The public never sees it."`
	URL                 *string `name:"url" placeholder:"URL" help:"Its address, with https."`
	Services            *string `placeholder:"LIST" help:"Services it takes, separated by commas, or all."`
	ZIPs                *string `name:"zips" placeholder:"LIST" help:"ZIP codes it covers: 33139, 331* or *, separated by commas. Default: everywhere."`
	ExcludeZIPs         *string `name:"exclude-zips" placeholder:"LIST" help:"ZIP codes it does not cover, written alike."`
	States              *string `placeholder:"LIST" help:"States it covers, such as FL,GA: only ZIP codes there count."`
	Hours               *string `placeholder:"TEXT" help:"When it takes leads: 'mon-fri 08:00-18:00, sat 09:00-13:00'. Default: always."`
	TimeZone            *string `name:"time-zone" placeholder:"ZONE" help:"Time zone of its hours, days and months, such as America/New_York. Needed with --hours. Without it, days and months are counted in UTC."`
	CapHour             *int    `name:"cap-hour" placeholder:"N" help:"Most leads in an hour; 0 for no cap."`
	CapDay              *int    `name:"cap-day" placeholder:"N" help:"Most leads in a day."`
	CapMonth            *int    `name:"cap-month" placeholder:"N" help:"Most leads in a month."`
	CapTotal            *int    `name:"cap-total" placeholder:"N" help:"Most leads ever."`
	Priority            *int    `placeholder:"N" help:"Lower is asked first. Default: 100."`
	Payout              *string `placeholder:"TEXT" help:"What it pays, as a hint."`
	PayoutPublic        *bool   `name:"payout-public" negatable:"" help:"Show the hint to whoever sends a request."`
	OwnFormOnly         *bool   `name:"own-form-only" negatable:"" help:"Only leads from our own form, which showed the consent text."`
	PlausiblePhonesOnly *bool   `name:"plausible-phones-only" negatable:"" help:"Only phone numbers that can exist."`
	NoDuplicates        *bool   `name:"no-duplicates" negatable:"duplicates" help:"No second request of a person for the same work."`
	StreetRequired      *bool   `name:"street-required" negatable:"" help:"Only leads with a street address."`
	OneStep             *bool   `name:"one-step" negatable:"" help:"Send the contact at once: the answer is the decision."`
	AcceptPlain         *bool   `name:"accept-plain" negatable:"" help:"Any 2xx accepts, also without a decision. Only with --one-step."`
}

type buyersAdd struct {
	operated
	config.Network
	terms
	Secret string `placeholder:"SECRET" help:"A secret of its own, whsec_ and base64. Default: a new one."`
	Paused bool   `help:"Do not ask it until it is resumed."`
}

// AfterApply stops before anything is opened where something was typed wrong.
func (c *buyersAdd) AfterApply() error {
	if _, err := desk.Draft(c.terms).Begin(app.BuyerURL(c.AllowPrivate)); err != nil {
		return flagged(err)
	}
	return checkSecret(c.Secret)
}

type buyersEdit struct {
	oneBuyer
	config.Network
	terms
}

// AfterApply looks at each value on its own; whether they go with the buyer's other terms is seen later.
func (c *buyersEdit) AfterApply() error {
	if c.terms == (terms{}) {
		return errors.New("nothing is to be changed: name what shall be different, as in --priority 10")
	}
	return flagged(desk.Draft(c.terms).Check(app.BuyerURL(c.AllowPrivate)))
}

// checkSecret looks at a secret that was brought along, if one was.
func checkSecret(own string) error {
	if own == "" {
		return nil
	}
	if err := webhook.CheckSecret(own); err != nil {
		return fmt.Errorf("--secret: %w", err)
	}
	return nil
}
