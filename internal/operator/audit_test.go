package operator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/access"
	"foyer/internal/operator/accounts"
	"foyer/internal/operator/alerts"
	"foyer/internal/operator/entered"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// auditedChange is one change by an operator, and the entry that it leaves.
type auditedChange struct {
	name    string
	prepare func(o *testOperator)
	do      func(o *testOperator) error
	action  audit.Action
	subject string
	detail  string
}

const auditedPhone = "+13055550123"

// clientAddress is where the operator is.
var clientAddress = netip.MustParseAddr("192.0.2.7")

func held(o *testOperator) { o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected }) }

func errored(o *testOperator) {
	seq := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Received })
	o.addOffer(buyer.Offer{ID: "offer_1", Lead: seq, Buyer: "buyer_001", At: o.now, State: buyer.OfferLost})
	o.update(func(tx *store.Tx) error {
		return errors.Join(tx.EndDelivery(seq), tx.Change(seq, lead.Received, lead.Change{At: o.now, Status: lead.Errored, Actor: lead.ByService}))
	})
}

// sold has a lead that a buyer took.
func sold(o *testOperator) {
	seq := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Received })
	offer := buyer.Offer{ID: "offer_1", Lead: seq, Buyer: "buyer_001", At: o.now, State: buyer.OfferOpen, Price: 45_00}
	o.addOffer(offer)
	offer.State = buyer.OfferDelivered
	charge, _ := offer.Charge(lead.Lead{ID: "lead_1"}, o.now)
	o.update(func(tx *store.Tx) error {
		return errors.Join(tx.PutOffer(offer, buyer.OfferOpen), tx.Ledger().Add(charge), tx.EndDelivery(seq), tx.Change(seq, lead.Received, lead.Change{At: o.now, Status: lead.Forwarded, Actor: lead.ByService}))
	})
}

// returned has a lead that a buyer took, and returned.
func returned(o *testOperator) {
	sold(o)
	if _, err := o.AddReturn(o.t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnConsent, Reason: "they never agreed"}); err != nil {
		o.t.Fatal(err)
	}
}

func withSource(o *testOperator) {
	o.update(func(tx *store.Tx) error {
		return tx.Sources().Put(source.Source{Key: "src_1", State: source.Active, CreatedAt: o.now, UpdatedAt: o.now, Terms: source.Terms{Name: "Letter"}})
	})
}

func withToken(o *testOperator) {
	o.update(func(tx *store.Tx) error {
		return tx.Tokens().Add(store.Token{ID: "tok_1", Name: "Pat's import", Hash: strings.Repeat("0", 64), Scope: store.TokenRead, CreatedAt: o.now, CreatedBy: "cli:ada", ExpiresAt: o.now.Add(time.Hour)})
	})
}

// withUsers has an owner and an operator.
func withUsers(o *testOperator) {
	o.update(func(tx *store.Tx) error {
		return errors.Join(
			storetest.AddUser(tx, store.User{ID: "usr_1", Name: "pat", Role: store.RoleOwner, Password: "s3cret", CreatedAt: o.now, CreatedBy: "cli:ada"}),
			storetest.AddUser(tx, store.User{ID: "usr_2", Name: "sam", Role: store.RoleOperator, Password: "s3cret", CreatedAt: o.now, CreatedBy: "cli:ada"}))
	})
}

func withAlertWay(o *testOperator) {
	o.update(func(tx *store.Tx) error { return storetest.AddAlert(tx, o.now) })
}

func openRequest(o *testOperator) {
	o.update(func(tx *store.Tx) error {
		return tx.PrivacyRequests().Add(lead.PrivacyRequest{ID: "wish_1", At: o.now, Kind: lead.Withdraw, Phone: auditedPhone, State: lead.PrivacyOpen})
	})
}

