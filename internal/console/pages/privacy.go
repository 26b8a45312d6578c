package pages

import (
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// privacy lists what persons asked for, the one that has waited longest first.
func (v *visit) privacy() (view, error) {
	all := v.query("state") == "all"
	state := "open"
	if all {
		state = "all"
	}
	shown := view{Title: "Privacy", Wide: true, Parts: []part{v.tabs("/privacy", "state", state, []string{"open", "all"})}}
	t := table{Caption: "Privacy requests", Keys: true, Head: heads("Received", "Due", "Request", "Asks for", "Lead", "Contact", "State"), Empty: "No open privacy request."}
	err := v.read(func(tx *store.Tx) error {
		list, err := tx.PrivacyRequests(all)
		if err != nil {
			return err
		}
		shown.Stats = v.privacyStats(list)
		for _, r := range list[max(0, len(list)-500):] {
			contact, err := report.ReadContact(tx, r.LeadID)
			if err != nil {
				return err
			}
			href := v.address("/privacy/" + r.ID)
			about := soft("")
			if r.LeadID != "" {
				about = to(shortID(r.LeadID), v.address("/leads/"+r.LeadID))
			}
			t.Rows = append(t.Rows, row{[]cell{when(r.At), when(r.DueAt()), tight(to(shortID(r.ID), href)), text(string(r.Kind)), about, soft(contact.String()), tagged(string(r.State), privacyTone(r.State))}, href})
		}
		return nil
	})
	if err != nil {
		return shown, err
	}
	shown.Parts = append(shown.Parts, panel{Title: "Privacy requests", Parts: []part{t}})
	if v.may(operates) {
		shown.Parts = append(shown.Parts, panel{Title: "Phone numbers that are not contacted", More: &link{"All numbers, find one, import", v.address("/privacy/suppressions")}, Parts: []part{
			v.formFor("/privacy/suppress", form{Title: "Suppress a number", What: "Requests with it are refused from now on, and held ones are closed."}, map[string]string{"reason": "asked not to be contacted"}),
			v.formFor("/privacy/unsuppress", form{Title: "Accept a number again", What: "Only if the owner of the number asks for it."}, nil),
		}})
	}
	return shown, nil
}

// privacyStats say how many requests are open, and when the next one is due.
func (v *visit) privacyStats(list []lead.PrivacyRequest) []stat {
	open, due, late := 0, time.Time{}, 0
	for _, r := range list {
		if r.State != lead.PrivacyOpen {
			continue
		}
		if open++; due.IsZero() || r.DueAt().Before(due) {
			due = r.DueAt()
		}
		if r.DueAt().Before(v.Now()) {
			late++
		}
	}
	return []stat{{Label: "Open", Value: terminal.Number(int64(open))}, {Label: "The next is due", Value: v.clock(due)}, {Label: "Late", Value: terminal.Number(int64(late))}}
}

func privacyTone(s lead.PrivacyState) string {
	if s == lead.PrivacyOpen {
		return "wait"
	}
	return "good"
}

// privacyRequest shows a request, the leads that it concerns, and how to fulfill it.
func (v *visit) privacyRequest() (view, error) {
	id := v.r.PathValue("privacy_request_id")
	var rc report.PrivacyCase
	if err := v.read(func(tx *store.Tx) (err error) { rc, err = report.ReadPrivacyCase(tx, id); return err }); err != nil {
		return view{}, err
	}
	leads := rc.Leads()
	revealed := v.form.Get("revealed") == rc.ID
	if !revealed {
		rc = rc.WithoutPerson()
	}
	shown := view{
		Title: "Privacy request", Lede: rc.ID, Above: []link{{"Privacy", v.address("/privacy")}}, Tag: &tag{string(rc.State), privacyTone(rc.State)},
		Parts: []part{panel{Title: "What was asked", Note: masked(false, revealed), Parts: []part{v.factsOf(rc.Fields())}}},
	}
	t := table{Caption: "Leads that it concerns", Keys: true, Head: heads("Received", "Lead", "Service", "Status", "Contact"), Empty: "No lead has this phone number any more."}
	for _, l := range leads {
		href := v.address("/leads/" + l.ID)
		t.Rows = append(t.Rows, row{[]cell{when(l.CreatedAt), tight(to(shortID(l.ID), href)), text(serviceName(l.Request.Service)), statusTag(l.Status), soft(rc.ContactOf(l.ID).String())}, href})
	}
	shown.Parts = append(shown.Parts, panel{Title: "Leads that it concerns", Parts: []part{t}})
	if !v.may(operates) || rc.State != lead.PrivacyOpen {
		return shown, nil
	}
	what := "First pass the request on to the buyers that have the contact. Then erase each of its leads on the lead's page: after that nobody can tell which they were."
	if rc.Kind == lead.Withdraw {
		what = "Suppress the number on the page before, and tell the buyers that have the contact."
	}
	var forms []part
	if !revealed {
		forms = append(forms, v.formFor("/privacy/{privacy_request_id}/reveal", form{Title: "Show the phone number", What: "Who looked, when and why is recorded.", Inputs: []input{whyInput("Such as: to erase what the person asked for.")}}, nil))
	}
	forms = append(forms, v.formFor("/privacy/{privacy_request_id}/settle", form{Title: "Mark it as settled", Submit: "Settle", What: "Its phone number is deleted. Do it when everything that was asked for is done.", Confirm: "Settle " + shortID(rc.ID) + ". What was asked for is done, or the note says why it cannot be."}, nil))
	shown.Parts = append(shown.Parts, panel{Title: "What to do", Parts: append([]part{prose(what)}, forms...)})
	return shown, nil
}

// revealPrivacy records why somebody looks at a phone number, and shows it once.
func (v *visit) revealPrivacy() error {
	why, err := v.why()
	if err != nil {
		return err
	}
	var r lead.PrivacyRequest
	if err := v.read(func(tx *store.Tx) (err error) {
		r, err = tx.PrivacyRequest(v.r.PathValue("privacy_request_id"))
		return err
	}); err != nil {
		return err
	}
	if err := v.Operator.RecordRead(v.ctx, v.by(), audit.PrivacyRead, r.ID, why); err != nil {
		return err
	}
	v.form.Set("revealed", r.ID)
	v.showNow = true
	return nil
}
