package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Timeline is everything that happened to a lead.
type Timeline struct {
	lead     lead.Lead
	changes  []store.HistoryEntry
	offers   []store.Offered
	returns  map[string]buyer.Return // by offer
	attempts []buyer.Attempt
	entries  []buyer.Entry // what was charged, and given back
	holds    []lead.LegalHold
	cost     buyer.Cents // what its source is paid
	agreed   string      // the words of the consent
}

// ReadTimeline reads what happened to a lead.
func ReadTimeline(tx *store.Tx, l lead.Lead, cost buyer.Cents, agreed string) (Timeline, error) {
	changes, err := tx.Timeline().History(l.ID)
	offers, returns, offersErr := readOffered(tx, l.ID)
	attempts, attemptsErr := tx.Timeline().Attempts(l.ID)
	holds, holdsErr := tx.LegalHolds().OfLead(l.ID)
	var entries []buyer.Entry
	for _, o := range offers {
		if o.State.WasDelivered() {
			list, ledgerErr := tx.Ledger().OfOffer(o.ID)
			entries, err = append(entries, list...), errors.Join(err, ledgerErr)
		}
	}
	return Timeline{l, changes, offers, returns, attempts, entries, holds, cost, agreed}, errors.Join(err, offersErr, attemptsErr, holdsErr)
}

// readOffered reads the offers of a lead, and the returns by offer.
func readOffered(tx *store.Tx, id string) (offers []store.Offered, returns map[string]buyer.Return, err error) {
	offers, err = tx.Timeline().Offers(id)
	returns = make(map[string]buyer.Return)
	for _, o := range offers {
		if !o.ReturnedAt.IsZero() && err == nil {
			returns[o.ID], _, err = tx.Returns().Find(o.ID)
		}
	}
	return offers, returns, err
}

// withoutPerson leaves out what buyers wrote, and what they were told of their returns: both may name the person. Erasing a lead deletes
// the same. Keys in the addresses of buyers go, too. Messages that were sent have hidden in place of what tells who the person is.
func (t Timeline) withoutPerson() Timeline {
	c := &t.lead.Request.Contact
	for _, personal := range []*string{&c.Name, &c.Phone, &c.Email, &c.Street, &c.Notes, &t.lead.Request.City, &t.lead.Evidence.Origin} {
		if *personal != "" {
			*personal = "(hidden)"
		}
	}
	t.offers, t.returns, t.attempts = slices.Clone(t.offers), maps.Clone(t.returns), slices.Clone(t.attempts)
	for i := range t.offers {
		t.offers[i].Reason, t.offers[i].Ref = "", ""
	}
	for id, r := range t.returns {
		r.Note = ""
		t.returns[id] = r
	}
	for i := range t.attempts {
		t.attempts[i].Answer, t.attempts[i].URL = "", WithoutQuery(t.attempts[i].URL)
	}
	return t
}

// WithoutQuery returns the address of a buyer without its query, which may hold a key.
func WithoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// Event is one line of a timeline.
type Event struct {
	At     time.Time
	What   string // arrived, cost, status, erased, note, offer, attempt, charged, returned, decided, credited, legal hold or hold removed
	Text   string
	Passed []string // who was passed over, and why
	Sent   string   // the body of a message to a buyer; "" if the person was erased, and with it what was sent
	Answer string   // what a buyer answered

	Offer   *store.Offered // what the event is about, if it is about an offer
	Attempt *buyer.Attempt
	Change  *lead.Change
	Return  *buyer.Return
	Amount  buyer.Cents // that the source is paid, or the buyer was charged or given back

	order int // among events at the same time
}

// The order of events at the same time: a lead is received before it is offered, and moves on after an answer.
const (
	orderBegin = iota
	orderOffer
	orderAttempt
	orderEnd
	orderReturn
	orderMoney
)

