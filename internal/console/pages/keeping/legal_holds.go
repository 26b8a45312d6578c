package keeping

import (
	"errors"
	"net/url"
	"strings"

	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// legalHolds lists the legal holds in force, with forms to add and to remove one.
func legalHolds(v *page.Visit) (page.Part, error) {
	var list []lead.LegalHold
	if err := v.Read(func(tx *store.Tx) (err error) { list, err = tx.LegalHolds().List(false); return err }); err != nil {
		return nil, err
	}
	t := page.Table{Caption: "Legal holds", Keys: true, Head: page.Heads("Since", "Lead", "Why", "By", "Hold"), Empty: "No lead is under a legal hold.", Cards: true}
	for _, h := range list {
		href := v.Address("/leads/" + h.LeadID)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(h.CreatedAt), page.Tight(page.To(page.ShortID(h.LeadID), href)), page.Text(terminal.OneLine(h.Why)), page.Soft(h.CreatedBy), page.Soft(h.ID)}, Href: href})
	}
	parts := []page.Part{t}
	if v.May(store.RoleOperator) {
		parts = append(parts,
			v.FormFor("/privacy/legal-holds/add", page.Form{
				Title: "Put a lead under a legal hold", What: "For a claim or an investigation. Until you remove the hold, its person cannot be erased, and a privacy request for that stays open. The lead stays on the market, or off it, as it is now.",
				Inputs: page.InputsOf("addLegalHold", nil),
			}, nil),
			v.FormFor("/privacy/legal-holds/remove", page.Form{
				Title: "Remove a legal hold", Danger: true, What: "Its lead can be erased again, unless another hold is left. That the hold was there stays on record.", Confirm: "Remove this legal hold. The matter is over.",
				Inputs: append([]page.Input{page.TextInput("legal_hold_id", "Hold", "", "its id, or that of its lead")}, page.InputsOf("removeLegalHold", nil)...),
			}, nil))
	}
	return page.Panel{Title: "Legal holds", Note: "Leads that must not be destroyed, because of a claim or an investigation.", Parts: parts}, nil
}

// AddLegalHold puts a lead under a legal hold. An id that is wrong is a problem of the form.
func AddLegalHold(v *page.Visit) error {
	_, err := v.API.Do(v.Ctx, v.Caller(), "addLegalHold", nil, v.Form, v.Form.Get("once"))
	return inForm(err, "lead_id")
}

// RemoveLegalHold removes a legal hold.
func RemoveLegalHold(v *page.Visit) error {
	inPath := map[string]string{"legal_hold_id": strings.TrimSpace(v.Form.Get("legal_hold_id"))}
	_, err := v.API.Do(v.Ctx, v.Caller(), "removeLegalHold", inPath, url.Values{"why": v.Form["why"]}, v.Form.Get("once"))
	return inForm(err, "legal_hold_id")
}

// inForm says beside a field that what it names is not there, instead of on a page of its own.
func inForm(err error, field string) error {
	if e, ok := errors.AsType[*lead.Error](err); ok && e.Kind == lead.NotFound {
		return lead.InvalidField(field, field+": "+e.Message)
	}
	return err
}

// keptOpen says which legal holds keep a privacy request open.
func keptOpen(v *page.Visit, rc report.PrivacyCase) string {
	var list []string
	for _, h := range rc.KeptOpen {
		list = append(list, page.ShortID(h.LeadID)+" is under a legal hold since "+v.Clock(h.CreatedAt)+" ("+terminal.OneLine(h.Why)+")")
	}
	return strings.Join(list, "; ")
}
