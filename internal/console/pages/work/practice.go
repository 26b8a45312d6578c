package work

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// ownBuyers are the buyers without the one for practice.
func ownBuyers(buyers []query.Summary) []query.Summary {
	return slices.DeleteFunc(slices.Clone(buyers), func(b query.Summary) bool { return b.Terms.Practice })
}

// refusedPractice reports whether a form of practice was refused. It is shown again with the reason, even if a buyer was added since.
func refusedPractice(v *page.Visit) bool { return strings.HasPrefix(v.Refused, "/practice/") }

// beginning reports whether no buyer of the operator's own is asked yet.
func beginning(buyers []query.Summary) bool {
	return !slices.ContainsFunc(ownBuyers(buyers), func(b query.Summary) bool { return b.State == buyer.Active })
}

// withPractice says how many leads of today are not counted, because they are practice.
func withPractice(stats []page.Stat, buyers []query.Summary) []page.Stat {
	b, found := page.PracticeBuyer(buyers)
	if !found {
		return stats
	}
	for i := range stats {
		if n := b.Today().Delivered; stats[i].Label == "Leads" && n > 0 {
			stats[i].Note = fmt.Sprintf("without %d for practice; ", n) + stats[i].Note
		}
	}
	return stats
}

// firstSteps says how to begin: with a practice buyer, to see in a minute how the service works, and then with a real one.
func firstSteps(v *page.Visit, buyers []query.Summary) page.Part {
	practice, practicing := page.PracticeBuyer(buyers)
	own := ownBuyers(buyers)
	list := page.Steps{
		{Text: "Start a practice buyer", Note: "It is part of this program and takes made-up leads within seconds. Nothing is sent anywhere, and no real person's request can go to it.", Done: practicing},
		{Text: "Send it a test lead, and see it sold", Note: "A made-up request of Pat Example, with a number that is reserved for fiction, goes the way of a real one.", Done: practicing && practice.Use[len(practice.Use)-1].Delivered > 0},
		{Text: "Send a request by the public form", Note: "With a number such as 305-555-0123: the practice buyer takes no others.", Href: v.Brand.Path() + "/"},
		{Text: "Add a buyer of your own", Note: "Who receives leads, for which services and where.", Href: v.Address("/buyers#add"), Done: len(own) > 0},
		{Text: "Test it and start it", Note: "A made-up offer goes out, and the answer is explained. From the start on it is asked.", Href: firstBuyer(v, own), Done: !beginning(buyers)},
	}
	if v.May(store.RoleOperator) && (!practicing || v.Refused == "/practice/start") { // a form that was refused says why
		list[0].Form = new(v.FormFor("/practice/start", page.Form{Submit: "Start a practice buyer"}, nil))
	}
	if v.May(store.RoleOperator) && (practicing || v.Refused == "/practice/lead") {
		list[1].Form = new(v.TestLeadForm())
	}
	return page.Panel{Title: "The first five steps", Broad: true, Parts: []page.Part{list}}
}

func firstBuyer(v *page.Visit, own []query.Summary) string {
	if len(own) == 0 {
		return v.Address("/buyers")
	}
	return v.Address("/buyers/" + own[0].ID)
}

func StartPractice(v *page.Visit) error {
	if _, err := v.Operator.StartPractice(v.Ctx, v.By()); err != nil {
		return page.FormProblem(err)
	}
	return v.LeaveFor("", "practice-start")
}

// SendTestLead sends a made-up lead and shows it.
func SendTestLead(v *page.Visit) error {
	id, err := v.SendTestLead(v.R, v.By())
	if err != nil {
		return err
	}
	if err := awaitRound(v, id); err != nil {
		return err
	}
	return v.LeaveFor("/leads/"+id, "practice-lead")
}

const (
	roundWait = 3 * time.Second
	roundPoll = 50 * time.Millisecond
)

// awaitRound waits a moment until buyers were asked about a lead, so that its page shows what became of it.
func awaitRound(v *page.Visit, id string) error {
	for range roundWait / roundPoll {
		var l lead.Lead
		err := v.Read(func(tx *store.Tx) error {
			seq, err := tx.LeadOf(id)
			if err == nil {
				l, err = tx.LeadBySeq(seq)
			}
			return err
		})
		if err != nil || l.Status != lead.Received {
			return err
		}
		select {
		case <-v.Ctx.Done():
			return v.Ctx.Err()
		case <-time.After(roundPoll):
		}
	}
	return nil
}