// events returns what happened, oldest first. History entries stay in their order, even if a clock was set back between two
// of them.
func (t Timeline) events() []Event {
	all := []Event{{At: t.lead.CreatedAt, What: "arrived", Text: ViaDoor(t.lead.Evidence.Channel), order: orderBegin}}
	if t.cost != 0 {
		all = append(all, Event{At: t.lead.CreatedAt, What: "cost", Text: t.cost.String() + " for the source " + t.lead.Source, Amount: t.cost, order: orderBegin})
	}
	before, last := lead.Status(""), t.lead.CreatedAt
	for _, c := range t.changes {
		if c.At.After(last) {
			last = c.At
		}
		order := orderEnd
		if c.Status == lead.Received {
			order = orderBegin
		}
		what, text := changeText(c.Change, before)
		all, before = append(all, Event{At: last, What: what, Text: text, Passed: passedLines(c.PassedOver), Change: &c.Change, order: order}), c.Status
	}
	for _, o := range t.offers {
		all = append(all, Event{At: o.At, What: "offer", Text: offerLine(o), Passed: passedLines(o.PassedOver), Offer: &o, order: orderOffer})
		if !o.ReturnedAt.IsZero() {
			r := t.returns[o.ID]
			text := o.ID + " by " + buyerOf(o) + ", " + string(r.Code)
			if o.Reason != "" {
				text += ": " + terminal.OneLine(o.Reason)
			}
			all = append(all, Event{At: o.ReturnedAt, What: "returned", Text: text, Offer: &o, Return: &r, order: orderReturn})
			if !r.DecidedAt.IsZero() {
				all = append(all, Event{At: r.DecidedAt, What: "decided", Text: decidedLine(r), Offer: &o, Return: &r, order: orderReturn})
			}
		}
	}
	for _, a := range t.attempts {
		all = append(all, t.attemptEvent(a))
	}
	for _, e := range t.entries {
		what, amount := "charged", e.Amount
		if e.Kind == buyer.EntryReturn {
			what, amount = "credited", -e.Amount
		}
		all = append(all, Event{At: e.At, What: what, Text: amount.String() + " for " + e.Offer, Offer: t.offer(e.Offer), Amount: amount, order: orderMoney})
	}
	for _, h := range t.holds {
		all = append(all, Event{At: h.CreatedAt, What: "legal hold", Text: h.ID + " by " + h.CreatedBy + ": " + terminal.OneLine(h.Why), order: orderEnd})
		if !h.InForce() {
			all = append(all, Event{At: h.RemovedAt, What: "hold removed", Text: h.ID + " by " + h.RemovedBy + ": " + terminal.OneLine(h.RemovedWhy), order: orderEnd})
		}
	}
	slices.SortStableFunc(all[1:], func(a, b Event) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.order, b.order)) })
	return all
}

func (t Timeline) attemptEvent(a buyer.Attempt) Event {
	return Event{At: a.At, What: "attempt", Text: attemptLine(a), Sent: t.sent(a), Answer: a.Answer, Offer: t.offer(a.Offer), Attempt: &a, order: orderAttempt}
}

// sent is the body of the message of an attempt, on lines of its own.
func (t Timeline) sent(a buyer.Attempt) string {
	o := t.offer(a.Offer)
	if o == nil || t.lead.Request.Contact.Phone == "" {
		return ""
	}
	return Indented(string(forward.SentBody(a.Kind, t.lead, o.Offer, t.agreed, t.returns[o.ID])))
}

// offer finds an offer of the lead.
func (t Timeline) offer(id string) *store.Offered {
	for i := range t.offers {
		if t.offers[i].ID == id {
			return &t.offers[i]
		}
	}
	return nil
}

// ViaDoor says through which interface a lead came in.
func ViaDoor(d lead.Channel) string {
	return map[lead.Channel]string{lead.ChannelJSON: "via JSON API", lead.ChannelForm: "via web form", lead.ChannelMCP: "via MCP tool"}[d]
}

// changeText describes a change of status, or an entry that left the status unchanged.
func changeText(c lead.Change, before lead.Status) (what, text string) {
	reason := terminal.OneLine(c.Reason) + " (by the " + c.Actor + ")"
	erased := strings.HasPrefix(c.Reason, operator.ErasedReason)
	switch {
	case erased && c.Status == before:
		return "erased", reason + "; the lead stays " + inStatus(c.Status)
	case erased:
		return "erased", reason + "; the lead is now " + inStatus(c.Status)
	case c.Status == before:
		return "note", reason
	}
	return "status", inStatus(c.Status) + ": " + reason
}

// inStatus returns a status in words: a lead is not "error", it is "in error".
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
	if o.Price != 0 {
		line += " for " + o.Price.String()
	}
	line += ": " + string(o.State)
	if o.Code != "" {
		line += " (" + string(o.Code) + ")"
	}
	if o.Ref != "" {
		line += ", buyer's reference: " + terminal.OneLine(o.Ref)
	}
	if o.LeadID != "" {
		line += ", buyer's lead id: " + o.LeadID
	}
	return line
}

func decidedLine(r buyer.Return) string {
	line := "the return of " + r.Offer + " is " + string(r.State) + ", by " + r.DecidedBy
	if r.Note != "" {
		line += ": " + terminal.OneLine(r.Note)
	}
	return line
}

func buyerOf(o store.Offered) string {
	name := cmp.Or(terminal.OneLine(o.BuyerName), "removed")
	if o.Removed {
		name += ", removed"
	}
	return o.Buyer + " (" + name + ")"
}

// passedLines lists the buyers that were passed over, and why.
func passedLines(list []buyer.PassedOver) (lines []string) {
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("passed over: %s (%s), %s: %s", p.Buyer, cmp.Or(terminal.OneLine(p.Name), "removed"), terminal.OneLine(p.Rule), terminal.OneLine(p.Reason)))
	}
	return lines
}

