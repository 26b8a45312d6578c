package browser

import (
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

const partnerWords = "Partner Example and the contractors that it works with may call or text me about this request."

// TestPartnersLink opens the form by a partner's link, makes a mistake, and sends it: where the person came from is kept, and so are the
// words beside the box.
func TestPartnersLink(t *testing.T) {
	for name, mode := range scripts {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			partner := s.addSource()
			b := s.open(t, phone, mode)
			b.visit("/?source=src_partner&utm_campaign=spring&gclid=G1", 200)
			b.wantWords()
			b.fillIn("555")
			b.send()
			b.until("the problem", func() bool { return b.isMarkedWrong("customer_phone") })
			b.wantWords()
			time.Sleep(lead.FormTokenMinAge)
			b.fill("customer_phone", aPhone)
			b.send()
			b.wantThanks()
			l := b.Leads()[0]
			if l.Source != partner.Key || l.Evidence.Campaign.Name != "spring" || l.Request.Contact.Google != "G1" || l.Evidence.Consent != partner.ConsentShown().Ref() || len(l.Marks) > 0 {
				t.Errorf("kept as %+v", l)
			}
		})
	}
}

// wantWords wants the partner's words beside the box.
func (b *tab) wantWords() {
	b.t.Helper()
	if label := ask[string](b, `document.querySelector('label[for=consent_to_contact]').textContent`); label != partnerWords {
		b.t.Errorf("beside the box stands %q", label)
	}
}

// addSource adds a source beside the running service, and waits until the service knows it.
func (s *service) addSource() *source.Source {
	s.t.Helper()
	partner := source.Source{
		Key: "src_partner", State: source.Active, CreatedAt: storetest.Noon, UpdatedAt: storetest.Noon,
		Terms: source.Terms{Name: "Partner", Consent: partnerWords},
	}
	st := storetest.Open(s.t, s.Database)
	if err := st.Update(s.t.Context(), func(tx *store.Tx) error { return tx.Sources().Put(partner) }); err != nil {
		s.t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	return &partner
}
