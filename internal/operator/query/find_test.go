package query_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestFilterWords runs each word on a few leads. The newest is found first.
func TestFilterWords(t *testing.T) {
	t.Parallel()
	o := newTestStore(t)
	cool := o.addBuyer("buyer_1", "Cool Air")
	o.addBuyer("buyer_2", "Cool, Calm")
	for i, l := range []struct {
		status       lead.Status
		service      lead.Service
		zip, phone   string
		name, email  string
		mark         lead.Mark
		hoursLater   int
		offeredState buyer.OfferState
	}{
		{lead.Forwarded, lead.HVAC, "33139", "+13055550101", "Pat Example", "Pat@Example.com", lead.Duplicate, 0, buyer.OfferDelivered},
		{lead.Collected, lead.DeepCleaning, "30303", "+14045550102", "Sam, the Sample", "", lead.Automated, 30, buyer.OfferDeclined},
		{lead.Errored, lead.HVAC, "30310", "+13055550101", "Patricia Other", "sam@example.com", "", 60, buyer.OfferLost},
	} {
		stored := storetest.Lead(fmt.Sprint("lead_", i+1))
		stored.Status, stored.CreatedAt = l.status, storetest.Noon.Add(time.Duration(l.hoursLater)*time.Hour)
		stored.Request.Service, stored.Request.ZIP = l.service, l.zip
		stored.Request.Contact = lead.Contact{Name: l.name, Phone: l.phone, Email: l.email}
		if l.mark != "" {
			stored.Marks = []lead.Mark{l.mark}
		}
		storetest.Save(t, o.store, stored)
		o.update(func(tx *store.Tx) error {
			seq, err := tx.LeadOf(stored.ID)
			if err != nil {
				return err
			}
			offer := buyer.Offer{ID: fmt.Sprint("offer_", i+1), Lead: seq, Buyer: cool.ID, At: stored.CreatedAt, State: buyer.OfferOpen}
			if err := tx.AddOffer(offer); err != nil {
				return err
			}
			if err := tx.AddAttempt(buyer.Attempt{Offer: offer.ID, Lead: seq, Kind: "lead.offered", At: offer.At}); err != nil {
				return err
			}
			offer.State = l.offeredState
			if err := tx.PutOffer(offer, buyer.OfferOpen); err != nil || l.status != lead.Forwarded {
				return err
			}
			return tx.AddHistory(seq, lead.Change{At: stored.CreatedAt, Status: lead.Forwarded, Actor: lead.ByService})
		})
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	now := storetest.Noon.Add(61 * time.Hour) // leads came on the 5th at noon, the 6th at 18:00 and the 8th at midnight, UTC
	for filter, want := range map[string]string{
		"":                                "3 2 1",
		"id=lead_2":                       "2",
		"id=offer_3,lead_1":               "3 1",
		"phone=305-555-0101":              "3 1",
		"phone=(404) 555-0102":            "2",
		"email=pat@example.COM":           "1",
		"name=PAT|received=30d":           "3 1",
		"name=sam, the|received=30d":      "2",
		"status=error":                    "3",
		"status=error,forwarded":          "3 1",
		"service=deep-cleaning":           "2",
		"service=HVAC|service=handyman":   "3 1",
		"status=Error":                    "3",
		"received=2d..today":              "3 2",
		"offered=Cool, Calm":              "",
		"buyer=Cool, Calm|buyer=Cool Air": "3 1",
		"service=hvac,handyman":           "3 1",
		"zip=30303":                       "2",
		"zip=303*":                        "3 2",
		"zip=303*,33139":                  "3 2 1",
		"state=GA":                        "3 2",
		"state=fl, ga":                    "3 2 1",
		"state=Georgia":                   "3 2",
		"mark=duplicate":                  "1",
		"mark=duplicate,automated":        "2 1",
		"buyer=Cool Air":                  "3 1",
		"buyer=" + cool.ID:                "3 1",
		"offered=cool air":                "3 2 1",
		"received=2026-11-05":             "1",
		"received=2026-11-06":             "2",
		"received=2026-11-07":             "3", // 19:00 in New York
		"received=2026-11":                "3 2 1",
		"received=2026-10":                "",
		"received=2026-11-06..":           "3 2",
		"received=..2026-11-06":           "2 1",
		"received=2026-11-05..2026-11-06": "2 1",
		"received=2026-11-06T13:00..2026-11-06 13:01": "2",
		"received=2026-11-06T18:00:00Z..":             "3 2",
		"received=yesterday":                          "2",
		"received=today":                              "3",
		"received=2h":                                 "3",
		"received=2d":                                 "3 2",
		"sold=2026-11-05":                             "1",
		"sold=2026-11-06..":                           "",
		"status=error|zip=303*|buyer=Cool Air":        "3",
		"status=forwarded|zip=303*":                   "",
	} {
		words := make(map[string][]string)
		for word := range strings.SplitSeq(filter, "|") {
			if name, value, given := strings.Cut(word, "="); given {
				words[name] = append(words[name], value)
			}
		}
		q, err := query.ParseFilter(words, now, zone)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		var got []string
		if err := o.store.View(t.Context(), func(tx *store.Tx) error {
			found, err := q.Find(tx, nil, store.LeadPage{Limit: 10})
			for _, l := range found.Leads {
				got = append(got, strings.TrimPrefix(l.ID, "lead_"))
			}
			return err
		}); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, %v; want %s", filter, got, err, want)
		}
	}
}

