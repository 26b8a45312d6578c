package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/internal/sim"
	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestBooks follows the money on the running binary, on both engines: a buyer without any is passed over and the lead held; it pays, and
// gets the lead; it returns the lead and gets its money back; and the statement of the month has all of it.
func TestBooks(t *testing.T) {
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		storetest.Parallel(t)
		s := simBuyer(t, "--secret", buyersSecret, "--json")
		o := cli{t, newDatabase(t)}
		o.addBuyer("--allow-private-buyers", "--name", "Sim", "--url", s.url()+"/leads", "--services", "hvac", "--secret", buyersSecret,
			"--price", "hvac=45.00", "--credit-limit", "0", "--approve-returns", "duplicate")
		p := serveDatabase(t, o.database)
		id := p.Submit()
		p.awaitStatus(id, "collected", binary.Patience)
		if why := o.run("leads", "show", id); !strings.Contains(why, "(Sim), balance: its balance is $0.00, and this lead costs $45.00") {
			t.Errorf("nothing says why nobody was asked:\n%s", why)
		}
		if out := o.run("buyers", "top-up", "Sim", "100.00", "--note", "=transfer 17"); !strings.HasSuffix(out, "(Sim) paid $100.00. It has $100.00 left.\n") {
			t.Errorf("paid: %q", out)
		}
		offered, delivered := s.message(), s.message()
		if offered.Type != sim.Offered || delivered.Type != sim.Delivered {
			t.Errorf("got %+v, %+v", offered, delivered)
		}
		p.awaitStatus(id, "forwarded", binary.Patience)
		if out := o.run("buyers", "correct", "Sim", "--owes-more", "5", "--note", "a fee"); !strings.HasSuffix(out, "(Sim) owes $5.00 more. It has $50.00 left.\n") {
			t.Errorf("corrected: %q", out)
		}
		if out := o.run("returns", "add", delivered.OfferID, "--code", "bad_contact", "--reason", "told us on the phone"); !strings.Contains(out, "waits") {
			t.Errorf("returned: %q", out)
		}
		if out := o.run("returns", "list"); strings.Count(out, "\n") != 2 || !strings.Contains(out, delivered.OfferID+"  Sim") || !strings.Contains(out, "$45.00  waiting  told us on the phone") {
			t.Errorf("listed:\n%s", out)
		}
		o.run("returns", "approve", delivered.OfferID)
		if told := s.message(); told.Type != sim.Decided || told.OfferID != delivered.OfferID || !told.Signed || told.Answer != "204" {
			t.Errorf("told: %+v", told)
		}
		if line := o.runFailing(1, "returns", "deny", delivered.OfferID, "--note", "no"); !strings.Contains(line, "was approved, and its price given back") {
			t.Errorf("denied: %q", line)
		}
		var statement struct {
			Leads   int
			Closing int `json:"closing_cents"`
			Closed  bool
		}
		if out := o.run("statements", "show", "Sim", "--json"); json.Unmarshal([]byte(out), &statement) != nil || statement.Leads != 1 || statement.Closing != -95_00 || statement.Closed {
			t.Errorf("the statement: %s", out)
		}
		this := time.Now().UTC().Format("2006-01")
		if line := o.runFailing(1, "statements", "close", "--month", this); !strings.Contains(line, this+" is not over") {
			t.Errorf("closed: %q", line)
		}
		closeLastMonth(o)
		if out, _, _ := run(t, "db", "check", "--database", o.database); strings.Contains(out, "buyer_") || strings.Contains(out, "ledger") {
			t.Errorf("a check found:\n%s", out)
		}
	})
}

// closeLastMonth moves the lines of a buyer into the month before, closes its statement, and compares its hash with that of the file.
func closeLastMonth(o cli) {
	o.t.Helper()
	this := time.Now().UTC().AddDate(0, 0, 1-time.Now().UTC().Day())
	last := this.AddDate(0, -1, 0)
	storetest.MustExec(o.t, o.database, fmt.Sprintf(`UPDATE ledger SET at = %d`, last.UnixMicro()))
	var statement struct {
		Month, Hash string
		Closing     int `json:"closing_cents"`
	}
	if out := o.run("statements", "close", "--json"); json.Unmarshal([]byte(out), &statement) != nil || statement.Month != last.Format("2006-01") || statement.Closing != -95_00 {
		o.t.Errorf("closed: %s", out)
	}
	file := o.run("statements", "show", "Sim", "--month", statement.Month, "--csv")
	if sum := sha256.Sum256([]byte(file)); statement.Hash != hex.EncodeToString(sum[:]) || strings.Count(file, "\n") != 7 || !strings.Contains(file, ",payment,,,,'=transfer 17,-100.00\n") {
		o.t.Errorf("the hash is %s:\n%s", statement.Hash, file)
	}
	if out := o.run("statements", "close"); !strings.HasPrefix(out, "There is nothing to close for "+statement.Month) {
		o.t.Errorf("closed again: %q", out)
	}
	if out := o.run("statements", "list"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "$45.00   -$45.00  $5.00        -$100.00  -$95.00") {
		o.t.Errorf("listed:\n%s", out)
	}
}
