package storetest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func (c Contract) leads(t *testing.T) {
	t.Run("every field comes back", c.everyField)
	t.Run("an unknown id is not found", c.unknownLead)
	t.Run("an id is used once", c.uniqueIDs)
	t.Run("a store that takes leads answers a ping", func(t *testing.T) {
		if err := c.store(t).Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func (c Contract) everyField(t *testing.T) {
	wantEveryField(t, "lead", reflect.ValueOf(completeLead("lead_1")))
	s := c.store(t)
	for _, tc := range []struct {
		name   string
		change func(*lead.Lead)
	}{
		{"all set", func(l *lead.Lead) { *l = completeLead(l.ID) }},
		{"only what is required", func(*lead.Lead) {}},
		{"zero is not the same as not given", func(l *lead.Lead) {
			l.Request.Home = lead.Home{Bedrooms: new(0), Bathrooms: new(0.0)}
		}},
		{"a fraction that binary holds badly", func(l *lead.Lead) { l.Request.Home.Bathrooms = new(1.1) }},
		{"the largest numbers", func(l *lead.Lead) {
			l.Request.Home = lead.Home{Bedrooms: new(20), Bathrooms: new(20.0), SquareFeet: new(50000)}
		}},
		{"both booleans false", func(l *lead.Lead) { l.Request.FlexibleDates, l.Request.Consent = false, false }},
		{"emoji and other alphabets", func(l *lead.Lead) {
			l.Request.City, l.Request.Contact.Name, l.Request.Contact.Notes = "Cañon City", "Zoë 山田 👩‍👩‍👧", "🐈🐈 — ½ day"
		}},
		{"letter case", func(l *lead.Lead) {
			l.Request.Contact.Email, l.Request.Contact.Name = "Pat.EXAMPLE@Example.com", "pat mcEXAMPLE"
		}},
		{"newlines and tabs", func(l *lead.Lead) { l.Request.Contact.Notes = "one\ntwo\n\n\tthree" }},
		{"what SQL and JSON escape", func(l *lead.Lead) {
			l.Request.Contact.Notes = `'; DROP TABLE leads; -- "quoted" \back <b>&amp;</b> %s $1`
			l.Request.City = `O'Fallon "x"`
		}},
		{"the longest notes", func(l *lead.Lead) { l.Request.Contact.Notes = strings.Repeat("é", 2000) }},
		{"one mark", func(l *lead.Lead) { l.Marks = []lead.Mark{lead.PastDate} }},
		{"microseconds", func(l *lead.Lead) {
			l.CreatedAt = Noon.Add(123456 * time.Microsecond)
			l.UpdatedAt = Noon.Add(999999 * time.Microsecond)
		}},
		{"a time before 1970", func(l *lead.Lead) { l.CreatedAt = time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := Lead("lead_" + strings.ReplaceAll(tc.name, " ", "_"))
			tc.change(&want)
			Save(t, s, want)
			got, err := Find(t, s, want.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what came back differs (-saved +found):\n%s", diff)
			}
		})
	}
	t.Run("nothing finer than a microsecond, always UTC", func(t *testing.T) {
		l := Lead("lead_nanoseconds")
		l.CreatedAt = Noon.Add(1234567 * time.Nanosecond).In(time.FixedZone("elsewhere", 3600))
		Save(t, s, l)
		got, err := Find(t, s, l.ID)
		if want := Noon.Add(1234 * time.Microsecond); err != nil || got.CreatedAt != want {
			t.Errorf("created at %v, want %v (%v)", got.CreatedAt, want, err)
		}
	})
}

// completeLead is FullLead with what a form and a source add.
func completeLead(id string) lead.Lead {
	l := FullLead(id)
	l.Source, l.Evidence.SourceKey = "src_partner", "src_unknown"
	l.Request.Contact.ClickIDs = lead.ClickIDs{Google: "gclid-1", Facebook: "fbclid-1"}
	l.Evidence.FormToken, l.Evidence.SecondsOnPage, l.Evidence.PageVersion = lead.TokenExpired, 90, "page-1"
	l.Evidence.Campaign = lead.Campaign{Source: "newsletter", Medium: "mail", Name: "spring", Term: "cleaning", Content: "footer"}
	return l
}

// wantEveryField wants every field to be set, so that a new one is stored and read.
func wantEveryField(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch {
	case name == "lead.PrivacyAt", name == "lead.Request.DryRun": // only LeadSummary reads the first; a dry run stores nothing
	case name == "lead.Request.Job.FlexibleDates": // it is false here alone
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			wantEveryField(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case v.IsZero():
		t.Errorf("%s is not set in completeLead", name)
	}
}

func (c Contract) unknownLead(t *testing.T) {
	s := c.store(t)
	Save(t, s, Lead("lead_known"))
	for _, id := range []string{"", "lead_unknown", "LEAD_KNOWN", "lead_know_", "lead_known ", "lead_%"} {
		if _, err := s.LeadSummary(t.Context(), id); KindOf(err) != lead.NotFound {
			t.Errorf("looking for %q: got %v, want kind %s", id, err, lead.NotFound)
		}
	}
}

func (c Contract) uniqueIDs(t *testing.T) {
	s := c.store(t)
	first := Lead("lead_one")
	Save(t, s, first)
	second := FullLead("lead_one")
	if _, err := s.SaveLead(t.Context(), &second, nil, Noon); err == nil {
		t.Error("a second lead with the same id was accepted")
	}
	got, err := Find(t, s, "lead_one")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, got); diff != "" {
		t.Errorf("the first lead changed:\n%s", diff)
	}
}