// auditedChanges are all changes of the package. The buyer is buyer_001.
var auditedChanges = []auditedChange{
	{"Add", nil, func(o *testOperator) error {
		_, _, err := o.Add(o.t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) {
			in.Name, in.URL = new("Pat Example"), new("https://pat.example.com/leads?key=s3cret")
		})})
		return err
	}, audit.BuyerAdd, "buyer_006", `{"name":"changed","priority":[0,100],"services":["","hvac"],"state":["","testing"],"url":["","https://pat.example.com"]}`},
	{"StartPractice", nil, func(o *testOperator) error { _, err := o.StartPractice(o.t.Context(), ada); return err }, audit.BuyerAdd, "buyer_005", `{"name":"changed","practice":[false,true],"priority":[0,1000000],"services":["","house_cleaning, deep_cleaning, move_in_out_cleaning, recurring_cleaning, pest_control, hvac, handyman, other"],"state":["","active"],"url":["","https://practice.invalid"]}`},
	{"RecordTestLead", nil, func(o *testOperator) error { return o.RecordTestLead(o.t.Context(), ada, "lead_1") }, audit.LeadTest, "lead_1", `{}`},
	{"Edit", nil, func(o *testOperator) error {
		_, err := o.Edit(o.t.Context(), ada, "buyer_001", entered.Terms{Priority: new(10), ZIPs: new("33139,33140,33141,33142,33143,33144"), Hours: new("mon-fri 08:00-18:00"), TimeZone: new("America/New_York"), OneStep: new(true)})
		return err
	}, audit.BuyerEdit, "buyer_001", `{"hours":["","mon-fri 08:00-18:00"],"one-step":[false,true],"priority":[100,10],"time-zone":["","America/New_York"],"zips":["","6 patterns"]}`},
	{"Import", nil, func(o *testOperator) error {
		_, _, err := o.Import(o.t.Context(), ada, "buyer_001", operator.Import{ZIPs: []string{"33139"}})
		return err
	}, audit.BuyerImport, "buyer_001", `{"zips":["","33139"]}`},
	{"Pause", nil, func(o *testOperator) error {
		_, err := o.Pause(o.t.Context(), ada, "buyer_001", "Pat asked")
		return err
	}, audit.BuyerPause, "buyer_001", `{"state":["active","paused"]}`},
	{"Resume", func(o *testOperator) {
		o.update(func(tx *store.Tx) error {
			b, err := tx.Buyer("buyer_001")
			b.State = buyer.Paused
			return errors.Join(err, tx.PutBuyer(b))
		})
	}, func(o *testOperator) error { _, err := o.Resume(o.t.Context(), ada, "buyer_001"); return err }, audit.BuyerResume, "buyer_001", `{"state":["paused","active"]}`},
	{"Start", nil, func(o *testOperator) error {
		_, err := o.Start(o.t.Context(), ada, "buyer_001", entered.Held{Days: 1})
		return err
	}, audit.BuyerStart, "buyer_001", `{"held-since":["","2026-11-04T12:00:00Z"]}`},
	{"StartTested", func(o *testOperator) { o.reply = webhook.Outcome{Status: 200, Answer: []byte(`{"decision":"accept"}`)} }, func(o *testOperator) error {
		_, err := o.StartTested(o.t.Context(), ada, "buyer_001", entered.Held{Days: 1})
		return err
	}, audit.BuyerStart, "buyer_001", `{"held-since":["","2026-11-04T12:00:00Z"]}`},
	{"Rotate", nil, func(o *testOperator) error { _, _, err := o.Rotate(o.t.Context(), ada, "buyer_001", ""); return err }, audit.BuyerRotate, "buyer_001", `{}`},
	{"EndRotation", func(o *testOperator) {
		o.update(func(tx *store.Tx) error {
			b, err := tx.Buyer("buyer_001")
			b.Secrets = append(b.Secrets, "whsec_old")
			return errors.Join(err, tx.PutBuyer(b))
		})
	}, func(o *testOperator) error { _, err := o.EndRotation(o.t.Context(), ada, "buyer_001"); return err }, audit.BuyerEndRotation, "buyer_001", `{}`},
	{"Remove", nil, func(o *testOperator) error { _, _, err := o.Remove(o.t.Context(), ada, "buyer_001", true); return err }, audit.BuyerRemove, "buyer_001", `{"contacts_being_delivered":0,"forced":true,"offers_open":0}`},
	{"TopUp", nil, func(o *testOperator) error {
		_, err := o.Accounts().TopUp(o.t.Context(), ada, "buyer_001", 500_00, "Pat paid")
		return err
	}, audit.BuyerTopUp, "buyer_001", `{"owes_more_cents":-50000}`},
	{"Correct", nil, func(o *testOperator) error {
		_, err := o.Accounts().Correct(o.t.Context(), ada, "buyer_001", 20_00, "Pat asked")
		return err
	}, audit.BuyerCorrect, "buyer_001", `{"owes_more_cents":2000}`},
	{"Enter", nil, func(o *testOperator) error {
		return o.Store.Update(o.t.Context(), func(tx *store.Tx) error {
			_, err := o.Accounts().Enter(tx, ada, audit.BuyerCorrect, buyer.Entry{Buyer: "buyer_001", Kind: buyer.EntryCorrection, Amount: 5_00, Note: "Pat asked"})
			return err
		})
	}, audit.BuyerCorrect, "buyer_001", `{"owes_more_cents":500}`},
	{"Undo", func(o *testOperator) {
		withSource(o)
		if _, err := o.Undoable(lead.Idempotency{Key: "form", Request: "block"}).Sources().Block(o.t.Context(), ada, "src_1", true); err != nil {
			o.t.Fatal(err)
		}
	}, func(o *testOperator) error { return o.Undo(o.t.Context(), ada, "form") }, audit.SourceUndo, "src_1", `{"hold":[true,false],"state":["blocked","active"]}`},
	{"AddReturn", sold, func(o *testOperator) error {
		_, err := o.AddReturn(o.t.Context(), ada, operator.ReturnInput{Offer: "offer_1", Code: lead.ReturnConsent, Reason: "Pat asked"})
		return err
	}, audit.LeadReturn, "lead_1", `{"code":"consent","offer":"offer_1"}`},
	{"ApproveReturn", returned, func(o *testOperator) error {
		_, err := o.ApproveReturn(o.t.Context(), ada, "offer_1", "Pat asked")
		return err
	}, audit.ReturnApprove, "offer_1", `{"buyer":"buyer_001","code":"consent","price_cents":4500}`},
	{"DenyReturn", returned, func(o *testOperator) error {
		_, err := o.DenyReturn(o.t.Context(), ada, "offer_1", "Pat asked")
		return err
	}, audit.ReturnDeny, "offer_1", `{"buyer":"buyer_001","code":"consent","price_cents":4500}`},
	{"CloseStatement", sold, func(o *testOperator) error {
		o.now = o.now.AddDate(0, 1, 0)
		_, err := o.Accounts().CloseStatement(o.t.Context(), ada, "buyer_001", buyer.MonthOf(storetest.Noon), time.UTC)
		return err
	}, audit.StatementClose, "stmt_004", `{"buyer":"buyer_001","hash":"0e9ff8309669bcc53afa044cd4483135bd83f2ce74fafd2c9e76ce3975ebe438","month":"2026-11","owed_cents":4500}`},
	{"WriteStatement", sold, func(o *testOperator) error {
		return o.Accounts().WriteStatement(o.t.Context(), ada, "buyer_001", buyer.MonthOf(storetest.Noon), time.UTC, io.Discard)
	}, audit.StatementExport, "buyer_001", `{"month":"2026-11"}`},
	{"CloseLead", held, func(o *testOperator) error {
		_, err := o.CloseLead(o.t.Context(), ada, "lead_1", "Pat asked")
		return err
	}, audit.LeadClose, "lead_1", `{"status":["collected","rejected"]}`},
	{"RebuildCounts", nil, func(o *testOperator) error { _, err := o.RebuildCounts(o.t.Context(), ada, time.UTC); return err }, audit.CountsRebuild, "", `{"time-zone":"UTC"}`},
	{"RecordExport", held, func(o *testOperator) error {
		return o.RecordExport(o.t.Context(), ada, map[string][]string{"zip": {"33139"}, "phone": {auditedPhone}})
	}, audit.LeadExport, "", `{"filters":["phone","zip"]}`},
	{"Erase", held, func(o *testOperator) error { _, err := o.Erase(o.t.Context(), ada, "lead_1"); return err }, audit.LeadErase, "lead_1", `{"status":["collected","rejected"]}`},
	{"AddLegalHold", held, func(o *testOperator) error {
		_, err := o.AddLegalHold(o.t.Context(), ada, "lead_1", "Pat asked")
		return err
	}, audit.LegalHoldAdd, "lead_1", `{"legal_hold":"legal_hold_004"}`},
	{"RemoveLegalHold", func(o *testOperator) {
		held(o)
		o.update(func(tx *store.Tx) error { return storetest.AddLegalHold(tx, "legal_hold_1", "lead_1", o.now) })
	}, func(o *testOperator) error {
		_, err := o.RemoveLegalHold(o.t.Context(), ada, "legal_hold_1", "Pat asked")
		return err
	}, audit.LegalHoldRemove, "lead_1", `{"legal_hold":"legal_hold_1"}`},
	{"Release", errored, func(o *testOperator) error { _, err := o.Release(o.t.Context(), ada, "lead_1"); return err }, audit.LeadRelease, "lead_1", `{"status":["error","received"]}`},
	{"Replay", errored, func(o *testOperator) error { _, err := o.Replay(o.t.Context(), ada, "lead_1"); return err }, audit.LeadReplay, "lead_1", `{"buyer":"buyer_001","offer":"offer_1"}`},
	{"ReplayAll", errored, func(o *testOperator) error {
		_, err := o.ReplayAll(o.t.Context(), ada, o.now, o.now.Add(time.Hour), false)
		return err
	}, audit.LeadReplay, "lead_1", `{"buyer":"buyer_001","offer":"offer_1"}`},
	{"Suppress", nil, func(o *testOperator) error {
		_, err := o.Suppress(o.t.Context(), ada, auditedPhone, "Pat asked")
		return err
	}, audit.SuppressionAdd, lead.PhoneIndex([]byte("key"), auditedPhone), `{}`},
	{"Unsuppress", func(o *testOperator) {
		o.update(func(tx *store.Tx) error { return tx.Suppressions().Add(auditedPhone, "asked", o.now) })
	}, func(o *testOperator) error { _, err := o.Unsuppress(o.t.Context(), ada, auditedPhone); return err }, audit.SuppressionRemove, lead.PhoneIndex([]byte("key"), auditedPhone), `{}`},
	{"ImportSuppressions", nil, func(o *testOperator) error {
		_, err := o.ImportSuppressions(o.t.Context(), ada, strings.NewReader("305-555-0123\n305-555-0124\n"), operator.SuppressionImport{Reason: "they asked", Progress: func(int64, int64) {}})
		return err
	}, audit.SuppressionImport, "", `{"added":2}`},
	{"AddToken", nil, func(o *testOperator) error {
		_, _, err := o.Access().AddToken(o.t.Context(), ada, access.NewToken{Name: "Pat's import", Write: true, Days: 30})
		return err
	}, audit.TokenAdd, "tok_006", `{"days":30,"personal_data":false,"scope":"write"}`},
	{"RevokeToken", withToken, func(o *testOperator) error {
		_, err := o.Access().RevokeToken(o.t.Context(), ada, "pat's import")
		return err
	}, audit.TokenRevoke, "tok_1", `{}`},
	{"AddUser", nil, func(o *testOperator) error {
		_, _, err := o.Access().AddUser(o.t.Context(), ada, "pat", store.RoleOwner)
		return err
	}, audit.UserAdd, "usr_005", `{"role":"owner"}`},
	{"LinkUser", withUsers, func(o *testOperator) error { _, _, err := o.Access().LinkUser(o.t.Context(), ada, "pat"); return err }, audit.UserLink, "usr_1", `{}`},
	{"ResetUser", withUsers, func(o *testOperator) error { _, _, err := o.Access().ResetUser(o.t.Context(), ada, "pat"); return err }, audit.UserReset, "usr_1", `{}`},
	{"RemoveUser", withUsers, func(o *testOperator) error { _, err := o.Access().RemoveUser(o.t.Context(), ada, "sam"); return err }, audit.UserRemove, "usr_2", `{"role":"operator"}`},
	{"SetRole", withUsers, func(o *testOperator) error {
		_, err := o.Access().SetRole(o.t.Context(), ada, "sam", store.RoleOwner)
		return err
	}, audit.UserRole, "usr_2", `{"role":["operator","owner"]}`},
	{"RecordRead", nil, func(o *testOperator) error {
		return o.RecordRead(o.t.Context(), ada, audit.LeadRead, "lead_1", nil)
	}, audit.LeadRead, "lead_1", `{}`},
	{"RecordSearch", nil, func(o *testOperator) error {
		return o.RecordSearch(o.t.Context(), ada, map[string][]string{"phone": {auditedPhone}, "name": {"Pat"}})
	}, audit.LeadSearch, "", `{"filters":["phone","name"]}`},
	{"RecordFailure", nil, func(o *testOperator) error {
		return o.Access().RecordFailure(o.t.Context(), ada, "usr_1", access.From{}, audit.Detail{"reason": "password"})
	}, audit.UserSignInFail, "usr_1", `{"reason":"password"}`},
	{"AddSource", nil, func(o *testOperator) error {
		_, err := o.Sources().Add(o.t.Context(), ada, "Pat Example", entered.SourceTerms{Cost: new("5.00")})
		return err
	}, audit.SourceAdd, "src_004", `{"cost_cents":[0,500],"name":"changed","state":["","active"]}`},
	{"EditSource", withSource, func(o *testOperator) error {
		_, err := o.Sources().Edit(o.t.Context(), ada, "src_1", new("Pat Example"), entered.SourceTerms{Consent: new(strings.Repeat("You may call me. ", 5)), CapDay: new(7), Origins: new("https://partner.example.com")})
		return err
	}, audit.SourceEdit, "src_1", `{"cap-day":[0,7],"consent":["","shown-partner-c95de27c"],"name":"changed","origins":["","https://partner.example.com"]}`},
	{"BlockSource", withSource, func(o *testOperator) error {
		_, err := o.Sources().Block(o.t.Context(), ada, "Letter", true)
		return err
	}, audit.SourceBlock, "src_1", `{"hold":[false,true],"state":["active","blocked"]}`},
	{"UnblockSource", func(o *testOperator) {
		withSource(o)
		if _, err := o.Sources().Block(o.t.Context(), ada, "letter", false); err != nil {
			o.t.Fatal(err)
		}
	}, func(o *testOperator) error { _, err := o.Sources().Unblock(o.t.Context(), ada, "src_1"); return err }, audit.SourceUnblock, "src_1", `{"state":["blocked","active"]}`},
	{"SettlePrivacyRequest", openRequest, func(o *testOperator) error {
		return o.SettlePrivacyRequest(o.t.Context(), ada, "wish_1", "Pat was called")
	}, audit.PrivacySettle, "wish_1", `{"kind":"withdraw","lead":""}`},
	{"EditRule", nil, func(o *testOperator) error {
		_, err := o.Alerts().EditRule(o.t.Context(), ada, "buyer_down", entered.AlertSetting{On: new(false), Threshold: new(10), Cooldown: new(120)})
		return err
	}, audit.AlertEdit, "buyer_down", `{"cooldown_minutes":[60,120],"on":[true,false],"threshold":[5,10]}`},
	{"PutSetting", nil, func(o *testOperator) error {
		rule, _ := alert.Find("buyer_down")
		return o.Store.Update(o.t.Context(), func(tx *store.Tx) error {
			return o.Alerts().PutSetting(tx, ada, audit.AlertUndo, rule.Name, rule.Default(), alert.Setting{Threshold: rule.Default().Threshold, Cooldown: rule.Default().Cooldown})
		})
	}, audit.AlertUndo, "buyer_down", `{"on":[true,false]}`},
	{"AddWay", nil, func(o *testOperator) error {
		_, _, err := o.Alerts().AddWay(o.t.Context(), ada, alert.Slack, "https://hooks.example.com/services/s3cret")
		return err
	}, audit.AlertWayAdd, "way_005", `{"kind":"slack","url":"https://hooks.example.com"}`},
	{"RemoveWay", withAlertWay, func(o *testOperator) error {
		_, err := o.Alerts().RemoveWay(o.t.Context(), ada, "way_1")
		return err
	}, audit.AlertWayRemove, "way_1", `{"kind":"event"}`},
	{"TestWay", withAlertWay, func(o *testOperator) error {
		_, _, err := o.Alerts().TestWay(o.t.Context(), ada, "way_1")
		return err
	}, audit.AlertWayTest, "way_1", `{}`},
	{"SavePrivacyRequest", held, func(o *testOperator) error {
		return o.SavePrivacyRequest(o.t.Context(), lead.PrivacyRequest{ID: "wish_1", At: o.now, Kind: lead.Withdraw, Phone: auditedPhone, LeadID: "lead_1", State: lead.PrivacyOpen}, "consent withdrawn")
	}, audit.PrivacyRequest, "lead_1", `{"kind":"withdraw","lead_closed":true,"repeats_closed":0,"request":"wish_1"}`},
}

