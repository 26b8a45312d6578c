package dbadmin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/config"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// fixtureHour is the hour since 1970 in which the leads of the fixture 7960e37 came.
const fixtureHour = 498_572

// copyEvery is how many hours are between two copies of those leads.
const copyEvery = 6

// TestAnEarlierDatabaseIsUpgradedBelowAService upgrades a database of the earlier version with many leads. While the service finds, indexes and
// counts them, it accepts new ones: in the end everything is found, and the counts are those of the leads.
func TestAnEarlierDatabaseIsUpgradedBelowAService(t *testing.T) {
	t.Parallel()
	copies := 400 // of 17 leads; the followers leave the writer alone most of the time
	if testing.Short() {
		copies = 30
	}
	for engine, newDatabase := range storetest.Empty {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			database := newDatabase(t)
			restoreFixture(t, database, earlier, lastEarlier)
			copyLeads(t, engine, database, copies, sellTo(t))
			if _, err := dbadmin.Migrate(t.Context(), database, nil); err != nil {
				t.Fatal(err)
			}
			keys := "file:" + filepath.Join(t.TempDir(), "foyer.keys") // those of the fixture are lost
			if _, err := app.InitKeys(t.Context(), "cli:test", config.Data{Database: config.Database(database), Keys: config.Keys(keys)}, true); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(http.DefaultClient.CloseIdleConnections)
			t.Cleanup(apptest.Client.CloseIdleConnections)
			s := apptest.StartOn(t, database, "--keys", keys, "--allow-private-buyers", "--rate-limit", "off", "--hold-days", "365")
			stop := submitUntil(t, s)
			st := s.OpenStore(t)
			wantCounted(t, st, database)
			wantFoundByPhone(t, s, st, copies)
			accepted := stop()
			for _, id := range accepted {
				if !storetest.HasLead(t, st, id) {
					t.Errorf("%s was acknowledged, and is not there", id)
				}
			}
			if len(accepted) == 0 {
				t.Error("no lead came meanwhile")
			}
			wantNoFindings(t, database)
		})
	}
}

// sellTo returns the address of a buyer that accepts every lead.
func sellTo(t *testing.T) string {
	b := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"decision":"accept","buyer_ref":"A-1"}`)
	}))
	t.Cleanup(b.Close)
	return b.URL
}

// contactOfCopy is a contact with another area code for each copy.
var contactOfCopy = map[string]string{
	"SQLite":     `CAST(replace(CAST(contact AS TEXT), '+1305', '+1' || (201 + n.i % 700)) AS BLOB)`,
	"PostgreSQL": `convert_to(replace(convert_from(contact, 'UTF8'), '+1305', '+1' || (201 + n.i % 700)), 'UTF8')`,
}

// copyLeads moves the leads of the fixture into the past, and copies those that are not on their way so many times, with other phone numbers,
// ZIP codes and times. It writes the tables of that version. All buyers get an address.
func copyLeads(t *testing.T, engine, database string, copies int, address string) {
	t.Helper()
	const hour = 3_600_000_000
	ago := int64(copyEvery*(copies+8)) - (time.Now().Unix()/3600 - fixtureHour) // hours before those of the fixture
	for column, tables := range map[string][]string{
		"created_at": {"leads"}, "updated_at": {"leads"}, "at": {"history", "offers", "attempts", "prints", "sold", "withheld"}, "returned_at": {"offers"},
		"asked_at": {"standings"}, "shut_until": {"standings"}, "due_at": {"deliveries"}, "since": {"deliveries"}, "sent_at": {"deliveries"},
	} {
		for _, table := range tables {
			storetest.MustExec(t, database, fmt.Sprintf(`UPDATE %s SET %s = %s - %d WHERE %s > 0`, table, column, column, ago*hour, column))
		}
	}
	fill := strings.NewReplacer(
		"{ago}", fmt.Sprint(ago), "{copies}", fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)`, copies),
		"{later}", fmt.Sprintf("+ n.i * %d", copyEvery*hour), "{hours later}", fmt.Sprintf("+ n.i * %d", copyEvery), "{row}", "+ 100 * n.i",
		"{contact}", contactOfCopy[engine], "{zip}", `substr(zip_code, 1, 3) || (10 + n.i % 80)`, "{address}", address,
		"{copied}", `lead_seq IN (SELECT seq FROM leads WHERE seq < 100 AND status <> 'received')`,
	)
	for _, statement := range []string{
		`UPDATE cap_use SET hour = hour - {ago}`,
		`UPDATE standings SET wake_at = 0`, // held leads stay where they are
		`UPDATE deliveries SET url = '{address}' WHERE url <> ''`,
		`INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) {copies}
			SELECT seq {row}, id || n.i, status, created_at {later}, updated_at {later}, service_type, {zip}, marks, replace(job, '"' || zip_code || '"', '"' || {zip} || '"'), {contact}, evidence
			FROM leads CROSS JOIN n WHERE seq < 100 AND status <> 'received'`,
		`INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) {copies}
			SELECT seq {row}, lead_seq {row}, at {later}, status, actor, reason, passed_over FROM history CROSS JOIN n WHERE {copied}`,
		`INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) {copies}
			SELECT buyer_id, hour {hours later}, used, offered, accepted, delivered, returned FROM cap_use CROSS JOIN n WHERE buyer_id IN (SELECT buyer_id FROM offers WHERE {copied})`,
		`INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) {copies}
			SELECT id || n.i, lead_seq {row}, buyer_id, at {later}, one_step, state, code, buyer_ref, CASE WHEN returned_at > 0 THEN returned_at {later} ELSE 0 END, returned_reason, buyer_lead_id || n.i, passed_over
			FROM offers CROSS JOIN n WHERE {copied}`,
		`INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) {copies}
			SELECT seq {row}, lead_seq {row}, offer_id || n.i, kind, at {later}, took, status, failure, answer, decision, url FROM attempts CROSS JOIN n WHERE {copied}`,
		`INSERT INTO withheld (lead_seq, reason, print, at, look_at) {copies} SELECT lead_seq {row}, reason, print, at {later}, look_at FROM withheld CROSS JOIN n`,
	} {
		storetest.MustExec(t, database, fill.Replace(statement))
	}
	for i := range 8 {
		storetest.MustExec(t, database, fmt.Sprintf(`UPDATE buyers SET terms = replace(terms, 'https://buyer-%d.example.com', '%s')`, i+1, address))
	}
	if engine == "PostgreSQL" {
		setSequences(t, database)
	}
}

