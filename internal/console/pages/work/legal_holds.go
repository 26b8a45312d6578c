package work

import (
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/terminal"
)

// legalHoldNotices say that a lead is under legal holds, before anything else.
func legalHoldNotices(v *page.Visit, d report.LeadDetail) (notices []page.Part) {
	market := ""
	if d.Lead.Status == lead.Received || d.Lead.Status == lead.Collected {
		market = " It is still on the market: to take it off, close it."
	}
	for _, h := range d.HoldsInForce() {
		notices = append(notices, page.Notice{Tone: "wait", Text: "Under a legal hold since " + v.Clock(h.CreatedAt) + ", by " + h.CreatedBy + ": " + terminal.OneLine(h.Why) + ". Nothing of it can be erased." + market})
	}
	return notices
}

// legalHoldForms add a legal hold to a lead, and remove those that it is under.
func legalHoldForms(v *page.Visit, holds []lead.LegalHold, name string) (forms []page.Part) {
	const add, remove = "/leads/{lead_id}/legal-hold", "/leads/{lead_id}/legal-holds/{legal_hold_id}/remove"
	title := "Legal hold"
	if len(holds) > 0 {
		title = "Another legal hold"
	}
	forms = append(forms, v.FormFor(add, page.Form{
		Title: title, Submit: "Put it under a legal hold",
		What: "For a claim or an investigation. Until you remove the hold, the person cannot be erased, and a privacy request for that stays open. The lead stays on the market, or off it, as it is now.",
	}, nil, "lead_id"))
	asked := v.R.PathValue("legal_hold_id")
	for _, h := range holds {
		v.R.SetPathValue("legal_hold_id", h.ID)
		forms = append(forms, v.OwnForm(h.ID, asked, remove, page.Form{
			Title: "Remove the legal hold: " + terminal.OneLine(h.Why), Submit: "Remove the legal hold", Danger: true, What: "The person can be erased again, unless another hold is left. That the hold was there stays on record.",
			Confirm: "Remove the legal hold on " + name + ". The matter is over.",
		}, nil))
	}
	v.R.SetPathValue("legal_hold_id", asked)
	return forms
}