// TestEveryChangeIsAudited wants exactly one entry for each change, by its actor and from their address, and nothing in it that a person or a buyer would
// not want to be read. If the transaction fails, neither the change nor the entry is there.
func TestEveryChangeIsAudited(t *testing.T) {
	for _, c := range auditedChanges {
		t.Run(c.name, func(t *testing.T) {
			o := newTestOperator(t)
			o.Persons.Key = []byte("key")
			b := o.add(noTerms)
			if b.ID != "buyer_002" { // the secret was the first id
				t.Fatal(b.ID)
			}
			o.update(func(tx *store.Tx) error { b.ID = "buyer_001"; return tx.PutBuyer(b) })
			if c.prepare != nil {
				c.prepare(o)
			}
			before, rows := len(storetest.Audit(t, o.database)), o.rows()
			o.Operator = o.From(clientAddress)
			o.Store = failingStore{o.Store}
			if err := c.do(o); !errors.Is(err, errFailing) {
				t.Fatalf("in a transaction that fails: %v", err)
			}
			if after := o.rows(); after != rows {
				t.Errorf("a failed change left:\n%s\nwant\n%s", after, rows)
			}
			o.Store = o.Store.(failingStore).Store
			if err := c.do(o); err != nil {
				t.Fatal(err)
			}
			list := storetest.Audit(t, o.database)
			if len(list) != before+1 {
				t.Fatalf("%d entries, want one more than %d", len(list), before)
			}
			e, by, address := list[0], ada, any(clientAddress.String())
			if c.action == audit.PrivacyRequest {
				by, address = audit.Person, nil
			}
			if e.Detail["address"] != address {
				t.Errorf("the entry says %v about the client's address, want %v", e.Detail["address"], address)
			}
			delete(e.Detail, "address")
			if detail, err := e.Detail.JSON(); err != nil || e.Actor != by || e.Action != c.action || e.Subject != c.subject || detail != c.detail || !e.At.Equal(o.now) {
				t.Errorf("the entry is %+v, %s; want %s by %s about %q, %s", e, detail, c.action, by, c.subject, c.detail)
			}
			for _, secret := range []string{"Pat", "0123", "s3cret", "whsec", "asked"} {
				if strings.Contains(strings.ReplaceAll(fmt.Sprintf("%+v", e), c.subject, ""), secret) {
					t.Errorf("the entry holds %q: %+v", secret, e)
				}
			}
		})
	}
}

