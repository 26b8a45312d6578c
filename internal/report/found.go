package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// FoundLead is a lead in a list, without personal details: a row of the CSV export, of foyer leads list --json and of the API. A new member
// needs a text in console/openapi/members.go, and make golden.
func FoundLead(l store.FoundLead) wire.Object {
	return wire.Object{
		{"lead_id", l.ID},
		{"created_at", l.CreatedAt},
		{"service_type", l.Request.Service},
		{"zip_code", l.Request.ZIP},
		{"status", l.Status},
		{"door", l.Evidence.Channel},
		{"source", wire.OrNull(l.Source)},
		{"marks", l.Marks},
		{"buyer_id", wire.OrNull(l.Buyer)},
		{"offer_state", wire.OrNull(l.Offer)},
		{"price_cents", price(l)},
		{"sold_at", wire.TimeOrNull(l.SoldAt)},
		{"cost_cents", centsOrNull(l.Lead, l.Cost)},
	}
}

// price is what the buyer of a lead pays, or nil if there is no buyer.
func price(l store.FoundLead) *int64 {
	if l.Buyer == "" {
		return nil
	}
	return new(int64(l.Price))
}

// FoundLeadWithContact is a lead in a list, with who sent it.
func FoundLeadWithContact(l store.FoundLead) wire.Object {
	r := l.Request
	return append(append(FoundLead(l), wire.Object{
		{"customer_name", wire.OrNull(r.Contact.Name)},
		{"customer_phone", wire.OrNull(r.Contact.Phone)},
		{"customer_email", wire.OrNull(r.Contact.Email)},
		{"address_line", wire.OrNull(r.Contact.Street)},
		{"city", wire.OrNull(r.City)},
		{"state", wire.OrNull(r.State)},
		{"notes", wire.OrNull(r.Contact.Notes)},
	}...), append(wire.Object{{"source_key", wire.OrNull(l.Evidence.SourceKey)}}, attributionFields(l.Lead)...)...)
}

// CSV writes objects with the same members as lines of a file.
type CSV struct {
	to  *csv.Writer
	err error
}

// NewCSV returns a CSV that writes to w, and writes the names of the members as its first line.
func NewCSV(w io.Writer, like wire.Object) *CSV {
	names := make([]string, len(like))
	for i, m := range like {
		names[i] = fmt.Sprint(m[0])
	}
	c := &CSV{to: csv.NewWriter(w)}
	c.err = c.to.Write(names)
	return c
}

// Write writes one line.
func (c *CSV) Write(o wire.Object) error {
	cells := make([]string, len(o))
	for i, m := range o {
		cells[i] = cellText(m[1])
	}
	return errors.Join(c.err, c.to.Write(cells))
}

// Flush writes what is left.
func (c *CSV) Flush() error {
	c.to.Flush()
	return c.to.Error()
}

// cellText is a value in a CSV file: programs read it, and spreadsheets must not take it for a formula.
func cellText(v any) string {
	switch v := v.(type) {
	case []lead.Mark:
		return strings.ReplaceAll(Marks(v), " ", ",")
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case *time.Time:
		if v == nil {
			return ""
		}
		return v.Format(time.RFC3339Nano)
	}
	if o, ok := v.(wire.Object); ok {
		var parts []string
		for _, m := range o {
			parts = append(parts, fmt.Sprintf("%v %v", m[0], m[1]))
		}
		return strings.Join(parts, ", ")
	}
	text := FieldText(v)
	switch reflect.Indirect(reflect.ValueOf(v)).Kind() {
	case reflect.Int, reflect.Int64, reflect.Float64: // a negative number is no formula
		return text
	}
	if _, isPhone := lead.Phone(text); isPhone { // digits after a + are no formula
		return text
	}
	return query.GuardCell(text)
}
