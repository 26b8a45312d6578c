package torture

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"foyer/internal/lead"
)

// propagationTime is how soon every process knows what an operator changed.
const propagationTime = 2 * time.Second

// TestChangesReachAllProcesses changes buyers and suppressed numbers with the commands, and asks three processes.
func TestChangesReachAllProcesses(t *testing.T) {
	t.Parallel()
	pg := newPGServer(t)
	procs := startProcs(t, pg.newDatabase(), 3)
	rounds, slowest, changes := choose(10, 1), time.Duration(0), 0
	seen := func(took time.Duration) { slowest, changes = max(slowest, took), changes+1 }
	for i := range rounds {
		zip := fmt.Sprint(10001 + i)
		out := foyer(t, "buyers", "add", "--live", "--database", pg.url, "--allow-private-buyers", "--name", "network "+zip, "--url", "http://127.0.0.1:9/", "--services", "hvac", "--zips", zip)
		seen(procs.untilCovered(t, zip, true))
		id := regexp.MustCompile(`buyer_\w+`).FindString(out)
		foyer(t, "buyers", "pause", id, "--database", pg.url)
		seen(procs.untilCovered(t, zip, false))
		phone := fmt.Sprintf("212-555-01%02d", i)
		text := request("33139", phone)
		foyer(t, "suppress", "add", phone, "--database", pg.url)
		seen(procs.awaitAll(t, "a suppressed number", func(p *serviceProc) bool { return p.sendOne(text).LeadID == "" }))
	}
	if slowest > propagationTime {
		t.Errorf("a change was seen after %v, want at most %v", slowest, propagationTime)
	}
	report(t, "a change is seen everywhere", "%d changes by commands, each seen by %d processes within %v", changes, len(procs), slowest.Round(time.Millisecond))
}

// untilCovered waits until all processes know whether a place is covered.
func (procs serviceProcs) untilCovered(t *testing.T, zip string, covered bool) time.Duration {
	t.Helper()
	want := lead.Collected
	if covered {
		want = lead.Received
	}
	return procs.awaitAll(t, zip+" "+string(want), func(p *serviceProc) bool { return p.sendOne(request(zip, "305-555-0123")).Status == want })
}

// awaitAll waits until something is true of all processes, and returns how long that took.
func (procs serviceProcs) awaitAll(t *testing.T, what string, told func(*serviceProc) bool) time.Duration {
	t.Helper()
	began := time.Now()
	for _, p := range procs {
		for !told(p) {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("%s is not known after ten seconds", what)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return time.Since(began)
}

// request returns the body of a request for a place, from a phone number.
func request(zip, phone string) string {
	return fmt.Sprintf(`{"service_type":"hvac","zip_code":%q,"customer_name":"Pat Example","customer_phone":%q,"consent_to_contact":true}`, zip, phone)
}

// sendOne sends a request. The receipt is empty if the request is refused.
func (p *serviceProc) sendOne(text string) (r lead.Receipt) {
	p.t.Helper()
	res, body, err := post(httpClient, p.URL, text, "")
	if err != nil {
		p.t.Fatal(err)
	}
	if res.StatusCode == http.StatusAccepted {
		if err := json.Unmarshal(body, &r); err != nil {
			p.t.Fatal(err)
		}
	}
	return r
}