// TestNoChangeIsForgotten wants every method that takes an actor in the table above.
func TestNoChangeIsForgotten(t *testing.T) {
	actor, known := reflect.TypeFor[audit.Actor](), map[string]bool{}
	for _, c := range auditedChanges {
		known[c.name] = true
	}
	for _, methods := range []reflect.Type{
		reflect.TypeFor[*operator.Operator](), reflect.TypeFor[*access.Access](), reflect.TypeFor[*accounts.Accounts](), reflect.TypeFor[*alerts.Alerts](),
	} {
		for i := range methods.NumMethod() {
			m := methods.Method(i)
			for j := range m.Type.NumIn() {
				if m.Type.In(j) == actor && !known[m.Name] {
					t.Errorf("%s of %s takes an actor, and no test looks for its entry", m.Name, methods)
				}
			}
		}
	}
}

var errFailing = errors.New("the transaction fails")

// failingStore fails every transaction at its end.
type failingStore struct{ operator.Store }

func (f failingStore) Update(ctx context.Context, do func(*store.Tx) error) error {
	return f.Store.Update(ctx, func(tx *store.Tx) error { return errors.Join(do(tx), errFailing) })
}

func (f failingStore) UpdateUrgent(ctx context.Context, do func(*store.Tx) error) error {
	return f.Store.UpdateUrgent(ctx, func(tx *store.Tx) error { return errors.Join(do(tx), errFailing) })
}

