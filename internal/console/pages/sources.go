package pages

import (
	"cmp"

	"foyer/internal/buyer"
	"foyer/internal/console"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/source"
	"foyer/internal/terminal"
)

// sources lists where leads come from, and what that costs and brings in.
func (v *visit) sources() (view, error) {
	list, err := v.Operator.Sources(v.ctx)
	if err != nil {
		return view{}, err
	}
	t := table{
		Caption: "Sources of leads, this month", Keys: true, Head: heads("Name", "Key", "State", ">Per lead", "Paid for", ">Leads this month", ">Sold", ">Revenue", ">Cost", ">Margin"),
		Empty: "No source yet. Leads without one are direct.",
	}
	for _, s := range list {
		href := v.address("/sources/" + s.Key)
		t.Rows = append(t.Rows, row{[]cell{
			to(s.Terms.Name, href), tight(text(s.Key)), sourceState(s.Source), money(s.Terms.Cost), tight(text(report.SourceCaps(s))),
			count(s.Month.Received), right(percent(s.Month.Outcomes[buyer.OutcomeSold], s.Month.Demand())), money(s.Month.Revenue), money(s.Month.Cost), money(s.Month.Margin()),
		}, href})
	}
	shown := view{Title: "Sources", Wide: true, Parts: []part{panel{Parts: []part{t}}}}
	if len(list) > 0 {
		var all query.LeadsRow
		for _, s := range list {
			all.Received, all.Revenue, all.Cost = all.Received+s.Month.Received, all.Revenue+s.Month.Revenue, all.Cost+s.Month.Cost
		}
		shown.Stats = []stat{{Label: "Leads this month", Value: terminal.Number(all.Received), Note: "of these sources"}, {Label: "Revenue", Value: all.Revenue.String()}, {Label: "Cost", Value: all.Cost.String()}, {Label: "Margin", Value: all.Margin().String()}}
	}
	if v.may(operates) {
		add := v.formFor("/sources/add", form{Title: "Add a source", Submit: "Add", What: "It gets a public key: for links to the form, ?source=KEY, and for the header Foyer-Source of programs."}, nil)
		for i := range add.Inputs {
			add.Inputs[i].Area = add.Inputs[i].Name == "consent_text"
		}
		add.Open = add.Open || len(list) == 0
		shown.Parts = append(shown.Parts, panel{Parts: []part{add}})
	}
	return shown, nil
}

func sourceState(s source.Source) cell {
	if s.State == source.Blocked {
		return tagged(string(s.State), "stop")
	}
	return tagged(string(s.State), "good")
}

// source shows everything about a source.
func (v *visit) source() (view, error) {
	s, err := v.Operator.Source(v.ctx, v.r.PathValue("source"))
	if err != nil {
		return view{}, err
	}
	state := sourceState(s.Source)
	shown := view{
		Title: cmp.Or(s.Terms.Name, s.Key), Above: []link{{"Sources", v.address("/sources")}}, Tag: &tag{state.Text, state.Tone},
		Parts: []part{panel{Title: "This source", Parts: []part{v.factsOf(report.SourceFields(s)), facts{{Name: "Leads", Text: "All of this source", Href: withQuery(v.address("/leads"), "source", s.Key)}}}}},
	}
	if !v.may(operates) {
		return shown, nil
	}
	var forms []part
	if s.State == source.Blocked {
		forms = append(forms, v.formFor("/sources/{source}/unblock", form{Title: "Unblock", What: "Its key counts again. Leads that are held stay held."}, nil))
	} else {
		forms = append(forms, v.formFor("/sources/{source}/block", form{Title: "Block", What: "Its key is ignored. Requests with it are kept, and marked."}, nil))
	}
	shown.Parts = append(shown.Parts, panel{Title: "What you can do", Parts: append(forms, v.editSourceForm(s))})
	return shown, nil
}

func (v *visit) editSourceForm(s operator.SourceSummary) part {
	typed := entered.SourceTexts(s.Terms)
	f := form{Title: "Edit", Submit: "Save", Hidden: []pair{{"seen", fingerprint(typed)}}, What: "What leads cost changes for those that come from now on."}
	for _, in := range console.Inputs("editSource") {
		x := input{Input: in, Value: typed[cmp.Or(in.Flag, in.Name)]}
		x.Area = in.Name == "consent_text"
		f.Inputs = append(f.Inputs, x)
	}
	return v.formFor("/sources/{source}/edit", f, nil)
}

func (v *visit) editSource() error {
	s, err := v.Operator.Source(v.ctx, v.r.PathValue("source"))
	if err != nil {
		return err
	}
	changed, err := v.changed("editSource", entered.SourceTexts(s.Terms))
	if err != nil {
		return err
	}
	_, err = v.API.Do(v.ctx, v.caller(), "editSource", map[string]string{"source": s.Key}, changed, v.form.Get("once"))
	return err
}