// submitUntil sends leads to a service, one after the other, until stop is called, which returns those that it acknowledged.
func submitUntil(t *testing.T, s *apptest.Service) (stop func() []string) {
	ctx, cancel := context.WithCancel(t.Context())
	var accepted []string
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			time.Sleep(10 * time.Millisecond)
			service := []lead.Service{lead.HVAC, lead.Handyman}[i%2] // the held leads of other services would be offered again, once a buyer answers
			body := fmt.Sprintf(`{"service_type":%q,"zip_code":"33139","customer_name":"Pat Example","customer_phone":"+1%d55501%02d","consent_to_contact":true}`, service, 901+i/100%90, i%100)
			res, err := http.Post(s.URL+"/v1/intake", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			var receipt lead.Receipt
			err = json.NewDecoder(res.Body).Decode(&receipt)
			_, _ = io.Copy(io.Discard, res.Body)
			res.Body.Close()
			if err != nil || res.StatusCode != http.StatusAccepted {
				t.Errorf("a lead was answered with %d, %v", res.StatusCode, err)
				return
			}
			accepted = append(accepted, receipt.LeadID)
		}
	})
	stop = func() []string {
		cancel()
		sending.Wait()
		return accepted
	}
	t.Cleanup(func() { stop() })
	return stop
}

// countedByHand says where the leads of a fixture stand, by what is in its tables.
const countedByHand = `SELECT created_at / 86400000000, service_type, CASE status
	WHEN 'forwarded' THEN 'sold' WHEN 'received' THEN 'waiting' WHEN 'rejected' THEN 'closed'
	WHEN 'collected' THEN CASE WHEN marks = 'duplicate' THEN 'withheld'
		WHEN NOT EXISTS (SELECT 1 FROM history h WHERE h.lead_seq = leads.seq) THEN 'uncovered'
		WHEN EXISTS (SELECT 1 FROM offers o WHERE o.lead_seq = leads.seq AND o.state = 'declined') THEN 'declined' ELSE 'unanswered' END
	ELSE status END AS outcome, count(*) FROM leads WHERE created_at >= $1 AND created_at < $2 GROUP BY 1, 2, 3`

// wantCounted waits until the reports are those of the leads, on the days on which no lead moves: those before today, but the first, which has
// leads that are still on their way.
func wantCounted(t *testing.T, st *store.Store, database string) {
	t.Helper()
	raw, day := storetest.Raw(t, database), 24*time.Hour
	today := time.Now().UTC().Truncate(day)
	first := time.UnixMicro(int64(storetest.QueryInt(t, raw, `SELECT MIN(created_at) FROM leads`))).UTC().Truncate(day).Add(day)
	diff := ""
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		want := make(map[string]int64)
		rows, err := raw.QueryContext(t.Context(), countedByHand, first.UnixMicro(), today.UnixMicro())
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var day, n int64
			var service, outcome string
			if err := rows.Scan(&day, &service, &outcome, &n); err != nil {
				t.Fatal(err)
			}
			want[fmt.Sprint(time.Unix(day*86400, 0).UTC().Format(time.DateOnly), " ", outcome)] += n
			want[service+" "+outcome] += n
		}
		rows.Close()
		if diff = cmp.Diff(want, reported(t, st, first, today.Add(-day))); diff == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the reports are not those of the leads (-want +got):\n%s", diff)
		}
	}
}

// reported are the leads of two reports.
func reported(t *testing.T, st *store.Store, from, to time.Time) map[string]int64 {
	t.Helper()
	got := make(map[string]int64)
	if err := st.View(t.Context(), func(tx *store.Tx) error {
		r, err := query.NewReportRange(tx, from.Format(time.DateOnly), to.Format(time.DateOnly), time.Now())
		if err != nil {
			return nil // nothing is counted yet
		}
		for _, by := range []string{"day", "service"} {
			list, _, err := query.LeadsReport(tx, r, by)
			if err != nil {
				return err
			}
			for _, row := range list {
				for outcome, n := range row.Outcomes {
					got[fmt.Sprint(row.Key, " ", outcome)] += n
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return got
}

// wantFoundByPhone searches some of the persons of the copies, in all leads.
func wantFoundByPhone(t *testing.T, s *apptest.Service, st *store.Store, copies int) {
	t.Helper()
	for _, i := range []int{1, copies / 2, copies - 1} {
		phone := fmt.Sprintf("+1%d5550105", 201+i%700)
		q, err := query.ParseFilter(map[string][]string{"phone": {phone}}, time.Now(), time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if err := st.View(t.Context(), func(tx *store.Tx) error {
			key, err := app.SearchKey(s.Data, tx)
			if err != nil {
				return err
			}
			found, err := q.Find(tx, key, store.LeadPage{Limit: 10})
			if err == nil && (len(found.Leads) != 1 || found.Leads[0].Request.Contact.Phone != phone || found.Next != 0 || key == nil) {
				t.Errorf("copy %d: %d leads, the next %d, with a key: %v", i, len(found.Leads), found.Next, key != nil)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}
