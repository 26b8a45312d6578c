package pages

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/store"
)

const returnsOnPage = 50

var returnStates = []string{"waiting", "approved", "denied", "all"}

// returns is the desk for leads that buyers gave back: those that wait, the oldest first.
func (v *visit) returns() (view, error) {
	state := cmp.Or(v.query("state"), "waiting")
	if !slices.Contains(returnStates, state) {
		state = "waiting"
	}
	f := store.ReturnFilter{State: buyer.ReturnState(state), After: v.query("cursor"), Limit: returnsOnPage + 1}
	if state == "all" {
		f.State = ""
	}
	list, err := v.Operator.Returns(v.ctx, f)
	if err != nil {
		return view{}, err
	}
	shown := view{Title: "Returns", Wide: true, Parts: []part{v.tabs("/returns", "state", state, returnStates)}}
	t := table{Caption: "Returns", Keys: true, Head: heads("Returned", "Lead", "Buyer", "Code", "Reason", ">Price", "State"), Empty: "No returns here.", Go: &link{"How buyers give leads back", v.Brand.Path() + catalog.PageBuyers}}
	if state == "waiting" {
		t.Empty = "No return waits for a decision. Buyers give leads back with a signed message; you can enter a return on the page of a lead."
	}
	if state == "waiting" {
		shown.Stats = waitingStats(list, v.clock)
	}
	if len(list) > returnsOnPage {
		list = list[:returnsOnPage]
		t.Next = withQuery(v.address("/returns"), "state", state, "cursor", list[returnsOnPage-1].Offer)
	}
	reasons := v.may(operates)
	if reasons && len(list) > 0 { // a buyer's words may name the person
		if err := v.Operator.RecordRead(v.ctx, v.by(), audit.ReturnRead, "", audit.Detail{"returns": len(list)}); err != nil {
			return shown, err
		}
	}
	var decide []part
	for _, r := range list {
		if !reasons {
			r.Reason = ""
		}
		href := v.address("/leads/" + r.LeadID)
		t.Rows = append(t.Rows, row{[]cell{
			when(r.At), tight(to(shortID(r.LeadID), href)), to(cmp.Or(r.BuyerName, r.Buyer), v.address("/buyers/"+r.Buyer)), text(string(r.Code)), soft(r.Reason), money(r.Price), tagged(string(r.State), cmp.Or(returnTone(r.State), "soft")),
		}, href})
		if reasons && r.State == buyer.ReturnWaiting {
			decide = append(decide, v.decisionForms(r)...)
		}
	}
	if v.problem != nil {
		shown.Parts = append(shown.Parts, notice{Tone: "stop", Text: v.problem.Message})
	}
	shown.Parts = append(shown.Parts, panel{Parts: []part{t}})
	if len(decide) > 0 {
		shown.Parts = append(shown.Parts, panel{Title: "Decide", Parts: decide})
	}
	return shown, nil
}

// waitingStats say how many returns wait on the page that begins here, since when, and for how much money.
func waitingStats(list []store.ListedReturn, clock func(time.Time) string) []stat {
	number, oldest, sum := fmt.Sprint(len(list)), "–", buyer.Cents(0)
	if len(list) > returnsOnPage {
		number = fmt.Sprint("more than ", returnsOnPage)
	}
	for i, r := range list {
		if i == 0 {
			oldest = clock(r.At)
		}
		sum += r.Price
	}
	return []stat{{Label: "Wait for a decision", Value: number}, {Label: "The oldest since", Value: oldest}, {Label: "Their price", Value: sum.String(), Note: "given back if they are approved"}}
}

func returnTone(s buyer.ReturnState) string {
	return map[buyer.ReturnState]string{buyer.ReturnWaiting: "wait", buyer.ReturnApproved: "good"}[s]
}

// decisionForms are the two ways to decide a return.
func (v *visit) decisionForms(r store.ListedReturn) []part {
	v.r.SetPathValue("offer_id", r.Offer)
	name := cmp.Or(short(r.BuyerName), r.Buyer) + ", " + string(r.Code) + ", " + v.clock(r.At)
	approve := v.formFor("/returns/{offer_id}/approve", form{Title: "Approve: " + name, Submit: "Approve", What: "The buyer gets " + r.Price.String() + " back, and its place under the caps. The lead goes to nobody else.", Confirm: "Give " + cmp.Or(short(r.BuyerName), r.Buyer) + " " + r.Price.String() + " back for " + shortID(r.LeadID) + ". It cannot be taken back."}, nil)
	deny := v.formFor("/returns/{offer_id}/deny", form{Title: "Deny: " + name, Submit: "Deny", What: "The buyer keeps the lead and its price, and hears why."}, nil)
	list := []part{}
	for _, f := range []form{approve, deny} {
		f.Open, f.Problem = false, ""
		for i := range f.Inputs {
			f.Inputs[i].ID += "-" + r.Offer
		}
		list = append(list, f)
	}
	return list
}

// tabs are links to the same page with another value.
func (v *visit) tabs(path, name, current string, values []string, keep ...string) part {
	var t tabList
	for _, value := range values {
		t = append(t, tab{value, withQuery(v.address(path), append([]string{name, value}, keep...)...), value == current})
	}
	return t
}

type tabList []tab

type tab struct {
	Text, Href string
	Current    bool
}

func (tabList) template() string { return "tabs" }

// segment is a text as a part of a path.
func segment(text string) string { return url.PathEscape(text) }
