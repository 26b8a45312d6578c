package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// timeline is everything that happened to a lead.
type timeline struct {
	lead     lead.Lead
	changes  []lead.Change
	offers   []store.Offered
	attempts []buyer.Attempt
}

func readTimeline(ctx context.Context, reader *store.Reader, l lead.Lead) (timeline, error) {
	changes, err := reader.History(ctx, l.ID)
	offers, offersErr := reader.Offered(ctx, l.ID)
	attempts, attemptsErr := reader.Attempts(ctx, l.ID)
	return timeline{l, changes, offers, attempts}, errors.Join(err, offersErr, attemptsErr)
}

// event is one line of a timeline.
type event struct {
	at    time.Time
	place int // among events of the same moment
	what  string
	text  string
	more  string // a second line, where there is something to quote
}

// Where an event stands among those of the same moment: a lead is received before it is offered, and goes on after an
// answer.
const (
	placeBegin = iota
	placeOffer
	placeAttempt
	placeEnd
	placeReturn
)

// events are what happened, oldest first.
func (t timeline) events() []event {
	all := []event{{t.lead.CreatedAt, placeBegin, "taken in", "by the door " + string(t.lead.Evidence.Door), ""}}
	for _, c := range t.changes {
		place := placeEnd
		if c.Status == lead.Received {
			place = placeBegin
		}
		all = append(all, event{c.At, place, "status", fmt.Sprintf("%s by %s: %s", c.Status, c.Actor, oneLine(c.Reason)), ""})
	}
	for _, o := range t.offers {
		all = append(all, event{o.At, placeOffer, "offer", offerLine(o), ""})
		if !o.ReturnedAt.IsZero() {
			all = append(all, event{o.ReturnedAt, placeReturn, "returned", o.ID + " by " + buyerOf(o) + ": " + oneLine(o.Reason), ""})
		}
	}
	for _, a := range t.attempts {
		all = append(all, event{a.At, placeAttempt, "attempt", attemptLine(a), firstPart(a.Answer)})
	}
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.place, b.place)) })
	return all
}

func offerLine(o store.Offered) string {
	line := o.ID + " to " + buyerOf(o)
	if o.OneStep {
		line += ", in one step"
	}
	line += ": " + string(o.State)
	if o.Code != "" {
		line += " (" + string(o.Code) + ")"
	}
	if o.Ref != "" {
		line += ", there known as " + oneLine(o.Ref)
	}
	return line
}

func buyerOf(o store.Offered) string {
	return o.Buyer + " (" + cmp.Or(oneLine(o.BuyerName), "removed") + ")"
}

func attemptLine(a buyer.Attempt) string {
	outcome := oneLine(a.Failure)
	if a.Status != 0 {
		outcome = strings.TrimSpace(fmt.Sprint("answered ", a.Status, " ", outcome))
	}
	return fmt.Sprintf("%s of %s, %v: %s, %s", a.Kind, a.Offer, a.Took.Round(time.Millisecond), outcome, oneLine(a.Decision))
}

// mostShown is how much of an answer a line shows; --json has all that is kept.
const mostShown = 160

func firstPart(answer string) string {
	text := []rune(oneLine(answer))
	if len(text) > mostShown {
		return strings.TrimSpace(string(text[:mostShown])) + "…"
	}
	return string(text)
}

// oneLine makes a text from outside fit for a terminal: buyers write what they like, control codes too.
func oneLine(text string) string {
	printable := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, text)
	return strings.Join(strings.Fields(printable), " ")
}

// exactly is RFC 3339 in UTC, in a width that keeps columns straight.
const exactly = "2006-01-02T15:04:05.000Z"

func printTimeline(w io.Writer, t timeline) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nTIME\tWHAT\tDETAILS")
	for _, e := range t.events() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", e.at.UTC().Format(exactly), e.what, e.text)
		if e.more != "" {
			fmt.Fprintf(table, "\t\t%s\n", e.more)
		}
	}
	return table.Flush()
}

// members are the same for programs, with all that is kept.
func (t timeline) members() wire.Object {
	history, offers, attempts := []wire.Object{}, []wire.Object{}, []wire.Object{}
	for _, c := range t.changes {
		history = append(history, wire.Object{{"at", c.At}, {"status", c.Status}, {"actor", c.Actor}, {"reason", c.Reason}})
	}
	for _, o := range t.offers {
		offers = append(offers, wire.Object{
			{"offer_id", o.ID},
			{"buyer_id", o.Buyer},
			{"buyer_name", orNull(o.BuyerName)},
			{"at", o.At},
			{"one_step", o.OneStep},
			{"state", o.State},
			{"code", orNull(o.Code)},
			{"buyer_ref", orNull(o.Ref)},
			{"returned_at", orNever(o.ReturnedAt)},
			{"returned_reason", orNull(o.Reason)},
		})
	}
	for _, a := range t.attempts {
		attempts = append(attempts, wire.Object{
			{"offer_id", a.Offer},
			{"kind", a.Kind},
			{"at", a.At},
			{"took_ms", float64(a.Took.Microseconds()) / 1000},
			{"status", orNull(a.Status)},
			{"failure", orNull(a.Failure)},
			{"decision", a.Decision},
			{"answer", orNull(a.Answer)},
		})
	}
	return wire.Object{{"history", history}, {"offers", offers}, {"attempts", attempts}}
}
