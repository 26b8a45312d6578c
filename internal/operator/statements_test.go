package operator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

func month(t *testing.T, text string) buyer.Month {
	t.Helper()
	m, err := buyer.ParseMonth(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// enter adds an entry to the ledger, as of a time.
func (o *testOperator) enter(e buyer.Entry) {
	o.t.Helper()
	o.update(func(tx *store.Tx) error {
		if e.Kind == buyer.EntryPayment || e.Kind == buyer.EntryCorrection {
			return tx.AddFunds(e)
		}
		return tx.Ledger().Add(e)
	})
}

func (o *testOperator) csv(id string, m buyer.Month, zone *time.Location) string {
	o.t.Helper()
	var file bytes.Buffer
	if err := o.Accounts().WriteStatement(o.t.Context(), ada, id, m, zone, &file); err != nil {
		o.t.Error(err)
	}
	return file.String()
}

const statementFile = `buyer_id,month,at,line,offer_id,lead_id,service_type,note,amount_usd
buyer_002,2026-10,2026-10-01T00:00:00-04:00,opening,,,,owed before,0.00
buyer_002,2026-10,2026-10-02T09:00:00-04:00,charge,offer_1,lead_1,hvac,,45.00
buyer_002,2026-10,2026-10-31T23:59:59-04:00,return,offer_1,lead_1,hvac,,-45.00
buyer_002,2026-10,2026-10-15T12:00:00-04:00,payment,,,,'=HYPERLINK(1),-100.00
buyer_002,2026-10,2026-10-16T12:00:00-04:00,correction,,,,"a lead, by mistake",12.34
buyer_002,2026-10,2026-11-01T00:00:00-04:00,closing,,,,owed after,-87.66
`

// A closed statement is what it was, whatever happens later. What comes late is on the next one.
func TestStatement(t *testing.T) {
	newYork := loadZone(t, "America/New_York")
	o := newTestOperator(t)
	b := o.add(noTerms)
	at := func(text string) time.Time {
		t.Helper()
		when, err := time.ParseInLocation(time.DateTime, text, newYork)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	october, november := month(t, "2026-10"), month(t, "2026-11")
	line := func(kind buyer.EntryKind, when string, amount buyer.Cents) buyer.Entry {
		return buyer.Entry{Buyer: b.ID, At: at(when), Kind: kind, Amount: amount, Offer: "offer_1", LeadID: "lead_1", Service: lead.HVAC}
	}
	o.enter(line(buyer.EntryCharge, "2026-10-02 09:00:00", 45_00))
	o.enter(line(buyer.EntryReturn, "2026-10-31 23:59:59", -45_00))
	o.enter(buyer.Entry{Buyer: b.ID, At: at("2026-10-15 12:00:00"), Kind: buyer.EntryPayment, Amount: -100_00, Note: "=HYPERLINK(1)"})
	o.enter(buyer.Entry{Buyer: b.ID, At: at("2026-10-16 12:00:00"), Kind: buyer.EntryCorrection, Amount: 12_34, Note: "a lead, by mistake"})
	o.enter(buyer.Entry{Buyer: b.ID, At: at("2026-11-01 00:00:00"), Kind: buyer.EntryPayment, Amount: -1})
	o.now = at("2026-10-31 23:59:59")
	if _, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, october, newYork); err == nil || !strings.Contains(err.Error(), "2026-10 is not over: it ends at 2026-11-01 00:00 EDT") {
		t.Errorf("a month that is not over: %v", err)
	}
	open, err := o.Accounts().Statement(t.Context(), b.ID, october, newYork)
	if err != nil || open.ID != "" || open.Closing() != -87_66 || o.csv(b.ID, october, newYork) != statementFile {
		t.Errorf("open: %+v, %v\n%s", open, err, o.csv(b.ID, october, newYork))
	}
	o.now = at("2026-11-01 00:00:00")
	closed, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, october, newYork)
	want := buyer.Totals{Leads: 1, Charges: 45_00, Returned: 1, Returns: -45_00, Corrections: 12_34, Payments: -100_00}
	if sum := sha256.Sum256([]byte(statementFile)); err != nil || closed.Totals != want || closed.Hash != hex.EncodeToString(sum[:]) || closed.BuyerName != "Cool Air" || closed.ClosedBy != string(ada) {
		t.Errorf("closed: %+v, %v", closed, err)
	}
	late := line(buyer.EntryCharge, "2026-10-31 23:59:58", 20_00)
	late.Offer = "offer_2"
	o.enter(late) // by a process whose clock is behind
	if _, err := o.Edit(t.Context(), ada, b.ID, entered.Terms{Name: new("Breeze")}); err != nil {
		t.Fatal(err)
	}
	if again, err := o.Accounts().Statement(t.Context(), b.ID, october, loadZone(t, "UTC")); err != nil || again.Hash != closed.Hash || again.BuyerName != "Cool Air" || o.csv(b.ID, october, time.UTC) != statementFile {
		t.Errorf("it changed: %+v, %v", again, err)
	}
	next, err := o.Accounts().Statement(t.Context(), b.ID, november, newYork)
	if err != nil || next.Opening != -87_66 || next.Leads != 1 || next.Charges != 20_00 || next.Payments != -1 {
		t.Errorf("the next one: %+v, %v", next, err)
	}
	for said, err := range map[string]error{
		"is closed already, since 2026-11-01": errOf(o.Accounts().CloseStatement(t.Context(), ada, b.ID, october, newYork)),
		"2026-12 is not over":                 errOf(o.Accounts().CloseStatement(t.Context(), ada, b.ID, month(t, "2026-12"), newYork)),
		"has no statement for 2026-09":        errOf(o.Accounts().Statement(t.Context(), b.ID, month(t, "2026-09"), newYork)),
		"not_found":                           errOf(o.Accounts().Statement(t.Context(), "buyer_none", october, newYork)),
	} {
		if err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v", said, err)
		}
	}
	o.now = at("2027-02-01 00:00:00")
	if _, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, month(t, "2027-01"), newYork); err == nil || !strings.Contains(err.Error(), "close 2026-11 first") {
		t.Errorf("out of order: %v", err)
	}
	storetest.MustExec(t, o.database, `UPDATE ledger SET note = 'no mistake' WHERE kind = 'correction'`)
	var file bytes.Buffer
	if err := o.Accounts().WriteStatement(t.Context(), ada, b.ID, october, newYork, &file); err == nil || !strings.Contains(err.Error(), "Its hash was "+closed.Hash) || file.Len() > 0 {
		t.Errorf("a line was changed: %v, and written is\n%s", err, file.String())
	}
	if n, err := o.Accounts().VerifyStatements(t.Context(), ""); n != 1 || err == nil || !strings.Contains(err.Error(), closed.ID+", of "+b.ID+" for 2026-10") {
		t.Errorf("verified: %d, %v", n, err)
	}
	if n, err := o.Accounts().VerifyStatements(t.Context(), "buyer_other"); n != 0 || err != nil {
		t.Errorf("of another buyer: %d, %v", n, err)
	}
}

