package pages

import (
	"strings"

	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// evidence shows what is kept about the consent of a lead on one page, made to be printed. The person is shown only after somebody said
// why.
func (v *visit) evidence() (view, error) {
	id := v.r.PathValue("lead_id")
	var e report.Evidence
	if err := v.read(func(tx *store.Tx) (err error) { e, err = report.ReadEvidence(tx, id); return err }); err != nil {
		return view{}, err
	}
	l, revealed := e.Lead, v.form.Get("revealed") == e.Lead.ID
	if !revealed {
		e = e.WithoutPerson()
	}
	shown := view{
		Title: "Evidence of consent", Above: []link{{"Leads", v.address("/leads")}, {shortID(l.ID), v.address("/leads/" + l.ID)}}, Wide: true,
		Lede: l.ID + ". Made at " + v.moment(v.Now()) + " by " + v.Brand.Name + " for " + v.who.User.Name + ".",
		Parts: []part{
			panel{Title: "The consent", Parts: []part{v.consentFacts(e)}},
			panel{Title: "The words", Parts: v.consentWords(e)},
			panel{Title: "The person", Note: masked(e.Erased, revealed), Parts: v.personEvidence(e, revealed)},
			panel{Title: "How the request came", Parts: []part{v.factsOf(only(e.Fields(), "form_token", "seconds_on_page", "page_version", "request_id", "source", "client", "user_agent", "page", "origin", "sec_fetch_site", "mcp_client"))}},
			panel{Title: "Taken back", Parts: []part{v.takenBack(e)}},
			panel{Title: "What happened", Parts: []part{v.shortTimeline(e)}},
			panel{Title: "What is not known", Parts: []part{points(e.Unknown())}},
		},
	}
	return shown, nil
}

func (v *visit) consentFacts(e report.Evidence) facts {
	l := e.Lead
	answer := "no"
	if l.Request.Consent {
		answer = "yes"
	}
	how := "The sender states that the person agreed to the words below."
	if e.Shown() {
		how = "Our form showed the words below next to the box."
	}
	list := facts{
		{Name: "Answer", Text: answer},
		{Name: "When", Text: v.moment(l.CreatedAt)},
		{Name: "Came", Text: e.Door()},
		{Name: "How", Text: how},
		{Name: "For", Text: serviceName(l.Request.Service) + " in " + l.Request.ZIP},
		{Name: "Lead", Text: l.ID},
	}
	if seen := e.Contact.String(); seen != "" {
		list = append(list, fact{Name: "Who has the contact", Text: seen})
	}
	return list
}

func (v *visit) consentWords(e report.Evidence) []part {
	ref := e.Lead.Evidence.Consent
	if ref.Hash == "" {
		return []part{prose("No words are kept with this request.")}
	}
	matches := "yes, computed again now"
	if !e.Intact {
		matches = "no: the words were changed"
	}
	return []part{quotation(e.Text.Text), facts{
		{Name: "Version", Text: ref.Version},
		{Name: "SHA-256 of the words", Text: ref.Hash},
		{Name: "The words have it", Text: matches},
		{Name: "First used", Text: v.moment(e.Text.FirstUsed)},
		{Name: "Public page of the words", Text: v.Brand.BaseURL + "/consent/" + ref.Hash},
	}}
}

func (v *visit) personEvidence(e report.Evidence, revealed bool) []part {
	kept := "nothing: the person was erased"
	if len(e.Kept) > 0 {
		kept = strings.Join(e.Kept, ", ")
	}
	parts := []part{facts{{Name: "Kept", Text: kept}}}
	if revealed {
		return append(parts, v.factsOf(only(e.Fields(), "customer_name", "customer_phone", "customer_email", "address_line", "notes")))
	}
	if v.may(operates) && !e.Erased {
		parts = append(parts, v.formFor("/leads/{lead_id}/evidence/reveal", form{Title: "Show the person", What: "For a print that names the person. Who looked, when and why is recorded.", Inputs: []input{whyInput("Such as: a letter of the person's lawyer.")}}, nil))
	}
	return parts
}

// takenBack lists privacy requests and the suppression of the number.
func (v *visit) takenBack(e report.Evidence) part {
	t := table{Caption: "Taken back", Head: heads("When", "What", "State"), Empty: "No privacy request names this lead, and none that is open names its number. The number is not suppressed."}
	if e.Erased {
		t.Empty = "No privacy request names this lead. Its number is not kept any more."
	}
	for _, r := range e.Requests {
		kind := map[lead.PrivacyKind]string{lead.Withdraw: "privacy request: take the consent back", lead.EraseAll: "privacy request: erase"}[r.Kind]
		if kind == "" {
			kind = "privacy request: " + string(r.Kind)
		}
		t.Rows = append(t.Rows, row{Cells: []cell{tight(text(v.moment(r.At))), to(kind, v.address("/privacy/"+r.ID)), tagged(string(r.State), privacyTone(r.State))}})
	}
	if !e.Suppressed.IsZero() {
		t.Rows = append(t.Rows, row{Cells: []cell{tight(text(v.moment(e.Suppressed))), text("the number is suppressed: requests with it are refused since then"), tagged("in force", "good")}})
	}
	return t
}

// shortTimeline is what happened, without messages.
func (v *visit) shortTimeline(e report.Evidence) part {
	t := table{Caption: "What happened", Head: heads("When", "What", "Details")}
	for _, ev := range e.Events() {
		t.Rows = append(t.Rows, row{Cells: []cell{tight(text(v.moment(ev.At))), tight(text(ev.What)), {Text: terminal.OneLine(ev.Text)}}})
	}
	return t
}