// rows describes what the changes of these tests can change.
func (o *testOperator) rows() string {
	o.t.Helper()
	r := storetest.OpenReader(o.t, o.database)
	buyers, _, err := o.store.Buyers(o.t.Context())
	suppressed, suppressedErr := r.Suppressions(o.t.Context())
	requests, requestsErr := r.PrivacyRequests(o.t.Context(), true)
	leads, leadsErr := r.Newest(o.t.Context(), 10)
	past, pastErr := r.History(o.t.Context(), "lead_1")
	holds, holdsErr := r.LegalHolds(o.t.Context())
	users, usersErr := o.Access().Users(o.t.Context())
	if err := errors.Join(err, suppressedErr, requestsErr, leadsErr, pastErr, usersErr, holdsErr); err != nil {
		o.t.Fatal(err)
	}
	return fmt.Sprintf("%+v\n%+v\n%+v\n%+v\n%+v\n%+v\n%+v\n%+v", holds, users, buyers, suppressed, requests, leads, past, storetest.Audit(o.t, o.database))
}

// TestSuppressClosesHeldLeads closes them in batches, with an entry of their own.
func TestSuppressClosesHeldLeads(t *testing.T) {
	o := newTestOperator(t)
	for i := range 3 {
		o.save(fmt.Sprint("lead_", i), func(l *lead.Lead) { l.Status = lead.Collected })
	}
	o.save("lead_other", func(l *lead.Lead) { l.Status, l.Request.Contact.Phone = lead.Collected, "+13055550199" })
	if closed, err := o.Suppress(t.Context(), ada, auditedPhone, "asked"); err != nil || closed != 3 {
		t.Fatalf("closed %d, %v", closed, err)
	}
	if o.status("lead_0") != lead.Rejected || o.status("lead_other") != lead.Collected || o.history("lead_0")[0].Reason != "number suppressed" {
		t.Errorf("they are %s and %s", o.status("lead_0"), o.status("lead_other"))
	}
	list := storetest.Audit(t, o.database)
	if len(list) != 2 || list[0].Action != audit.LeadClose || list[0].Detail["leads"] != 3.0 || list[0].Subject != "" || list[1].Action != audit.SuppressionAdd { // without a key, nothing names the number
		t.Errorf("the entries are %+v", list)
	}
}

// TestRefusedChangesAreNotAudited looks for entries of changes that did not happen.
func TestRefusedChangesAreNotAudited(t *testing.T) {
	o := newTestOperator(t)
	o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Rejected })
	for name, err := range map[string]error{
		"close":  func() error { _, err := o.CloseLead(t.Context(), ada, "lead_1", "again"); return err }(),
		"remove": func() error { _, err := o.Unsuppress(t.Context(), ada, auditedPhone); return err }(),
		"import": func() error {
			_, err := o.ImportSuppressions(t.Context(), ada, strings.NewReader(""), operator.SuppressionImport{Reason: "they asked", Progress: func(int64, int64) {}})
			return err
		}(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := o.Pause(t.Context(), ada, "buyer_none", ""); err == nil {
		t.Error("paused nobody")
	}
	if list := storetest.Audit(t, o.database); len(list) > 0 {
		t.Errorf("the entries are %+v", list)
	}
}
