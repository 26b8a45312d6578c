package work

import (
	"cmp"

	"foyer/internal/buyer"
	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/operator/sources"
	"foyer/internal/report"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Sources lists where leads come from, and what that costs and brings in.
func Sources(v *page.Visit) (page.View, error) {
	list, err := v.Operator.Sources().List(v.Ctx)
	if err != nil {
		return page.View{}, err
	}
	t := page.Table{
		Caption: "Sources of leads, this month", Keys: true, Head: page.Heads("Name", "Key", "State", ">Per lead", "Paid for", ">Leads this month", ">Sold", ">Revenue", ">Cost", ">Margin"),
		Empty: "No source yet. Leads without one are direct.",
	}
	for _, s := range list {
		href := v.Address("/sources/" + s.Key)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{
			page.To(s.Terms.Name, href), page.Tight(page.Text(s.Key)), sourceState(s.Source), page.Money(s.Terms.Cost), page.Tight(page.Text(report.SourceCaps(s))),
			page.Count(s.Month.Received), page.Right(page.Percent(s.Month.Outcomes[buyer.OutcomeSold], s.Month.Demand())), page.Money(s.Month.Revenue), page.Money(s.Month.Cost), page.Money(s.Month.Margin()),
		}, Href: href})
	}
	shown := page.View{Title: "Sources", Wide: true, Parts: []page.Part{page.Panel{Parts: []page.Part{t}}}}
	if len(list) > 0 {
		var all query.LeadsRow
		for _, s := range list {
			all.Received, all.Revenue, all.Cost = all.Received+s.Month.Received, all.Revenue+s.Month.Revenue, all.Cost+s.Month.Cost
		}
		shown.Stats = []page.Stat{{Label: "Leads this month", Value: terminal.Number(all.Received), Note: "of these sources"}, {Label: "Revenue", Value: all.Revenue.String()}, {Label: "Cost", Value: all.Cost.String()}, {Label: "Margin", Value: all.Margin().String()}}
	}
	if v.May(store.RoleOperator) {
		add := v.FormFor("/sources/add", page.Form{Title: "Add a source", Submit: "Add", What: "It gets a public key: for links to the form, ?source=KEY, and for the header Foyer-Source of programs."}, nil)
		for i := range add.Inputs {
			add.Inputs[i].Area = add.Inputs[i].Name == "consent_text"
		}
		add.Open = add.Open || len(list) == 0
		shown.Parts = append(shown.Parts, page.Panel{Parts: []page.Part{add}})
	}
	return shown, nil
}

func sourceState(s source.Source) page.Cell {
	if s.State == source.Blocked {
		return page.Tagged(string(s.State), "stop")
	}
	return page.Tagged(string(s.State), "good")
}

// Source shows everything about a source.
func Source(v *page.Visit) (page.View, error) {
	s, err := v.Operator.Sources().Find(v.Ctx, v.R.PathValue("source"))
	if err != nil {
		return page.View{}, err
	}
	state := sourceState(s.Source)
	shown := page.View{
		Title: cmp.Or(s.Terms.Name, s.Key), Above: []page.Link{{Text: "Sources", Href: v.Address("/sources")}}, Tag: &page.Tag{Text: state.Text, Tone: state.Tone},
		Parts: []page.Part{page.Panel{Title: "This source", Parts: []page.Part{v.FactsOf(report.SourceFields(s, v.Brand.BaseURL)), page.Facts{{Name: "Leads", Text: "All of this source", Href: page.WithQuery(v.Address("/leads"), "source", s.Key)}}}}},
	}
	if !v.May(store.RoleOperator) {
		return shown, nil
	}
	var forms []page.Part
	if s.State == source.Blocked {
		forms = append(forms, v.FormFor("/sources/{source}/unblock", page.Form{Title: "Unblock", What: "Its key counts again. Leads that are held stay held."}, nil))
	} else {
		forms = append(forms, v.FormFor("/sources/{source}/block", page.Form{Title: "Block", What: "Its key is ignored. Requests with it are kept, and marked."}, nil))
	}
	shown.Parts = append(shown.Parts, page.Panel{Title: "What you can do", Parts: append(forms, editSourceForm(v, s))})
	return shown, nil
}

func editSourceForm(v *page.Visit, s sources.Summary) page.Part {
	typed := entered.SourceTexts(s.Terms)
	f := page.Form{Title: "Edit", Submit: "Save", Hidden: []page.Pair{{Name: "seen", Value: page.Fingerprint(typed)}}, What: "What leads cost changes for those that come from now on."}
	for _, in := range console.Inputs("editSource") {
		x := page.Input{Input: in, Value: typed[cmp.Or(in.Flag, in.Name)]}
		x.Area = in.Name == "consent_text"
		f.Inputs = append(f.Inputs, x)
	}
	return v.FormFor("/sources/{source}/edit", f, nil)
}

func EditSource(v *page.Visit) error {
	s, err := v.Operator.Sources().Find(v.Ctx, v.R.PathValue("source"))
	if err != nil {
		return err
	}
	changed, err := v.Changed("editSource", entered.SourceTexts(s.Terms))
	if err != nil {
		return err
	}
	_, err = v.API.Do(v.Ctx, v.Caller(), "editSource", map[string]string{"source": s.Key}, changed, v.Form.Get("once"))
	return err
}
