package storetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func (c Contract) texts(t *testing.T) {
	t.Run("every character comes back", c.characters)
	t.Run("texts are case-sensitive", c.letterCase)
	t.Run("texts are ordered by their bytes", c.byteOrder)
	t.Run("a NUL or bad UTF-8 is refused, and other leads are saved", c.unstorable)
}

func (c Contract) characters(t *testing.T) {
	s := c.store(t)
	for name, text := range map[string]string{
		"emoji": "👩🏽‍🔧 at 3 👍", "combining": "e\u0301 and é", "right to left": "שלום \u202e!", "quotes": `"' \ ''; -- $1 ? %s {}`,
		"lines": "one\ntwo\tthree", "the last character": "\U0010ffff", "long": strings.Repeat("é", 2000),
	} {
		l := Lead("lead_" + name)
		l.Request.Contact.Name, l.Request.Contact.Notes, l.Request.City, l.Evidence.UserAgent = text, text, text, text
		Save(t, s, l)
		got, err := Find(t, s, l.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l, got); diff != "" {
			t.Errorf("%s (-kept +found):\n%s", name, diff)
		}
	}
}

func (c Contract) letterCase(t *testing.T) {
	s := c.store(t)
	Save(t, s, Lead("lead_a"))
	if HasLead(t, s, "lead_A") {
		t.Error("lead_a is found as lead_A")
	}
	Save(t, s, Lead("lead_A"))
	if earlier := saveWithKey(t, s, "lead_1", IdempotencyKey("key", "request", "first"), Noon); earlier != "" {
		t.Errorf("an unused key had the answer %s", earlier)
	}
	if earlier := saveWithKey(t, s, "lead_2", IdempotencyKey("KEY", "request", "second"), Noon); earlier != "" {
		t.Errorf("KEY had the answer of key: %s", earlier)
	}
}

// byteOrder lists phone numbers with the same time: they are ordered by their bytes, whatever the server's locale is.
func (c Contract) byteOrder(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	want := []string{"+1", "-", "1", "A", "Z", "a", "b", "é"}
	for _, phone := range []string{"b", "Z", "é", "A", "+1", "a", "1", "-"} {
		Suppress(t, s, phone)
	}
	list, err := OpenReader(t, database).Suppressions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, s.Phone)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func (c Contract) unstorable(t *testing.T) {
	s := c.store(t)
	for name, spoil := range map[string]func(l *lead.Lead, text string){
		"id":       func(l *lead.Lead, text string) { l.ID += text },
		"name":     func(l *lead.Lead, text string) { l.Request.Contact.Name = text },
		"notes":    func(l *lead.Lead, text string) { l.Request.Contact.Notes = text },
		"city":     func(l *lead.Lead, text string) { l.Request.City = text },
		"evidence": func(l *lead.Lead, text string) { l.Evidence.UserAgent = text },
	} {
		for kind, text := range map[string]string{"NUL": "a\x00b", "bad UTF-8": "a\xffb"} {
			l := Lead("lead_" + name + "_" + kind)
			spoil(&l, text)
			if _, err := s.SaveLead(t.Context(), &l, nil, Noon); KindOf(err) != lead.Invalid {
				t.Errorf("%s in the %s: got %v, want kind %s", kind, name, err, lead.Invalid)
			}
			if HasLead(t, s, "lead_"+name+"_"+kind) {
				t.Errorf("%s in the %s: the lead was kept", kind, name)
			}
		}
	}
	Save(t, s, Lead("lead_after"))
}
