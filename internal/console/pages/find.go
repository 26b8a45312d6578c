package pages

import (
	"net/http"
	"net/url"
	"strings"

	"foyer/internal/console"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// find leads to what was typed into the field at the side: a lead, a buyer or a place by their addresses; a person by a search, which is
// recorded and has no address.
func (v *visit) find() error {
	text := strings.TrimSpace(v.form.Get("find"))
	if to, found := v.addressOf(text); found {
		http.Redirect(v.w, v.r, to, http.StatusSeeOther)
		return errLeft
	}
	if !v.may(operates) {
		return &lead.Error{Kind: lead.Forbidden, Message: "Nothing has this id, name or ZIP code. Only operators can search for a person."}
	}
	v.form.Set(kindOfPerson(text), text)
	return v.searchPersons()
}

// addressOf is the page of what was typed, if it is no person.
func (v *visit) addressOf(text string) (string, bool) {
	if text == "" {
		return v.address("/leads"), true
	}
	if _, isZIP := lead.ZIP(text); isZIP || strings.HasSuffix(text, "*") {
		return withQuery(v.address("/leads"), "zip", text), true
	}
	if id, err := v.Operator.FindPart(v.ctx, text); err == nil {
		return v.address("/buyers/" + url.PathEscape(id)), true
	}
	err := v.read(func(tx *store.Tx) error { _, err := tx.Lead(text); return err })
	return v.address("/leads/" + url.PathEscape(text)), err == nil || strings.HasPrefix(text, "lead_")
}

// kindOfPerson says by what somebody is searched.
func kindOfPerson(text string) string {
	switch {
	case strings.Contains(text, "@"):
		return "email"
	case strings.ContainsAny(text, "0123456789"):
		return "phone"
	}
	return "name"
}

// personForm searches for a person. What it sends is never part of an address.
func (v *visit) personForm() form {
	return v.formFor("/leads/search", form{
		Title: "Find a person", Submit: "Find", What: "By phone number, e-mail address or name; by name within some days, 30 if you do not say which. The search is recorded.", Row: true,
		Inputs: []input{
			{Input: console.Input{Name: "phone", Label: "Phone", Kind: "text"}},
			{Input: console.Input{Name: "email", Label: "E-mail", Kind: "text"}},
			{Input: console.Input{Name: "name", Label: "Name", Kind: "text"}},
			{Input: console.Input{Name: "received", Label: "Received", Kind: "text", Help: "today, 7d, 2026-11"}},
		},
	}, nil)
}

// searchPersons records a search before it is made. The page with what it found is its answer: it has no address.
func (v *visit) searchPersons() error {
	given := v.personFilters()
	if len(given["phone"])+len(given["email"])+len(given["name"]) == 0 {
		return lead.InvalidField("phone", "phone: write a phone number, an e-mail address or a name.")
	}
	if _, err := query.ParseFilter(given, v.Now(), v.Zone); err != nil {
		return err
	}
	if err := v.Operator.RecordSearch(v.ctx, v.by(), given); err != nil {
		return err
	}
	v.showNow = true
	return nil
}

func (v *visit) personFilters() map[string][]string {
	given := map[string][]string{}
	for _, name := range []string{"phone", "email", "name", "received"} {
		if text := strings.TrimSpace(v.form.Get(name)); text != "" {
			given[name] = []string{text}
		}
	}
	if given["name"] != nil && given["received"] == nil { // names are read one by one
		given["received"] = []string{"30d"}
	}
	return given
}

func (v *visit) foundPersons() (view, error) {
	shown := view{Title: "Find a person", Above: []link{{"Leads", v.address("/leads")}}, Wide: true}
	if v.refused == "/find" {
		v.refused = "/leads/search"
	}
	form := v.personForm()
	form.Open = true
	for i := range form.Inputs {
		form.Inputs[i].Value = v.form.Get(form.Inputs[i].Name)
	}
	if v.may(operates) {
		shown.Parts = []part{panel{Parts: []part{form}}}
	}
	if v.problem != nil {
		return shown, nil
	}
	found, err := v.findLeads(v.personFilters(), "")
	if err != nil {
		return shown, err
	}
	found.Next, found.Go = "", nil
	found.Empty = "No lead of this person was found."
	shown.Parts = append(shown.Parts, panel{Title: "Found", Parts: []part{found}})
	return shown, nil
}
