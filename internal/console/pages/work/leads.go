package work

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// shownFilters are the filters that the page of leads has inputs for. All others work in the address, too.
var shownFilters = []string{"status", "service", "zip", "state", "buyer", "source", "received", "sold"}

const (
	leadsOnPage = 50
	searchTime  = 60 * time.Millisecond // a page is there at once, with a link to search further back
)

// Leads lists leads by the filters of the address, so that a bookmark is a saved view.
func Leads(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Leads", Wide: true}
	given, extra := givenFilters(v)
	found, err := findLeads(v, given, v.Query("cursor"))
	filters := filterForm(v, given, extra)
	if problem := page.AsProblem(err); problem != nil {
		filters.Problem = problem.Message
		shown.Parts = []page.Part{page.Panel{Parts: []page.Part{filters}}}
		return shown, nil
	}
	if err != nil {
		return shown, err
	}
	search := page.Panel{Parts: []page.Part{filters}}
	if v.May(store.RoleOperator) {
		search.Parts = append(search.Parts, personForm(v))
	}
	shown.Parts = []page.Part{search, page.Panel{Parts: []page.Part{found}}}
	return shown, nil
}

// givenFilters are the filters of the address: those with an input, and all others.
func givenFilters(v *page.Visit) (given map[string][]string, extra []page.Pair) {
	given = map[string][]string{}
	values := v.R.URL.Query()
	for _, w := range query.FilterWords {
		if personal[w.Name] || strings.TrimSpace(values.Get(w.Name)) == "" {
			continue
		}
		given[w.Name] = values[w.Name]
		if !slices.Contains(shownFilters, w.Name) {
			extra = append(extra, page.Pair{Name: w.Name, Value: strings.Join(values[w.Name], ",")})
		}
	}
	return given, extra
}

// personal are the filters that never stand in an address.
var personal = map[string]bool{"phone": true, "email": true, "name": true}

func filterForm(v *page.Visit, given map[string][]string, extra []page.Pair) page.Form {
	f := page.Form{Get: true, Row: true, Title: "Filter", Open: len(given) > 0, Action: v.Address("/leads"), Submit: "Filter", Hidden: extra}
	help := map[string]string{"received": "today, 7d, 2026-11", "sold": "today, 7d, 2026-11", "zip": "33139 or 331*", "state": "FL or Florida", "buyer": "name or id", "source": "name, key or direct"}
	for _, name := range shownFilters {
		in := page.Input{Input: console.Input{Name: name, Label: strings.ToUpper(name[:1]) + name[1:], Kind: "text", Help: help[name]}, ID: "filter-" + name, Value: strings.Join(given[name], ",")}
		switch name {
		case "zip":
			in.Label = "ZIP"
		case "status":
			in.Choices = []string{"received", "collected", "forwarded", "call_to_connect", "rejected", "error"}
		case "service":
			for _, s := range lead.Services {
				in.Choices = append(in.Choices, string(s))
			}
		}
		f.Inputs = append(f.Inputs, in)
	}
	return f
}

// findLeads lists a page of leads.
func findLeads(v *page.Visit, given map[string][]string, cursor string) (t page.Table, err error) {
	filter, err := query.ParseFilter(given, v.Now(), v.Zone)
	if err != nil {
		return t, err
	}
	began := time.Now()
	at := store.LeadPage{Limit: leadsOnPage, Ended: func() bool { return time.Since(began) > searchTime }}
	if cursor != "" {
		if at.Before, err = strconv.ParseInt(cursor, 10, 64); err != nil || at.Before < 1 {
			return t, lead.InvalidField("cursor", "The page that the address names is gone: begin again.")
		}
	}
	names, err := buyerNames(v)
	if err != nil {
		return t, err
	}
	var found store.FoundLeads
	if err := v.Read(func(tx *store.Tx) error { found, err = filter.Find(tx, v.API.SearchKey, at); return err }); err != nil {
		return t, err
	}
	t = leadTable(v, found, names)
	t.Live = false
	t.Empty, t.Go = "No lead matches.", &page.Link{Text: "Clear the filters", Href: v.Address("/leads")}
	if len(given) == 0 {
		t.Empty, t.Live = "No lead yet. The public form takes the first one.", cursor == ""
		t.Go = &page.Link{Text: "Open the form", Href: v.Brand.Path() + "/"}
	}
	if found.Next != 0 {
		q := v.R.URL.Query()
		q.Set("cursor", strconv.FormatInt(found.Next, 10))
		q.Del("done")
		t.Next = v.Address("/leads") + "?" + q.Encode()
	}
	if !found.SearchedTo.IsZero() && len(found.Leads) == 0 {
		t.Empty = "Nothing found back to " + v.Clock(found.SearchedTo) + "."
	}
	return t, nil
}
