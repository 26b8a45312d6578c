package dbadmin_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/migrations"
	"foyer/internal/store/storetest"
)

var noon = storetest.Noon

var consentText = lead.ConsentText{Version: "shown-1", Text: "You may call me.\n— Pat’s words"}

// consentedLead is a lead whose consent text is stored.
func consentedLead(id string, status lead.Status) lead.Lead {
	l := storetest.FullLead(id)
	l.Status, l.Evidence.Consent = status, consentText.Ref()
	return l
}

// withStore runs do with an open store.
func withStore(t *testing.T, database string, do func(*store.Store)) {
	t.Helper()
	s, err := store.Open(t.Context(), database, storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	do(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// seed fills a database with rows in every table, and the given number of held leads.
func seed(t *testing.T, database string, held int) {
	t.Helper()
	withStore(t, database, func(s *store.Store) { seedStore(t, s, database, held) })
}

func seedStore(t *testing.T, s *store.Store, database string, held int) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.KeepConsentTexts(t.Context(), noon, consentText))
	_, err := s.RegisterKeys(t.Context(), nil, []string{"index.1", "form-token.1"}, noon)
	must(err)
	for i := range held {
		_, err := s.SaveLead(t.Context(), new(consentedLead(fmt.Sprintf("lead_held%03d", i), lead.Collected)), storetest.IdempotencyKey(fmt.Sprint("key ", i), "r", "answer"), noon.Add(-time.Hour))
		must(err)
	}
	must(s.Update(t.Context(), func(tx *store.Tx) error {
		token := store.Token{ID: "tok_1", Name: "Import", Hash: strings.Repeat("0", 64), Scope: store.TokenWrite, PersonalData: true, CreatedAt: noon, CreatedBy: "cli:ada", ExpiresAt: noon.Add(time.Hour)}
		if err := tx.Tokens().Add(token); err != nil {
			return err
		}
		if err := storetest.AddAlert(tx, noon); err != nil {
			return err
		}
		if err := storetest.AddUser(tx, store.User{ID: "usr_1", Name: "ada", Role: store.RoleOwner, Password: "$argon2id$", CreatedAt: noon, CreatedBy: "cli:ada"}); err != nil {
			return err
		}
		return tx.Sources().Put(source.Source{Key: "src_1", Terms: source.Terms{Name: "Letter", Cost: 5_00}, State: source.Active, CreatedAt: noon, UpdatedAt: noon})
	}))
	toDial := storetest.Lead("lead_dialled")
	toDial.Source = "src_1"
	toDial.Status, toDial.Request.Consent, toDial.Request.Contact = lead.CallToConnect, false, lead.Contact{}
	storetest.Save(t, s, toDial)
	for _, id := range []string{"lead_asked", "lead_sold", "lead_lost", "lead_erased", "lead_fresh"} {
		storetest.Save(t, s, consentedLead(id, lead.Received))
	}
	must(s.Update(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.PutBuyer(storetest.Buyer("buyer_1")), tx.PutHealth("buyer_1", buyer.Health{Asked: noon, Failures: 2, WakeAt: noon}),
			offerLead(tx, "lead_asked", buyer.OfferOpen, ""), offerLead(tx, "lead_sold", buyer.OfferDelivered, lead.Forwarded), offerLead(tx, "lead_lost", buyer.OfferLost, lead.Errored))
	}))
	storetest.Erase(t, s, "lead_erased")
	must(s.Update(t.Context(), func(tx *store.Tx) error {
		removed := storetest.LegalHold("legal_hold_2", "lead_sold", noon)
		removed.RemovedAt, removed.RemovedBy, removed.RemovedWhy = noon, "cli:ada", "settled"
		return errors.Join(storetest.AddLegalHold(tx, "legal_hold_1", "lead_sold", noon), storetest.AddLegalHold(tx, removed.ID, removed.LeadID, noon), tx.LegalHolds().Remove(removed))
	}))
	storetest.Suppress(t, s, "+13055550199")
	operators := storetest.Operator(s, noon)
	for i, id := range []string{"wish_1", "wish_2"} {
		must(operators.SavePrivacyRequest(t.Context(), lead.PrivacyRequest{ID: id, At: noon, Kind: lead.PrivacyKinds[i], Phone: "+13055550198", State: lead.PrivacyOpen}, "asked"))
	}
	must(operators.SettlePrivacyRequest(t.Context(), audit.CLI("ada"), "wish_1", "suppressed"))
	must(s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Ledger().Close(buyer.Statement{
			ID: "stmt_1", Buyer: "buyer_1", BuyerName: "Cool Air", Month: buyer.MonthOf(noon), Zone: "UTC", Ends: noon, Totals: buyer.Totals{Leads: 1, Charges: 45_00},
			Format: 1, Hash: strings.Repeat("0", 64), ClosedAt: noon, ClosedBy: "cli:ada",
		}, store.LedgerLines{Buyer: "buyer_1"})
	}))
	_, err = operators.Accounts().TopUp(t.Context(), audit.CLI("ada"), "buyer_1", 500_00, "transfer 17")
	must(err)
	storetest.MustExec(t, database, `INSERT INTO keys (id, created_at) VALUES ('key_1', 1)`)
	storetest.MustExec(t, database, `INSERT INTO withheld (lead_seq, reason, fingerprint, at) SELECT seq, 'duplicate', 'x', created_at FROM leads WHERE id = 'lead_held000'`)
}

