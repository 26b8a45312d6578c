package work

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// Find leads to what was typed into the field at the side: a lead, a buyer or a place by their addresses; a person by a search, which is
// recorded and has no address.
func Find(v *page.Visit) error {
	text := strings.TrimSpace(v.Form.Get("find"))
	if to, found := addressOf(v, text); found {
		http.Redirect(v.W, v.R, to, http.StatusSeeOther)
		return page.ErrLeft
	}
	if !v.May(store.RoleOperator) {
		return &lead.Error{Kind: lead.Forbidden, Message: "Nothing has this id, name or ZIP code. Only operators can search for a person."}
	}
	v.Form.Set(kindOfPerson(text), text)
	return SearchPersons(v)
}

// zipPattern matches the beginning of a ZIP code, such as 331*. What else ends in an asterisk may be a person, who belongs in no address.
var zipPattern = regexp.MustCompile(`^[0-9]{1,4}\*$`)

// addressOf is the page of what was typed, if it is no person.
func addressOf(v *page.Visit, text string) (string, bool) {
	if text == "" {
		return v.Address("/leads"), true
	}
	if _, isZIP := lead.ZIP(text); isZIP || zipPattern.MatchString(text) {
		return page.WithQuery(v.Address("/leads"), "zip", text), true
	}
	if id, err := v.Operator.FindPart(v.Ctx, text); err == nil {
		return v.Address("/buyers/" + url.PathEscape(id)), true
	}
	err := v.Read(func(tx *store.Tx) error { _, err := tx.Lead(text); return err })
	return v.Address("/leads/" + url.PathEscape(text)), err == nil || strings.HasPrefix(text, "lead_")
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
func personForm(v *page.Visit) page.Form {
	return v.FormFor("/leads/search", page.Form{
		Title: "Find a person", Submit: "Find", What: "By phone number, e-mail address or name; by name within some days, 30 if you do not say which. The search is recorded.", Row: true,
		Inputs: []page.Input{
			{Input: console.Input{Name: "phone", Label: "Phone", Kind: "text"}},
			{Input: console.Input{Name: "email", Label: "E-mail", Kind: "text"}},
			{Input: console.Input{Name: "name", Label: "Name", Kind: "text"}},
			{Input: console.Input{Name: "received", Label: "Received", Kind: "text", Help: "today, 7d, 2026-11"}},
		},
	}, nil)
}

// SearchPersons records a search before it is made. The page with what it found is its answer: it has no address.
func SearchPersons(v *page.Visit) error {
	given := personFilters(v)
	if len(given["phone"])+len(given["email"])+len(given["name"]) == 0 {
		return lead.InvalidField("phone", "phone: write a phone number, an e-mail address or a name.")
	}
	if _, err := query.ParseFilter(given, v.Now(), v.Zone); err != nil {
		return err
	}
	if err := v.Operator.RecordSearch(v.Ctx, v.By(), given); err != nil {
		return err
	}
	v.ShowNow = true
	return nil
}

func personFilters(v *page.Visit) map[string][]string {
	given := map[string][]string{}
	for _, name := range []string{"phone", "email", "name", "received"} {
		if text := strings.TrimSpace(v.Form.Get(name)); text != "" {
			given[name] = []string{text}
		}
	}
	if given["name"] != nil && given["received"] == nil { // names are read one by one
		given["received"] = []string{"30d"}
	}
	return given
}

func FoundPersons(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Find a person", Above: []page.Link{{Text: "Leads", Href: v.Address("/leads")}}, Wide: true}
	if v.Refused == "/find" {
		v.Refused = "/leads/search"
	}
	form := personForm(v)
	form.Open = true
	for i := range form.Inputs {
		form.Inputs[i].Value = v.Form.Get(form.Inputs[i].Name)
	}
	if v.May(store.RoleOperator) {
		shown.Parts = []page.Part{page.Panel{Parts: []page.Part{form}}}
	}
	if v.Problem != nil {
		return shown, nil
	}
	found, err := findLeads(v, personFilters(v), "")
	if err != nil {
		return shown, err
	}
	found.Next, found.Go = "", nil
	found.Empty = "No lead of this person was found."
	shown.Parts = append(shown.Parts, page.Panel{Title: "Found", Parts: []page.Part{found}})
	return shown, nil
}
