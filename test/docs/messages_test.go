package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// receivedAt is when the lead on the page came in; it was offered a moment later.
var (
	receivedAt = time.Date(2026, time.November, 5, 17, 30, 12, 0, time.UTC)
	offered    = receivedAt.Add(82 * time.Millisecond)
)

const name = "01jc3n8p0qk7m2x4vw5yz6abcdefghijklm" // what follows lead_ and offer_ on the page

var brand = catalog.Brand{Name: "Foyer", Contact: "hello@example.com"}

// sampleLead is the lead on the page.
func sampleLead() lead.Lead {
	return lead.Lead{
		ID: "lead_" + name, Status: lead.Received, CreatedAt: receivedAt, UpdatedAt: receivedAt,
		Request: lead.Request{
			Job: lead.Job{
				Service: lead.HVAC, ZIP: "33139", City: "Miami Beach", State: "FL",
				Home:      lead.Home{Type: "condo", Bedrooms: new(2), Bathrooms: new(1.5), SquareFeet: new(950)},
				Frequency: "one_time", PreferredDate: "2026-11-12", FlexibleDates: true, Consent: true,
			},
			Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123", Email: "pat@example.com", Street: "12 Example Street", Notes: "The unit is on the roof."},
		},
		Evidence: lead.Evidence{
			Channel: lead.ChannelForm, Client: "192.0.2.1", RequestID: "req_1", Consent: brand.ConsentShown().Ref(),
			Origin: "https://foyer.example.com", FormToken: lead.TokenValid, SecondsOnPage: 74, PageVersion: "5f0c2f1f9d3a7b64",
		},
	}
}

// messages forwards the lead to a buyer that accepts, and returns what the buyer was sent.
func messages(t *testing.T) []webhook.Message {
	t.Helper()
	st := storetest.Open(t, storetest.Database(t))
	b := buyer.Buyer{
		ID: "buyer_1", State: buyer.Active, Secrets: []string{secret}, CreatedAt: receivedAt, UpdatedAt: receivedAt,
		Terms: buyer.Terms{Name: "Example", URL: "https://buyer.example.com/leads", Services: []lead.Service{lead.HVAC}, Prices: map[lead.Service]buyer.Cents{lead.HVAC: 45_00}, Priority: buyer.DefaultPriority},
	}
	if err := st.Update(t.Context(), func(p *store.Tx) error { return p.PutBuyer(b) }); err != nil {
		t.Fatal(err)
	}
	storetest.Save(t, st, sampleLead())
	sent := make(chan webhook.Message, 8)
	f := &forward.Forwarder{
		Store: st, Suppressed: st.Suppressed, Consent: func(context.Context, string) (string, error) { return brand.ConsentShown().Text, nil },
		Now: func() time.Time { return offered }, NewID: func(prefix string, _ time.Time) string { return prefix + name },
		Chance: func() float64 { return 0.5 }, Owner: "proc_1", Log: slog.New(slog.DiscardHandler),
		Send: func(_ context.Context, msg webhook.Message) webhook.Outcome {
			sent <- msg
			return webhook.Outcome{Status: 200, Answer: []byte(`{"decision":"accept","buyer_ref":"A-1042"}`), Sent: true}
		},
	}
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	var got []webhook.Message
	ended := make(chan struct{})
	go func() { defer close(ended); f.Run(ctx) }()
	for len(got) < 2 {
		select {
		case msg := <-sent:
			got = append(got, msg)
		case <-ctx.Done():
			t.Fatalf("the buyer got %d messages", len(got))
		}
	}
	stop()
	<-ended
	return got
}

func TestSampleMessages(t *testing.T) {
	got := messages(t)
	for i, kind := range []string{forward.LeadOffered, forward.LeadDelivered} {
		var text bytes.Buffer
		if err := json.Indent(&text, got[i].Body, "", "  "); err != nil {
			t.Fatal(err)
		}
		golden(t, kind, text.String()+"\n")
	}
	if got[0].ID == got[1].ID {
		t.Error("an offer and its delivery are one message")
	}
	for _, personal := range []string{"Pat", "5550123", "pat@", "Street", "roof"} {
		if strings.Contains(string(got[0].Body), personal) {
			t.Errorf("the offer holds %q", personal)
		}
	}
}

