package keeping

import (
	"net/url"
	"strconv"
	"time"

	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const suppressionsOnPage = 100

// Suppressions lists the phone numbers that are not contacted, newest first. Whose they are is personal: each reading is recorded, and a
// number that is looked for is no part of an address.
func Suppressions(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Suppressed numbers", Above: []page.Link{{Text: "Privacy", Href: v.Address("/privacy")}}, Lede: "Their owners asked not to be contacted. The audit trail tells of each reading."}
	list, err := v.API.Do(v.Ctx, v.Caller(), "listSuppressions", nil, url.Values{"limit": {strconv.Itoa(suppressionsOnPage)}, "cursor": {v.Query("cursor")}}, "")
	if err != nil {
		return shown, err
	}
	t := page.Table{Caption: "Suppressed numbers", Head: page.Heads("Since", "Number", "Why"), Empty: "No number is suppressed.", Go: &page.Link{Text: "Suppress one", Href: v.Address("/privacy")}}
	numbers, _ := page.MemberOf(list, "data").([]wire.Object)
	for _, n := range numbers {
		since, _ := page.MemberOf(n, "created_at").(time.Time)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(since), page.Tight(page.Text(report.FieldText(page.MemberOf(n, "phone")))), page.Soft(report.FieldText(page.MemberOf(n, "reason")))}})
	}
	if next, more := page.MemberOf(list, "next_cursor").(*string); more && next != nil {
		t.Next = page.WithQuery(v.Address("/privacy/suppressions"), "cursor", *next)
	}
	if v.Result != nil {
		shown.Parts = append(shown.Parts, suppressionNotice(v.Result))
	}
	phone := page.TextInput("phone", "Phone", "", "")
	phone.Required = true
	add := v.FormFor("/privacy/suppressions/import", page.Form{Title: "Suppress many numbers", Submit: "Suppress them", What: "One on each line, up to some 4,000 at once. A number that is suppressed already keeps its reason and its date. foyer suppress import takes a file of any size.", Confirm: "Suppress all of them. Held leads with these numbers are closed, and stay closed."}, map[string]string{"reason": "asked not to be contacted"})
	for i := range add.Inputs {
		add.Inputs[i].Area = add.Inputs[i].Name == "phones"
	}
	shown.Parts = append(shown.Parts, page.Panel{Title: "Numbers", Parts: []page.Part{t}})
	shown.Aside = []page.Part{page.Panel{Title: "What you can do", Parts: []page.Part{
		v.FormFor("/privacy/suppressions/find", page.Form{Submit: "Find a number", Plain: true, Inputs: []page.Input{phone}}, nil),
		add,
		page.Facts{{Name: "One number", Text: "Suppress it, or accept it again", Href: v.Address("/privacy")}},
	}}}
	return shown, nil
}

// suppressionNotice says what was found, or what was imported.
func suppressionNotice(result wire.Object) page.Part {
	if says, found := page.MemberOf(result, "says").(string); found {
		return page.Notice{Tone: "good", Text: says}
	}
	return page.Notice{Tone: "good", Text: "Read " + report.FieldText(page.MemberOf(result, "read")) + " numbers. New: " + report.FieldText(page.MemberOf(result, "added")) + ". Held leads that were closed: " + report.FieldText(page.MemberOf(result, "held_closed")) + "."}
}

// FindSuppression looks for one number. Its page lists others, and records the reading.
func FindSuppression(v *page.Visit) error {
	phone, ok := lead.Phone(v.Form.Get("phone"))
	if !ok {
		return lead.InvalidField("phone", "phone: this is not a US phone number. Write ten digits, such as 305-555-0123.")
	}
	var since time.Time
	if err := v.Read(func(tx *store.Tx) (err error) { since, err = tx.Suppressions().Since(phone); return err }); err != nil {
		return err
	}
	says := phone + " is not suppressed."
	if !since.IsZero() {
		says = phone + " is suppressed since " + v.Clock(since) + "."
	}
	v.Result, v.ShowNow = wire.Object{{"says", says}}, true
	return nil
}
