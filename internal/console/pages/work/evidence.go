package work

import (
	"strings"

	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Evidence shows what is kept about the consent of a lead on one page, made to be printed. The person is shown only after somebody said
// why.
func Evidence(v *page.Visit) (page.View, error) {
	id := v.R.PathValue("lead_id")
	var e report.Evidence
	if err := v.Read(func(tx *store.Tx) (err error) { e, err = report.ReadEvidence(tx, id); return err }); err != nil {
		return page.View{}, err
	}
	l, revealed := e.Lead, v.Person == e.Lead.ID
	if !revealed {
		e = e.WithoutPerson()
	}
	shown := page.View{
		Title: "Evidence of consent", Above: []page.Link{{Text: "Leads", Href: v.Address("/leads")}, {Text: page.ShortID(l.ID), Href: v.Address("/leads/" + l.ID)}}, Wide: true,
		Lede: l.ID + ". Made at " + v.Moment(v.Now()) + " by " + v.Brand.Name + " for " + v.Who.User.Name + ".",
		Parts: []page.Part{
			page.Panel{Title: "The consent", Parts: []page.Part{consentFacts(v, e)}},
			page.Panel{Title: "The words", Parts: consentWords(v, e)},
			page.Panel{Title: "The person", Note: page.Masked(e.Erased, revealed), Parts: personEvidence(v, e, revealed)},
			page.Panel{Title: "How the request came", Parts: []page.Part{v.FactsOf(page.Only(e.Fields(), "form_token", "seconds_on_page", "page_version", "request_id", "source", "client", "user_agent", "page", "origin", "sec_fetch_site", "mcp_client"))}},
			page.Panel{Title: "Taken back", Parts: []page.Part{takenBack(v, e)}},
			page.Panel{Title: "What happened", Parts: []page.Part{shortTimeline(v, e)}},
			page.Panel{Title: "What is not known", Parts: []page.Part{page.Points(e.Unknown())}},
		},
	}
	return shown, nil
}

func consentFacts(v *page.Visit, e report.Evidence) page.Facts {
	l := e.Lead
	answer := "no"
	if l.Request.Consent {
		answer = "yes"
	}
	how := "The sender states that the person agreed to the words below."
	if e.Shown() {
		how = "Our form showed the words below next to the box."
	}
	list := page.Facts{
		{Name: "Answer", Text: answer},
		{Name: "When", Text: v.Moment(l.CreatedAt)},
		{Name: "Came", Text: e.Door()},
		{Name: "How", Text: how},
		{Name: "For", Text: page.ServiceName(l.Request.Service) + " in " + l.Request.ZIP},
		{Name: "Lead", Text: l.ID},
	}
	if seen := e.Contact.String(); seen != "" {
		list = append(list, page.Fact{Name: "Who has the contact", Text: seen})
	}
	return list
}

func consentWords(v *page.Visit, e report.Evidence) []page.Part {
	ref := e.Lead.Evidence.Consent
	if ref.Hash == "" {
		return []page.Part{page.Prose("No words are kept with this request.")}
	}
	matches := "yes, computed again now"
	if !e.Intact {
		matches = "no: the words were changed"
	}
	return []page.Part{page.Quotation(e.Text.Text), page.Facts{
		{Name: "Version", Text: ref.Version},
		{Name: "SHA-256 of the words", Text: ref.Hash},
		{Name: "The words have it", Text: matches},
		{Name: "First used", Text: v.Moment(e.Text.FirstUsed)},
		{Name: "Public page of the words", Text: v.Brand.BaseURL + "/consent/" + ref.Hash},
	}}
}

func personEvidence(v *page.Visit, e report.Evidence, revealed bool) []page.Part {
	kept := "nothing: the person was erased"
	if len(e.Kept) > 0 {
		kept = strings.Join(e.Kept, ", ")
	}
	parts := []page.Part{page.Facts{{Name: "Kept", Text: kept}}}
	if revealed {
		return append(parts, v.FactsOf(page.Only(e.Fields(), "customer_name", "customer_phone", "customer_email", "address_line", "notes")))
	}
	if v.May(store.RoleOperator) && !e.Erased {
		parts = append(parts, v.FormFor("/leads/{lead_id}/evidence/reveal", page.Form{Title: "Show the person", What: "For a print that names the person. Who looked, when and why is recorded.", Inputs: []page.Input{page.WhyInput("Such as: a letter of the person's lawyer.")}}, nil))
	}
	return parts
}

// takenBack lists privacy requests and the suppression of the number.
func takenBack(v *page.Visit, e report.Evidence) page.Part {
	t := page.Table{Caption: "Taken back", Head: page.Heads("When", "What", "State"), Empty: "No privacy request names this lead, and none that is open names its number. The number is not suppressed."}
	if e.Erased {
		t.Empty = "No privacy request names this lead. Its number is not kept any more."
	}
	for _, r := range e.Requests {
		kind := map[lead.PrivacyKind]string{lead.Withdraw: "privacy request: take the consent back", lead.EraseAll: "privacy request: erase"}[r.Kind]
		if kind == "" {
			kind = "privacy request: " + string(r.Kind)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Tight(page.Text(v.Moment(r.At))), page.To(kind, v.Address("/privacy/"+r.ID)), page.Tagged(string(r.State), page.PrivacyTone(r.State))}})
	}
	if !e.Suppressed.IsZero() {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Tight(page.Text(v.Moment(e.Suppressed))), page.Text("the number is suppressed: requests with it are refused since then"), page.Tagged("in force", "good")}})
	}
	return t
}

// shortTimeline is what happened, without messages.
func shortTimeline(v *page.Visit, e report.Evidence) page.Part {
	t := page.Table{Caption: "What happened", Head: page.Heads("When", "What", "Details")}
	for _, ev := range e.Events() {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Tight(page.Text(v.Moment(ev.At))), page.Tight(page.Text(ev.What)), {Text: page.InWords(terminal.OneLine(ev.Text))}}})
	}
	return t
}