// offerLead offers a received lead to buyer_1 and records the result.
func offerLead(tx *store.Tx, id string, state buyer.OfferState, to lead.Status) error {
	seq, err := tx.LeadOf(id)
	if err != nil {
		return err
	}
	o := buyer.Offer{ID: "offer_of_" + id, Lead: seq, Buyer: "buyer_1", At: noon, State: buyer.OfferOpen, OneStep: true, Price: 45_00}
	errs := []error{tx.EnterMarket("print of "+id, seq, noon), tx.AddOffer(o), tx.AddAttempt(buyer.Attempt{Offer: o.ID, Lead: seq, Kind: "lead.offered", At: noon, Took: time.Second, Status: 200, Answer: `{"decision":"accept"}`})}
	if to == "" {
		d, _, err := tx.Delivery(seq)
		d.BuyerQueue, d.Step, d.Offer, d.Owner, d.Token, d.DueAt = "buyer_1", buyer.StepOffer, o.ID, "proc_1", 7, noon.Add(time.Minute)
		return errors.Join(append(errs, err, tx.PutDelivery(d))...)
	}
	o.State, o.Ref = state, "r-1"
	errs = append(errs, tx.RecordSale("print of "+id, "buyer_1", noon), tx.PutOffer(o, buyer.OfferOpen), tx.EndDelivery(seq),
		tx.Change(seq, lead.Received, lead.Change{At: noon, Status: to, Actor: lead.ByService, Reason: "because"}))
	if to == lead.Forwarded {
		charge, _ := o.Charge(consentedLead(id, to), noon)
		errs = append(errs, tx.Ledger().Add(charge), tx.Return(o, "a wrong number", noon),
			tx.Returns().Put(buyer.Return{Offer: o.ID, Buyer: o.Buyer, At: noon, Code: lead.ReturnBadContact, State: buyer.ReturnWaiting}))
	}
	return errors.Join(errs...)
}

// mustCopy copies a database.
func mustCopy(t *testing.T, from, to string) []dbadmin.Copied {
	t.Helper()
	done, err := dbadmin.CopyTo(t.Context(), from, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// wantSame fails unless both databases hold the same rows.
func wantSame(t *testing.T, from, to string) {
	t.Helper()
	source, target := storetest.Raw(t, from), storetest.Raw(t, to)
	for _, t0 := range migrations.Tables {
		table := t0.Name
		want, got := dbadmin.Rows(t, source, table), dbadmin.Rows(t, target, table)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s differs (-from +to):\n%s", table, diff)
		}
		if len(want) == 0 {
			t.Errorf("%s is empty: nothing was shown", table)
		}
	}
}

// betweenEngines runs a test for a copy in each direction between the engines, with a seeded source.
func betweenEngines(t *testing.T, held int, do func(t *testing.T, from, to string)) {
	for one, other := range map[string]string{"SQLite": "PostgreSQL", "PostgreSQL": "SQLite"} {
		t.Run(one+" to "+other, func(t *testing.T) {
			from := storetest.Engines[one](t)
			seed(t, from, held)
			do(t, from, storetest.Engines[other](t))
		})
	}
}

func TestCopyIsIdentical(t *testing.T) {
	dbadmin.CopyAtOnce(t, 7)
	same := func(t *testing.T, from, to string) {
		source := storetest.Raw(t, from)
		for _, c := range mustCopy(t, from, to) {
			if rows := dbadmin.Rows(t, source, c.Table); c.Rows != int64(len(rows)) || !c.Written || len(c.Hash) != 64 {
				t.Errorf("%d rows are told as %+v", len(rows), c)
			}
		}
		wantSame(t, from, to)
		for _, c := range mustCopy(t, from, to) {
			if c.Written {
				t.Errorf("a second copy wrote %s", c.Table)
			}
		}
	}
	for one, newSource := range storetest.Engines {
		for other, newTarget := range storetest.Empty {
			t.Run(one+" to "+other, func(t *testing.T) {
				from := newSource(t)
				seed(t, from, 30)
				same(t, from, newTarget(t))
			})
		}
	}
}

// A service on the copy continues where the one on the source stopped.
func TestServiceContinuesOnCopy(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		s := storetest.Open(t, to)
		if !s.Suppressed("+13055550199") {
			t.Error("a number is no longer suppressed")
		}
		want := storetest.Buyer("buyer_1")
		want.Funds = 500_00
		if buyers, version, err := s.Buyers(t.Context()); err != nil || version < 2 || !cmp.Equal(buyers, []buyer.Buyer{want}) {
			t.Errorf("the buyers are %+v, version %d, %v", buyers, version, err)
		}
		earlier, err := s.SaveLead(t.Context(), new(consentedLead("lead_again", lead.Received)), storetest.IdempotencyKey("key 1", "r", "another"), noon.Add(-time.Hour))
		if err != nil || earlier == nil || string(earlier.Answer) != "answer" {
			t.Errorf("a key that was used has the ticket %v, %v", earlier, err)
		}
		for _, id := range []string{"lead_new1", "lead_new2"} {
			storetest.Save(t, s, consentedLead(id, lead.Received))
		}
		if err := s.Update(t.Context(), func(tx *store.Tx) error {
			lastSeq, err := tx.LeadOf("lead_fresh")
			newSeq, newErr := tx.LeadOf("lead_new1")
			if newSeq <= lastSeq {
				t.Errorf("a new lead is row %d, and the last copied one %d", newSeq, lastSeq)
			}
			return errors.Join(err, newErr, offerLead(tx, "lead_new1", buyer.OfferDelivered, lead.Forwarded))
		}); err != nil {
			t.Error(err)
		}
		if err := storetest.Operator(s, noon).SavePrivacyRequest(t.Context(), lead.PrivacyRequest{ID: "wish_3", At: noon, Kind: lead.Withdraw, Phone: "+13055550197", State: lead.PrivacyOpen}, "asked"); err != nil {
			t.Error(err)
		}
		wantNoFindings(t, to)
	})
}
