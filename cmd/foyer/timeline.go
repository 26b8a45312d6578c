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
	passed   [][]buyer.PassedOver // at each change
}

func readTimeline(ctx context.Context, reader *store.Reader, l lead.Lead) (timeline, error) {
	changes, err := reader.History(ctx, l.ID)
	offers, offersErr := reader.Offered(ctx, l.ID)
	attempts, attemptsErr := reader.Attempts(ctx, l.ID)
	passed, passedErr := reader.PassedOver(ctx, l.ID)
	return timeline{l, changes, offers, attempts, passed}, errors.Join(err, offersErr, attemptsErr, passedErr)
}

// event is one line of a timeline.
type event struct {
	at    time.Time
	place int // among events of the same moment
	what  string
	text  string
	more  []string // further lines, where there is something to quote
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

// events are what happened, oldest first. The lines of the history stay in their order, even if a clock was set back between
// two of them.
func (t timeline) events() []event {
	all := []event{{t.lead.CreatedAt, placeBegin, "arrived", viaDoor(t.lead.Evidence.Door), nil}}
	before, last := lead.Status(""), t.lead.CreatedAt
	for i, c := range t.changes {
		if c.At.After(last) {
			last = c.At
		}
		e := changeEvent(c, before)
		if e.at = last; i < len(t.passed) {
			e.more = passedLines(t.passed[i])
		}
		all, before = append(all, e), c.Status
	}
	for _, o := range t.offers {
		all = append(all, event{o.At, placeOffer, "offer", offerLine(o), passedLines(o.PassedOver)})
		if !o.ReturnedAt.IsZero() {
			all = append(all, event{o.ReturnedAt, placeReturn, "returned", o.ID + " by " + buyerOf(o) + ": " + oneLine(o.Reason), nil})
		}
	}
	for _, a := range t.attempts {
		all = append(all, event{a.At, placeAttempt, "attempt", attemptLine(a), quotedLines(a.Answer)})
	}
	slices.SortStableFunc(all[1:], func(a, b event) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.place, b.place)) })
	return all
}

// viaDoor says how a lead came.
func viaDoor(d lead.Door) string {
	return map[lead.Door]string{lead.DoorJSON: "via JSON API", lead.DoorForm: "via web form", lead.DoorMCP: "via MCP tool"}[d]
}

// changeEvent tells a change of status, or what else was done to a lead that stayed as it was.
func changeEvent(c lead.Change, before lead.Status) event {
	place, by := placeEnd, " (by the "+c.Actor+")"
	if c.Status == lead.Received {
		place = placeBegin
	}
	reason := oneLine(c.Reason)
	erased := strings.HasPrefix(c.Reason, detailsErased)
	switch {
	case erased && c.Status == before:
		return event{c.At, place, "erased", fmt.Sprintf("%s%s; the lead stays %s", reason, by, inStatus(c.Status)), nil}
	case erased:
		return event{c.At, place, "erased", fmt.Sprintf("%s%s; the lead is now %s", reason, by, inStatus(c.Status)), nil}
	case c.Status == before:
		return event{c.At, place, "note", reason + by, nil}
	}
	return event{c.At, place, "status", fmt.Sprintf("%s: %s%s", inStatus(c.Status), reason, by), nil}
}

// inStatus is a status as people read it: a lead is not error, it is in error.
func inStatus(s lead.Status) string {
	if s == lead.Errored {
		return "in error"
	}
	return string(s)
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
		line += ", buyer's reference: " + oneLine(o.Ref)
	}
	if o.LeadID != "" {
		line += ", buyer's lead id: " + o.LeadID
	}
	return line
}

func buyerOf(o store.Offered) string {
	name := cmp.Or(oneLine(o.BuyerName), "removed")
	if o.Removed {
		name += ", removed"
	}
	return o.Buyer + " (" + name + ")"
}

// passedLines name the buyers that were passed over, and why.
func passedLines(list []buyer.PassedOver) (lines []string) {
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("passed over: %s (%s), %s: %s", p.Buyer, cmp.Or(oneLine(p.Name), "removed"), oneLine(p.Rule), oneLine(p.Reason)))
	}
	return lines
}

// attemptLine tells a try to send a message. How long one took that was interrupted, nobody knows.
func attemptLine(a buyer.Attempt) string {
	line := fmt.Sprintf("%s of %s", a.Kind, a.Offer)
	if a.URL != "" {
		line += ", sent to " + oneLine(a.URL)
	}
	if a.Decision == buyer.Unknown {
		return line + ", interrupted: it may have been sent, and no answer was noted"
	}
	outcome := oneLine(a.Failure)
	if a.Status != 0 {
		outcome = strings.TrimSpace(fmt.Sprint("answered ", a.Status, " ", outcome))
	}
	return fmt.Sprintf("%s, took %s: %s, %s", line, lasted(a.Took), outcome, oneLine(a.Decision))
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

// quotedLines is the first part of an answer, where there is one.
func quotedLines(answer string) []string {
	if text := firstPart(answer); text != "" {
		return []string{text}
	}
	return nil
}

func printTimeline(w io.Writer, t timeline) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nTIME\tWHAT\tDETAILS")
	for _, e := range t.events() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", e.at.UTC().Format(exactly)+local(e.at), e.what, e.text)
		for _, line := range e.more {
			fmt.Fprintf(table, "\t\t%s\n", line)
		}
	}
	return table.Flush()
}

// members are the same for programs, with all that is kept.
func (t timeline) members() wire.Object {
	history, offers, attempts := []wire.Object{}, []wire.Object{}, []wire.Object{}
	for i, c := range t.changes {
		var passed []buyer.PassedOver
		if i < len(t.passed) {
			passed = t.passed[i]
		}
		history = append(history, wire.Object{{"at", c.At}, {"status", c.Status}, {"actor", c.Actor}, {"reason", c.Reason}, {"passed_over", passedObjects(passed)}})
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
			{"buyer_lead_id", orNull(o.LeadID)},
			{"returned_at", orNever(o.ReturnedAt)},
			{"returned_reason", orNull(o.Reason)},
			{"passed_over", passedObjects(o.PassedOver)},
		})
	}
	for _, a := range t.attempts {
		attempts = append(attempts, wire.Object{
			{"offer_id", a.Offer},
			{"kind", a.Kind},
			{"url", orNull(a.URL)},
			{"at", a.At},
			{"took_ms", tookOf(a)},
			{"status", orNull(a.Status)},
			{"failure", orNull(a.Failure)},
			{"decision", a.Decision},
			{"answer", orNull(a.Answer)},
		})
	}
	return wire.Object{{"history", history}, {"offers", offers}, {"attempts", attempts}}
}

// tookOf is how long an attempt took, in milliseconds, or nil for one that was interrupted.
func tookOf(a buyer.Attempt) *float64 {
	if a.Decision == buyer.Unknown {
		return nil
	}
	took := float64(a.Took.Microseconds()) / 1000
	return &took
}

// passedObjects are who was passed over, for programs.
func passedObjects(list []buyer.PassedOver) []wire.Object {
	objects := []wire.Object{}
	for _, p := range list {
		objects = append(objects, wire.Object{{"buyer_id", p.Buyer}, {"name", p.Name}, {"rule", p.Rule}, {"reason", p.Reason}})
	}
	return objects
}