// TestStatementsAfterAnEmptyMonth wants the month that is named to be one that can be closed: the first with open lines, or, if they came too
// late for a closed month, the one after it.
func TestStatementsAfterAnEmptyMonth(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	enter := func(m string) {
		o.enter(buyer.Entry{Buyer: b.ID, At: month(t, m).Begins(time.UTC).Add(time.Hour), Kind: buyer.EntryCorrection, Amount: 1})
	}
	o.now = month(t, "2026-10").Begins(time.UTC)
	enter("2026-06")
	for i, step := range []struct{ enter, closed, refused string }{
		{"", "2026-09", "close 2026-06 first"},
		{"", "2026-06", ""},
		{"2026-08", "2026-09", "close 2026-08 first"}, // there is nothing in July
		{"", "2026-07", "there is nothing to close"},
		{"2026-06", "2026-08", "close 2026-07 first"},
		{"", "2026-07", ""},
		{"", "2026-08", ""},
	} {
		if step.enter != "" {
			enter(step.enter)
		}
		_, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, month(t, step.closed), time.UTC)
		if refused := step.refused != ""; refused != (err != nil) || refused && !strings.Contains(err.Error(), step.refused) {
			t.Errorf("step %d, closing %s: %v; want %q", i, step.closed, err, step.refused)
		}
	}
}

// TestStatementZone wants months to end as those of the reports do, whatever a shell says.
func TestStatementZone(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	newYork, september, ends := loadZone(t, "America/New_York"), month(t, "2026-09"), time.Date(2026, 10, 1, 4, 0, 0, 0, time.UTC)
	for i, at := range []time.Time{ends.Add(-time.Minute), ends} {
		o.enter(buyer.Entry{Buyer: b.ID, At: at, Kind: buyer.EntryCharge, Amount: 45_00, Offer: fmt.Sprint("offer_", i), LeadID: "lead_1", Service: lead.HVAC})
	}
	if _, err := o.RebuildCounts(t.Context(), ada, newYork); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, september, time.UTC); err == nil || !strings.Contains(err.Error(), "months end in America/New_York, as in reports, and not in UTC: set time-zone to America/New_York") {
		t.Errorf("closed in another zone: %v", err)
	}
	if list, err := o.Accounts().Statements(t.Context(), b.ID); err != nil || len(list) > 0 {
		t.Errorf("closed: %+v, %v", list, err)
	}
	if s, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, september, newYork); err != nil || s.Leads != 1 || !s.Ends.Equal(ends) {
		t.Errorf("closed: %+v, %v", s, err)
	}
}

func loadZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// Random entries over a year, in zones whose days and months begin at other times and change with the seasons, closed in order while more
// come late: each line is on one statement, and what is owed goes on from one to the next.
func TestStatementsOfRandomHistories(t *testing.T) {
	for _, name := range []string{"UTC", "America/New_York", "Pacific/Auckland"} {
		t.Run(name, func(t *testing.T) {
			zone, random := loadZone(t, name), rand.New(rand.NewPCG(1, 2))
			o := newTestOperator(t)
			b := o.add(noTerms)
			entered, sum := 0, buyer.Cents(0)
			enter := func(at time.Time) {
				e := buyer.Entry{Buyer: b.ID, At: at, Kind: buyer.EntryKind([]string{"charge", "return", "payment", "correction"}[random.IntN(4)]), Amount: buyer.Cents(1 + random.IntN(10_000))}
				if e.Kind == buyer.EntryCharge || e.Kind == buyer.EntryReturn {
					e.Offer, e.LeadID, e.Service = fmt.Sprint("offer_", entered), "lead_1", lead.HVAC
				}
				if e.Kind == buyer.EntryReturn || e.Kind == buyer.EntryPayment {
					e.Amount = -e.Amount
				}
				o.enter(e)
				entered++
				sum += e.Amount
			}
			first := buyer.MonthOf(time.Date(2026, 1, 1, 0, 0, 0, 0, zone))
			lines, owed, files := 0, buyer.Cents(0), map[string]string{}
			for m := first; m.Year == 2026; m = m.Next() {
				begins, ends := m.Begins(zone), m.Next().Begins(zone)
				for _, at := range []time.Time{begins, begins.Add(-time.Microsecond), ends.Add(-time.Microsecond), ends, begins.Add(2 * time.Hour)} {
					if random.IntN(3) > 0 && (m != first || !at.Before(begins)) {
						enter(at) // also a moment before the month, when that one is closed
					}
				}
				for range random.IntN(5) {
					enter(begins.Add(time.Duration(random.Int64N(int64(ends.Sub(begins))))))
				}
				o.now = ends
				if ids, err := o.Accounts().Closable(t.Context(), m.Before(), zone); err != nil {
					t.Fatal(err)
				} else if len(ids) > 0 && files[m.Before().String()] == "" { // nothing came before that month was over
					s, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, m.Before(), zone)
					if err != nil {
						t.Fatal(err)
					}
					owed, lines = s.Closing(), lines+strings.Count(o.csv(b.ID, s.Month, zone), "\n")-3
				}
				if ids, err := o.Accounts().Closable(t.Context(), m, zone); err != nil {
					t.Fatal(err)
				} else if len(ids) == 0 {
					continue
				}
				s, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, m, zone)
				if err != nil || s.Opening != owed || !s.Ends.Equal(ends) {
					t.Fatalf("%s: %+v, %v; owed before: %s", m, s, err, owed)
				}
				file := o.csv(b.ID, m, zone)
				all, err := csv.NewReader(strings.NewReader(file)).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				lines += len(all) - 3 // the names of the columns, and what was owed before and after
				owed, files[m.String()] = s.Closing(), file
			}
			o.now = time.Date(2027, 2, 1, 0, 0, 0, 0, zone)
			if ids, _ := o.Accounts().Closable(t.Context(), month(t, "2027-01"), zone); len(ids) > 0 {
				s, err := o.Accounts().CloseStatement(t.Context(), ada, b.ID, month(t, "2027-01"), zone)
				if err != nil {
					t.Fatal(err)
				}
				owed, lines = s.Closing(), lines+strings.Count(o.csv(b.ID, s.Month, zone), "\n")-3
			}
			if show, err := o.Show(t.Context(), b.ID); err != nil || lines != entered || owed != sum || show.Owed != sum {
				t.Errorf("%d lines of %d, owed are %s of %s (%s), %v", lines, entered, owed, sum, show.Owed, err)
			}
			for m, file := range files {
				if o.csv(b.ID, month(t, m), zone) != file {
					t.Errorf("%s changed", m)
				}
			}
		})
	}
}
