// Package keeping is the pages that keep the service in order: privacy requests and suppressed numbers, the audit trail, alerts, and how
// the service is doing. Who looks at a person there says why, and is recorded. The settings are in package signin.
package keeping

import (
	"time"

	"foyer/internal/audit"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Privacy lists what persons asked for, the one that has waited longest first.
func Privacy(v *page.Visit) (page.View, error) {
	all := v.Query("state") == "all"
	state := "open"
	if all {
		state = "all"
	}
	shown := page.View{Title: "Privacy", Wide: true, Parts: []page.Part{v.Tabs("/privacy", "state", state, []string{"open", "all"})}}
	t := page.Table{Caption: "Privacy requests", Keys: true, Head: page.Heads("Received", "Due", "Request", "Asks for", "Lead", "Contact", "State"), Empty: "No open privacy request."}
	err := v.Read(func(tx *store.Tx) error {
		list, err := tx.PrivacyRequests().List(all)
		if err != nil {
			return err
		}
		held, err := tx.LegalHolds().Persons()
		if err != nil {
			return err
		}
		shown.Stats = privacyStats(v, list, held)
		for _, r := range list[max(0, len(list)-500):] {
			contact, err := report.ReadContact(tx, r.LeadID)
			if err != nil {
				return err
			}
			href := v.Address("/privacy/" + r.ID)
			about := page.Soft("")
			if r.LeadID != "" {
				about = page.To(page.ShortID(r.LeadID), v.Address("/leads/"+r.LeadID))
			}
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(r.At), page.When(r.DueAt()), page.Tight(page.To(page.ShortID(r.ID), href)), page.Text(string(r.Kind)), about, page.Soft(contact.String()), privacyState(r, held)}, Href: href})
		}
		return nil
	})
	if err != nil {
		return shown, err
	}
	holds, err := legalHolds(v)
	if err != nil {
		return shown, err
	}
	shown.Parts = append(shown.Parts, page.Panel{Title: "Privacy requests", Parts: []page.Part{t}}, holds)
	if v.May(store.RoleOperator) {
		shown.Parts = append(shown.Parts, page.Panel{Title: "Phone numbers that are not contacted", More: &page.Link{Text: "All numbers, find one, import", Href: v.Address("/privacy/suppressions")}, Parts: []page.Part{
			v.FormFor("/privacy/suppress", page.Form{Title: "Suppress a number", What: "Requests with it are refused from now on, and held ones are closed."}, map[string]string{"reason": "asked not to be contacted"}),
			v.FormFor("/privacy/unsuppress", page.Form{Title: "Accept a number again", What: "Only if the owner of the number asks for it.", Confirm: "The owner of this number wants to be contacted again."}, nil),
		}})
	}
	return shown, nil
}

// privacyState is the state of a request, and whether a legal hold keeps it there.
func privacyState(r lead.PrivacyRequest, held []lead.HeldPerson) page.Cell {
	if len(r.KeptOpenBy(held)) > 0 {
		return page.Tagged("legal hold", "soft")
	}
	return page.Tagged(string(r.State), page.PrivacyTone(r.State))
}

// privacyStats say how many requests are open, and when the next one is due, among those that wait for somebody.
func privacyStats(v *page.Visit, list []lead.PrivacyRequest, held []lead.HeldPerson) []page.Stat {
	open, due, late := 0, time.Time{}, 0
	for _, r := range list {
		if r.State == lead.PrivacyOpen {
			open++
		}
	}
	for _, r := range lead.WaitingRequests(list, held, v.Now()) {
		if due.IsZero() || r.DueAt().Before(due) {
			due = r.DueAt()
		}
		if r.DueAt().Before(v.Now()) {
			late++
		}
	}
	return []page.Stat{{Label: "Open", Value: terminal.Number(int64(open))}, {Label: "The next is due", Value: v.Clock(due)}, {Label: "Late", Value: terminal.Number(int64(late))}}
}