// TestSampleReturn returns the lead on the page, and approves it.
func TestSampleReturn(t *testing.T) {
	st := storetest.Open(t, storetest.Database(t))
	storetest.Save(t, st, sampleLead())
	var sent []webhook.Message
	notifier := &forward.ReturnNotifier{
		ToNotify: st.ReturnsToNotify, Update: st.Update, Chance: func() float64 { return 0.5 }, Now: func() time.Time { return offered.Add(time.Hour) }, Log: slog.New(slog.DiscardHandler),
		Send: func(_ context.Context, msg webhook.Message) webhook.Outcome {
			sent = append(sent, msg)
			return webhook.Outcome{Status: 204, Sent: true}
		},
	}
	o := buyer.Offer{ID: "offer_" + name, Lead: 1, Buyer: "buyer_1", At: offered, State: buyer.OfferDelivered, Price: 45_00, LeadID: lead.IDForBuyer(nil, sampleLead().ID, "buyer_1")}
	err := st.Update(t.Context(), func(tx *store.Tx) error {
		if err := tx.PutBuyer(buyer.Buyer{ID: "buyer_1", State: buyer.Active, Secrets: []string{secret}, CreatedAt: receivedAt, UpdatedAt: receivedAt}); err != nil {
			return err
		}
		if err := tx.AddOffer(o); err != nil {
			return err
		}
		r, err := forward.AddReturn(tx, o, lead.Return{Offer: o.ID, Code: lead.ReturnBadContact, Reason: "no"}, audit.Buyer("buyer_1"), netip.Addr{}, offered.Add(10*time.Minute))
		if err != nil {
			return err
		}
		_, err = forward.DecideReturn(tx, r, buyer.ReturnApproved, audit.System, netip.Addr{}, "We tried the number, too.", offered.Add(time.Hour))
		return err
	})
	if err := errors.Join(err, notifier.Notify(t.Context())); err != nil || len(sent) != 1 {
		t.Fatalf("%d messages, %v", len(sent), err)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, sent[0].Body, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, forward.ReturnDecided, text.String()+"\n")
	var event struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal(sent[0].Body, &event); err != nil {
		t.Fatal(err)
	}
	told, explained := members("", event.Data), column(table(t, "member of a decision"), 0)
	slices.Sort(told)
	slices.Sort(explained)
	if !slices.Equal(told, explained) {
		t.Errorf("sent are\n%s\nexplained are\n%s", told, explained)
	}
}

// TestEveryMemberIsExplained compares the table of members with what is sent: a test of a one-step buyer has them all.
func TestEveryMemberIsExplained(t *testing.T) {
	var event struct {
		Data map[string]any `json:"data"`
	}
	kind, msg := forward.Sample(buyer.Buyer{}, "lead_"+name, buyer.Offer{ID: "offer_" + name, At: receivedAt, OneStep: true})
	if err := json.Unmarshal(msg.Body, &event); err != nil || kind != forward.LeadDelivered {
		t.Fatal(kind, err)
	}
	sent, explained := members("", event.Data), column(table(t, "member of data"), 0)
	slices.Sort(sent)
	slices.Sort(explained)
	if !slices.Equal(sent, explained) {
		t.Errorf("sent are\n%s\nexplained are\n%s", sent, explained)
	}
}

func TestServices(t *testing.T) {
	for _, row := range table(t, "member of data") {
		if row[0] != "service_type" {
			continue
		}
		named := strings.FieldsFunc(strings.ReplaceAll(row[1], " or ", " "), func(r rune) bool { return r == ',' || r == ' ' })
		for _, s := range lead.Services {
			if slices.Contains(named, string(s)) != s.NeedsConsent() {
				t.Errorf("%s is named among %s: %v", s, named, !s.NeedsConsent())
			}
		}
	}
}

func members(within string, data map[string]any) (names []string) {
	for key, value := range data {
		if inner, ok := value.(map[string]any); ok {
			names = append(names, members(key+".", inner)...)
			continue
		}
		names = append(names, within+key)
	}
	return names
}
