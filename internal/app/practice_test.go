package app_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// normalPhone has the form of a person's number, though nobody has it: it lies outside of the range that is reserved for fiction.
const normalPhone = "305-555-0200"

// withPractice starts a service with a practice buyer, and no other.
func withPractice(t *testing.T) (*apptest.Service, buyer.Buyer) {
	t.Helper()
	first := apptest.Start(t)
	op, err := app.OpenOperator(t.Context(), first.Data, false, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	b, err := op.StartPractice(t.Context(), "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	return apptest.StartOn(t, first.Database), b // it knows the buyer from the beginning
}

// TestPracticeIsNotForPeople compares a service whose only buyer is one for practice with a service that has none. A normal number gets
// the same answers by every door; a made-up one is sold.
func TestPracticeIsNotForPeople(t *testing.T) {
	storetest.Parallel(t)
	without := apptest.Start(t)
	with, b := withPractice(t)
	body := func(phone, zip string) string {
		return fmt.Sprintf(`{"service_type":"hvac","zip_code":%q,"customer_name":"Pat Example","customer_phone":%q,"consent_to_contact":true}`, zip, phone)
	}
	tool := func(s *apptest.Service, phone string) string {
		return string(s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":`+body(phone, "33101")+`}}`).Body)
	}
	for _, c := range []struct {
		name string
		ask  func(s *apptest.Service, phone string) string
		same bool // for a made-up number as well
	}{
		{"a request", func(s *apptest.Service, phone string) string { return send(t, s, "/v1/intake", body(phone, "33139")) }, false},
		{"a dry run", func(s *apptest.Service, phone string) string {
			return send(t, s, "/v1/intake?dry_run=true", body(phone, "33139"))
		}, false},
		{"a tool", tool, false},
		{"what became of it", func(s *apptest.Service, phone string) string {
			id := submit(t, s, lead.Handyman, phone).LeadID
			if phone != normalPhone && s == with {
				awaitStatus(t, s, id, lead.Forwarded)
			}
			return string(s.Send(t, "GET", "/v1/leads/"+id, "").Body)
		}, false},
		{"the services", func(s *apptest.Service, _ string) string { return string(s.Send(t, "GET", "/v1/services", "").Body) }, true},
		{"llms.txt", func(s *apptest.Service, _ string) string { return string(s.Send(t, "GET", "/llms.txt", "").Body) }, true},
	} {
		for _, phone := range []string{normalPhone, "305-555-0123"} {
			got, want := masked(with, c.ask(with, phone)), masked(without, c.ask(without, phone))
			if (got == want) != (c.same || phone == normalPhone) {
				t.Errorf("%s with %s:\n%s\nand without a buyer:\n%s", c.name, phone, got, want)
			}
		}
	}
	id := submit(t, with, lead.PestControl, "305-555-0142").LeadID
	awaitStatus(t, with, id, lead.Forwarded)
	wantOutcomes(t, with, map[buyer.Outcome]int64{buyer.OutcomeUncovered: 3}) // what the practice buyer took is no business
	if n := storetest.QueryInt(t, storetest.Raw(t, with.Database), `SELECT COUNT(*) FROM offers WHERE buyer_id = '`+b.ID+`' AND state = 'delivered'`); n != 4 {
		t.Errorf("%d leads delivered to the practice buyer, want 4", n)
	}
}

func send(t *testing.T, s *apptest.Service, path, body string) string {
	t.Helper()
	return string(s.Send(t, "POST", path, body, "Content-Type", "application/json").Body)
}

var ids = regexp.MustCompile(`(lead|dry)_[a-z0-9]+|"[0-9]{4}-[0-9T:.Z-]+"`)

// masked removes what differs between any two services: ids, times and the address.
func masked(s *apptest.Service, text string) string {
	return ids.ReplaceAllString(strings.ReplaceAll(text, s.URL[strings.LastIndex(s.URL, ":"):], ":80"), "*")
}

// wantOutcomes waits until the leads are counted so in reports. A service counts when it starts, and then every quarter of a minute.
func wantOutcomes(t *testing.T, s *apptest.Service, want map[buyer.Outcome]int64) {
	t.Helper()
	st := apptest.StartOn(t, s.Database).OpenStore(t)
	var all query.LeadsRow
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		err := st.View(t.Context(), func(tx *store.Tx) error {
			r, err := query.NewReportRange(tx, "", "", time.Now())
			if err == nil {
				_, all, err = query.CoverageReport(tx, r, query.CoverageFilter{})
			}
			return err
		})
		if err != nil && lead.KindOf(err) != lead.NotFound {
			t.Fatal(err)
		}
		if fmt.Sprint(all.Outcomes) == fmt.Sprint(want) {
			return
		}
	}
	t.Errorf("the report counts %v, want %v", all.Outcomes, want)
}
