package pages

import (
	"net/url"
	"strconv"
	"time"

	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const suppressionsOnPage = 100

// suppressions lists the phone numbers that are not contacted, newest first. Whose they are is personal: each reading is recorded, and a
// number that is looked for is no part of an address.
func (v *visit) suppressions() (view, error) {
	shown := view{Title: "Suppressed numbers", Above: []link{{"Privacy", v.address("/privacy")}}, Lede: "Their owners asked not to be contacted. The audit trail tells of each reading."}
	list, err := v.API.Do(v.ctx, v.caller(), "listSuppressions", nil, url.Values{"limit": {strconv.Itoa(suppressionsOnPage)}, "cursor": {v.query("cursor")}}, "")
	if err != nil {
		return shown, err
	}
	t := table{Caption: "Suppressed numbers", Head: heads("Since", "Number", "Why"), Empty: "No number is suppressed.", Go: &link{"Suppress one", v.address("/privacy")}}
	numbers, _ := member(list, "data").([]wire.Object)
	for _, n := range numbers {
		since, _ := member(n, "created_at").(time.Time)
		t.Rows = append(t.Rows, row{Cells: []cell{when(since), tight(text(report.FieldText(member(n, "phone")))), soft(report.FieldText(member(n, "reason")))}})
	}
	if next, more := member(list, "next_cursor").(*string); more && next != nil {
		t.Next = withQuery(v.address("/privacy/suppressions"), "cursor", *next)
	}
	if v.result != nil {
		shown.Parts = append(shown.Parts, suppressionNotice(v.result))
	}
	phone := field("phone", "Phone", "", "")
	phone.Required = true
	add := v.formFor("/privacy/suppressions/import", form{Title: "Suppress many numbers", Submit: "Suppress them", What: "One on each line, up to some 4,000 at once. A number that is suppressed already keeps its reason and its date. foyer suppress import takes a file of any size."}, map[string]string{"reason": "asked not to be contacted"})
	for i := range add.Inputs {
		add.Inputs[i].Area = add.Inputs[i].Name == "phones"
	}
	shown.Parts = append(shown.Parts, panel{Title: "Numbers", Parts: []part{t}})
	shown.Aside = []part{panel{Title: "What you can do", Parts: []part{
		v.formFor("/privacy/suppressions/find", form{Submit: "Find a number", Plain: true, Inputs: []input{phone}}, nil),
		add,
		facts{{Name: "One number", Text: "Suppress it, or accept it again", Href: v.address("/privacy")}},
	}}}
	return shown, nil
}

// suppressionNotice says what was found, or what was imported.
func suppressionNotice(result wire.Object) part {
	if says, found := member(result, "says").(string); found {
		return notice{Tone: "good", Text: says}
	}
	return notice{Tone: "good", Text: "Read " + report.FieldText(member(result, "read")) + " numbers. New: " + report.FieldText(member(result, "added")) + ". Held leads that were closed: " + report.FieldText(member(result, "held_closed")) + "."}
}

// findSuppression looks for one number. Its page lists others, and records the reading.
func (v *visit) findSuppression() error {
	phone, ok := lead.Phone(v.form.Get("phone"))
	if !ok {
		return lead.InvalidField("phone", "phone: this is not a US phone number. Write ten digits, such as 305-555-0123.")
	}
	var since time.Time
	if err := v.read(func(tx *store.Tx) (err error) { since, err = tx.Suppressions().Since(phone); return err }); err != nil {
		return err
	}
	says := phone + " is not suppressed."
	if !since.IsZero() {
		says = phone + " is suppressed since " + v.clock(since) + "."
	}
	v.result, v.showNow = wire.Object{{"says", says}}, true
	return nil
}