func TestWrongFilters(t *testing.T) {
	t.Parallel()
	for filter, want := range map[string]string{
		"phone=305-555":                   "phone: not a US phone number: write ten digits.",
		"email=pat":                       "email: not an e-mail address: write one such as pat@example.com.",
		"name=pat":                        "name: names are searched one by one: give a range of dates with received, too, such as 30d.",
		"status=sold":                     `status: "sold" is unknown: write received, forwarded, collected, call_to_connect, rejected or error.`,
		"service=roofing":                 `service: "roofing" is unknown: write house_cleaning, `,
		"phone=":                          "phone: it is empty: write a value, or leave it out.",
		"name= ":                          "name: it is empty",
		"service=,":                       "service: it is empty",
		"buyer=":                          "buyer: it is empty",
		"zip=30303,3030":                  "zip: value 2 of 2 is not a ZIP code",
		"zip=3030":                        "zip: not a ZIP code: write five digits, or how it begins, such as 303*.",
		"zip=*":                           "zip: not a ZIP code",
		"zip=30x*":                        "zip: not a ZIP code",
		"state=Gorgia":                    "state: not a state with ZIP codes of its own: write its code or its name, such as GA or Georgia.",
		"mark=bad":                        `mark: "bad" is unknown: write phone_implausible, `,
		"received=soon":                   `received: "soon" is no date: write one such as 2026-11-05, `,
		"received=2026-11-31":             `"2026-11-31" is no date`,
		"received=2026-11-07..2026-11-05": `received: "2026-11-07..2026-11-05" ends before it begins.`,
		"received=2026-11-05T08:00":       `received: "2026-11-05T08:00" is a moment: write .. before it or after it.`,
		"received=..":                     "received: write at least one date.",
		"received=0d":                     `"0d" is no date`,
		"received=7d|received=8d":         "received: it is given twice",
		"color=red":                       "color: there is no such filter. Leads are filtered by id, phone, ",
	} {
		name, _, _ := strings.Cut(filter, "=")
		var values []string
		for word := range strings.SplitSeq(filter, "|") {
			values = append(values, strings.TrimPrefix(word, name+"="))
		}
		_, err := query.ParseFilter(map[string][]string{name: values}, storetest.Noon, time.UTC)
		var refused *lead.Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, want) || refused.Kind != lead.Invalid || refused.Problems[0].Field != name {
			t.Errorf("%s: %+v, want %s", filter, refused, want)
		}
	}
}

// TestDaysOfClockChanges wants a day to be as long as it is, in three time zones.
func TestDaysOfClockChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, day string
		hours     int
	}{
		{"America/New_York", "2026-03-08", 23},
		{"America/New_York", "2026-11-01", 25},
		{"America/New_York", "2026-11-02", 24},
		{"America/Los_Angeles", "2026-11-01", 25},
		{"America/Phoenix", "2026-11-01", 24},
	} {
		o := newTestStore(t)
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		begin, err := time.ParseInLocation(time.DateOnly, c.day, zone)
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range []time.Time{begin.Add(-time.Microsecond), begin, begin.Add(time.Duration(c.hours)*time.Hour - time.Microsecond), begin.Add(time.Duration(c.hours) * time.Hour)} {
			l := storetest.Lead(fmt.Sprint("lead_", i))
			l.CreatedAt = at
			storetest.Save(t, o.store, l)
		}
		q, err := query.ParseFilter(map[string][]string{"received": {c.day}}, storetest.Noon, zone)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.store.View(t.Context(), func(tx *store.Tx) error {
			found, err := q.Find(tx, nil, store.LeadPage{Limit: 10})
			if len(found.Leads) != 2 || found.Leads[0].ID != "lead_2" || found.Leads[1].ID != "lead_1" {
				t.Errorf("%s in %s has %d leads, want its first and its last microsecond", c.day, c.zone, len(found.Leads))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}
