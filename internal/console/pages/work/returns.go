package work

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/console/pages/page"
	"foyer/internal/store"
)

const returnsOnPage = 50

var returnStates = []string{"waiting", "approved", "denied", "all"}

// Returns is the desk for leads that buyers gave back: those that wait, the oldest first.
func Returns(v *page.Visit) (page.View, error) {
	state := cmp.Or(v.Query("state"), "waiting")
	if !slices.Contains(returnStates, state) {
		state = "waiting"
	}
	f := store.ReturnFilter{State: buyer.ReturnState(state), After: v.Query("cursor"), Limit: returnsOnPage + 1}
	if state == "all" {
		f.State = ""
	}
	list, err := v.Operator.Returns(v.Ctx, f)
	if err != nil {
		return page.View{}, err
	}
	shown := page.View{Title: "Returns", Wide: true, Parts: []page.Part{v.Tabs("/returns", "state", state, returnStates)}}
	t := page.Table{Caption: "Returns", Keys: true, Head: page.Heads("Returned", "Lead", "Buyer", "Code", "Reason", ">Price", "State"), Empty: "No returns here.", Go: &page.Link{Text: "How buyers give leads back", Href: v.Brand.Path() + catalog.PageBuyers}}
	if state == "waiting" {
		t.Empty = "No return waits for a decision. Buyers give leads back with a signed message; you can enter a return on the page of a lead."
	}
	if state == "waiting" {
		shown.Stats = waitingStats(list, v.Clock)
	}
	if len(list) > returnsOnPage {
		list = list[:returnsOnPage]
		t.Next = page.WithQuery(v.Address("/returns"), "state", state, "cursor", list[returnsOnPage-1].Offer)
	}
	reasons := v.May(store.RoleOperator)
	if reasons && len(list) > 0 { // a buyer's words may name the person
		if err := v.Operator.RecordRead(v.Ctx, v.By(), audit.ReturnRead, "", audit.Detail{"returns": len(list)}); err != nil {
			return shown, err
		}
	}
	var decide []page.Part
	for _, r := range list {
		if !reasons {
			r.Reason = ""
		}
		href := v.Address("/leads/" + r.LeadID)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{
			page.When(r.At), page.Tight(page.To(page.ShortID(r.LeadID), href)), page.To(cmp.Or(r.BuyerName, r.Buyer), v.Address("/buyers/"+r.Buyer)), page.Text(page.CodeName(r.Code)), page.Soft(r.Reason), page.Money(r.Price), page.Tagged(string(r.State), cmp.Or(returnTone(r.State), "soft")),
		}, Href: href})
		if reasons && r.State == buyer.ReturnWaiting {
			decide = append(decide, decisionForms(v, r)...)
		}
	}
	if v.Problem != nil {
		shown.Parts = append(shown.Parts, page.Notice{Tone: "stop", Text: v.Problem.Message})
	}
	shown.Parts = append(shown.Parts, page.Panel{Parts: []page.Part{t}})
	if len(decide) > 0 {
		shown.Parts = append(shown.Parts, page.Panel{Title: "Decide", Parts: decide})
	}
	return shown, nil
}

// waitingStats say how many returns wait on the page that begins here, since when, and for how much money.
func waitingStats(list []store.ListedReturn, clock func(time.Time) string) []page.Stat {
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
	return []page.Stat{{Label: "Wait for a decision", Value: number}, {Label: "The oldest since", Value: oldest}, {Label: "Their price", Value: sum.String(), Note: "given back if they are approved"}}
}

func returnTone(s buyer.ReturnState) string {
	return map[buyer.ReturnState]string{buyer.ReturnWaiting: "wait", buyer.ReturnApproved: "good"}[s]
}

// decisionForms are the two ways to decide a return.
func decisionForms(v *page.Visit, r store.ListedReturn) []page.Part {
	v.R.SetPathValue("offer_id", r.Offer)
	name := cmp.Or(page.Short(r.BuyerName), r.Buyer) + ", " + strings.ToLower(page.CodeName(r.Code)) + ", " + v.Clock(r.At)
	approve := v.FormFor("/returns/{offer_id}/approve", page.Form{Title: "Approve: " + name, Submit: "Approve", What: "The buyer gets " + r.Price.String() + " back, and its place under the caps. The lead goes to nobody else.", Confirm: "Give " + cmp.Or(page.Short(r.BuyerName), r.Buyer) + " " + r.Price.String() + " back for " + page.ShortID(r.LeadID) + ". It cannot be taken back."}, nil)
	deny := v.FormFor("/returns/{offer_id}/deny", page.Form{Title: "Deny: " + name, Submit: "Deny", What: "The buyer keeps the lead and its price, and hears why.", Confirm: "Deny " + cmp.Or(page.Short(r.BuyerName), r.Buyer) + " the return of " + page.ShortID(r.LeadID) + ". It cannot be taken back."}, nil)
	list := []page.Part{}
	for _, f := range []page.Form{approve, deny} {
		f.Open, f.Problem = false, ""
		for i := range f.Inputs {
			f.Inputs[i].ID += "-" + r.Offer
		}
		list = append(list, f)
	}
	return list
}
