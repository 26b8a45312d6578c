package page

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/terminal"
)

// Timeline is what happened to a lead.
type Timeline []Event

func (Timeline) template() string { return "timeline" }

// Event is one thing that happened, in words.
type Event struct {
	At               time.Time
	What, Text, Tone string
	Lead             *Link // in a list about many leads
	More             []string
	Sent, Answer     string
}

// TimelineOf is what happened to a lead, with the names of the buyers.
func TimelineOf(d report.LeadDetail) (t Timeline) {
	var names []string // of buyers, instead of their ids
	for _, ev := range d.Events() {
		if o := ev.Offer; o != nil && o.BuyerName != "" {
			names = append(names, o.Buyer, Short(o.BuyerName))
		}
	}
	for _, ev := range d.Events() {
		ev.Text = strings.NewReplacer(names...).Replace(ev.Text)
		if ev.Change != nil {
			change := *ev.Change
			change.Reason = strings.NewReplacer(names...).Replace(change.Reason)
			ev.Change = &change
		}
		t = append(t, EventOf(ev))
	}
	return t
}

// EventOf says in words what happened. What programs want to know stands below them.
func EventOf(ev report.Event) Event {
	e := Event{At: ev.At, What: strings.ToUpper(ev.What[:1]) + ev.What[1:], Text: ShortIDs(ev.Text), Sent: terminal.Escape(ev.Sent), Answer: terminal.Escape(ev.Answer)}
	for _, line := range ev.Passed {
		e.More = append(e.More, InWords(ShortIDs(line)))
	}
	name := "a buyer"
	if ev.Offer != nil {
		name = Short(cmp.Or(ev.Offer.BuyerName, ev.Offer.Buyer))
	}
	switch {
	case ev.Attempt != nil:
		e.What, e.Tone = attemptWords(name, *ev.Attempt)
		e.Text, e.More = "", append(e.More, InWords(ShortIDs(ev.Text)))
	case ev.What == "arrived":
		e.What = "The request arrived"
	case ev.What == "offer":
		e.What, e.Text = "Offered to "+name, ""
		if ev.Offer.Price > 0 {
			e.Text = "for " + ev.Offer.Price.String()
		}
	case ev.What == "returned":
		e.What, e.Text, e.Tone = name+" gave it back", strings.ToLower(CodeName(ev.Return.Code)), "wait"
		if ev.Offer.Reason != "" {
			e.Text += ": " + terminal.OneLine(ev.Offer.Reason)
		}
	case ev.What == "decided":
		e.What, e.Text = "The return is "+string(ev.Return.State), "by "+ev.Return.DecidedBy
		if ev.Return.Note != "" {
			e.Text += ": " + terminal.OneLine(ev.Return.Note)
		}
	case ev.What == "cost":
		e.What, e.Text = "Its source costs "+ev.Amount.String(), ""
	case ev.What == "charged":
		e.What, e.Text, e.Tone = name+" was charged "+ev.Amount.String(), "", "good"
	case ev.What == "credited":
		e.What, e.Text, e.Tone = name+" got "+ev.Amount.String()+" back", "", "wait"
	case ev.What == "legal hold":
		e.What, e.Tone = "Put under a legal hold", "wait"
	case ev.What == "hold removed":
		e.What = "A legal hold was removed"
	case ev.What == "status":
		e.What, e.Tone = statusWords(ev.Change.Status)
		e.Text = InWords(ShortIDs(terminal.OneLine(ev.Change.Reason)))
	}
	return e
}

func attemptWords(name string, a buyer.Attempt) (words, tone string) {
	if strings.HasSuffix(a.Kind, ".return_decided") { // it is told, and answers nothing
		if a.Decision == "notified" {
			return name + " was told what became of the return", ""
		}
		return name + " could not be told what became of the return", "wait"
	}
	delivery := strings.HasSuffix(a.Kind, ".delivered")
	switch buyer.Meaning(strings.Fields(a.Decision + " ")[0]) {
	case buyer.Accepts:
		if delivery {
			return name + " has the contact", "good"
		}
		return name + " accepted", "good"
	case buyer.Declines:
		return name + " declined", "wait"
	case buyer.Unknown:
		return fmt.Sprintf("A message to %s was interrupted", name), "stop"
	}
	if delivery {
		return name + " did not confirm the contact", "stop"
	}
	return name + " gave no answer that can be used", "stop"
}

// statusWords are how a lead is doing.
func statusWords(s lead.Status) (words, tone string) {
	switch s {
	case lead.Forwarded:
		return "Sold", "good"
	case lead.Collected:
		return "Held", ""
	case lead.Errored:
		return "In error", "stop"
	case lead.Rejected:
		return "Off the market", ""
	}
	return "On its way", ""
}

// longID matches the ids of leads, offers and buyers.
var longID = regexp.MustCompile(`\b((?:lead|offer|buyer)_[a-z0-9]{8})[a-z0-9]{8,}`)

// ShortIDs leaves enough of each id to tell them apart.
func ShortIDs(text string) string { return longID.ReplaceAllString(text, "$1…") }

// ShortID is enough of an id to tell leads apart at a glance.
func ShortID(id string) string {
	if len(id) > 20 {
		return id[:19] + "…"
	}
	return id
}