// PrivacyRequest shows a request, the leads that it concerns, and how to fulfill it.
func PrivacyRequest(v *page.Visit) (page.View, error) {
	id := v.R.PathValue("privacy_request_id")
	var rc report.PrivacyCase
	if err := v.Read(func(tx *store.Tx) (err error) { rc, err = report.ReadPrivacyCase(tx, id); return err }); err != nil {
		return page.View{}, err
	}
	leads := rc.Leads()
	revealed := v.Person == rc.ID
	if !revealed {
		rc = rc.WithoutPerson()
	}
	shown := page.View{
		Title: "Privacy request", Lede: rc.ID, Above: []page.Link{{Text: "Privacy", Href: v.Address("/privacy")}}, Tag: &page.Tag{Text: string(rc.State), Tone: page.PrivacyTone(rc.State)},
		Parts: []page.Part{page.Panel{Title: "What was asked", Note: page.Masked(false, revealed), Parts: []page.Part{v.FactsOf(rc.Fields())}}},
	}
	t := page.Table{Caption: "Leads that it concerns", Keys: true, Head: page.Heads("Received", "Lead", "Service", "Status", "Legal hold", "Contact"), Empty: "No lead has this phone number any more."}
	for _, l := range leads {
		href := v.Address("/leads/" + l.ID)
		hold := page.Soft("no")
		if rc.UnderLegalHold(l.ID) {
			hold = page.Tagged("yes", "wait")
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(l.CreatedAt), page.Tight(page.To(page.ShortID(l.ID), href)), page.Text(page.ServiceName(l.Request.Service)), page.StatusTag(l.Status), hold, page.Soft(rc.ContactOf(l.ID).String())}, Href: href})
	}
	shown.Parts = append(shown.Parts, page.Panel{Title: "Leads that it concerns", Broad: true, Parts: []page.Part{t}})
	if !v.May(store.RoleOperator) || rc.State != lead.PrivacyOpen {
		return shown, nil
	}
	what := "First pass the request on to the buyers that have the contact. Then erase each of its leads on the lead's page: after that nobody can tell which they were."
	if rc.Kind == lead.Withdraw {
		what = "Suppress the number on the page before, and tell the buyers that have the contact."
	}
	var forms []page.Part
	if !revealed {
		forms = append(forms, v.FormFor("/privacy/{privacy_request_id}/reveal", page.Form{Title: "Show the phone number", What: "Who looked, when and why is recorded.", Inputs: []page.Input{page.WhyInput("Such as: to erase what the person asked for.")}}, nil))
	}
	if len(rc.KeptOpen) > 0 {
		shown.Parts = append([]page.Part{page.Notice{Tone: "wait", Text: "It stays open: " + keptOpen(v, rc) + "."}}, shown.Parts...)
		what = "Suppress the number on the page before, and tell the person by " + v.Clock(rc.DueAt()) + " that their data is kept, and why. When the matter is over, remove the legal hold, and do what was asked for."
		shown.Parts = append(shown.Parts, page.Panel{Title: "What to do", Parts: append([]page.Part{page.Prose(what)}, forms...)})
		return shown, nil
	}
	forms = append(forms, v.FormFor("/privacy/{privacy_request_id}/settle", page.Form{Title: "Mark it as settled", Submit: "Settle", What: "Its phone number is deleted. Do it when everything that was asked for is done.", Confirm: "Settle " + page.ShortID(rc.ID) + ". What was asked for is done, or the note says why it cannot be."}, nil))
	shown.Parts = append(shown.Parts, page.Panel{Title: "What to do", Parts: append([]page.Part{page.Prose(what)}, forms...)})
	return shown, nil
}

// RevealPrivacy records why somebody looks at a phone number, and shows it once.
func RevealPrivacy(v *page.Visit) error {
	why, err := v.Why()
	if err != nil {
		return err
	}
	var r lead.PrivacyRequest
	if err := v.Read(func(tx *store.Tx) (err error) {
		r, err = tx.PrivacyRequests().Find(v.R.PathValue("privacy_request_id"))
		return err
	}); err != nil {
		return err
	}
	if err := v.Operator.RecordRead(v.Ctx, v.By(), audit.PrivacyRead, r.ID, why); err != nil {
		return err
	}
	v.Person, v.ShowNow = r.ID, true
	return nil
}