// attemptLine describes an attempt to send a message. The duration of an interrupted one is unknown.
func attemptLine(a buyer.Attempt) string {
	line := fmt.Sprintf("%s of %s", a.Kind, a.Offer)
	if a.URL != "" {
		line += ", sent to " + terminal.OneLine(a.URL)
	}
	if a.Decision == buyer.Unknown {
		return line + ", interrupted: it may have been sent, and no answer was noted"
	}
	outcome := terminal.OneLine(a.Failure)
	if a.Status != 0 {
		outcome = strings.TrimSpace(fmt.Sprint("answered ", a.Status, " ", outcome))
	}
	return fmt.Sprintf("%s, took %s: %s, %s", line, terminal.Duration(a.Took), outcome, terminal.OneLine(a.Decision))
}

// maxAnswerShown is how many characters of an answer a line shows; --json prints all that is stored.
const maxAnswerShown = 160

// answerLines returns the beginning of an answer, if there is one.
func answerLines(answer string) []string {
	text := []rune(terminal.OneLine(answer))
	switch {
	case len(text) == 0:
		return nil
	case len(text) > maxAnswerShown:
		return []string{strings.TrimSpace(string(text[:maxAnswerShown])) + "…"}
	}
	return []string{string(text)}
}

// timelineLayout is RFC 3339 in UTC with a fixed width, to keep columns aligned.
const timelineLayout = "2006-01-02T15:04:05.000Z"

// PrintTimeline prints one line for each event.
func PrintTimeline(w io.Writer, t Timeline) error {
	var rows [][]any
	for _, ev := range t.events() {
		rows = append(rows, []any{ev.At.UTC().Format(timelineLayout) + terminal.Local(ev.At), ev.What, ev.Text})
		for _, line := range append(ev.Passed, answerLines(ev.Answer)...) {
			rows = append(rows, []any{"", "", line})
		}
	}
	return terminal.Table(w, "\nTIME\tWHAT\tDETAILS", rows)
}

// Object returns the timeline as JSON, with all that is stored.
func (t Timeline) Object() wire.Object {
	var history, offers, attempts []wire.Object
	for _, c := range t.changes {
		history = append(history, wire.Object{{"at", c.At}, {"status", c.Status}, {"actor", c.Actor}, {"reason", c.Reason}, {"passed_over", passedObjects(c.PassedOver)}})
	}
	for _, o := range t.offers {
		offers = append(offers, wire.Object{
			{"offer_id", o.ID},
			{"buyer_id", o.Buyer},
			{"buyer_name", wire.OrNull(o.BuyerName)},
			{"at", o.At},
			{"one_step", o.OneStep},
			{"price_cents", o.Price},
			{"state", o.State},
			{"code", wire.OrNull(o.Code)},
			{"buyer_ref", wire.OrNull(o.Ref)},
			{"buyer_lead_id", wire.OrNull(o.LeadID)},
			{"returned_at", wire.TimeOrNull(o.ReturnedAt)},
			{"returned_reason", wire.OrNull(o.Reason)},
			{"return", returnObject(t.returns[o.ID])},
			{"passed_over", passedObjects(o.PassedOver)},
		})
	}
	for _, a := range t.attempts {
		attempts = append(attempts, wire.Object{
			{"offer_id", a.Offer},
			{"kind", a.Kind},
			{"url", wire.OrNull(a.URL)},
			{"at", a.At},
			{"took_ms", tookMS(a)},
			{"status", wire.OrNull(a.Status)},
			{"failure", wire.OrNull(a.Failure)},
			{"decision", a.Decision},
			{"answer", wire.OrNull(a.Answer)},
		})
	}
	return wire.Object{{"history", history}, {"offers", offers}, {"attempts", attempts}}
}

// returnObject returns what became of a return, or nil if the lead was not returned.
func returnObject(r buyer.Return) *wire.Object {
	if r.Offer == "" {
		return nil
	}
	return &wire.Object{
		{"code", r.Code}, {"state", r.State}, {"decided_at", wire.TimeOrNull(r.DecidedAt)}, {"decided_by", wire.OrNull(r.DecidedBy)}, {"note", wire.OrNull(r.Note)},
	}
}

// tookMS returns how long an attempt took in milliseconds, or nil for an interrupted one.
func tookMS(a buyer.Attempt) *float64 {
	if a.Decision == buyer.Unknown {
		return nil
	}
	return new(float64(a.Took.Microseconds()) / 1000)
}

// passedObjects lists the buyers that were passed over, as JSON.
func passedObjects(list []buyer.PassedOver) (objects []wire.Object) {
	for _, p := range list {
		objects = append(objects, wire.Object{{"buyer_id", p.Buyer}, {"name", p.Name}, {"rule", p.Rule}, {"reason", p.Reason}})
	}
	return objects
}
