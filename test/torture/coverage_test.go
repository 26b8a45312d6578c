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

// everywhere is how soon every process knows what an operator changed.
const everywhere = 2 * time.Second

// TestChangesAreSeenEverywhere changes buyers and suppressed numbers with the commands, and asks three processes.
func TestChangesAreSeenEverywhere(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	all := openBranches(t, g.fresh(), 3)
	rounds, slowest, changes := choose(10, 1), time.Duration(0), 0
	seen := func(took time.Duration) { slowest, changes = max(slowest, took), changes+1 }
	for i := range rounds {
		zip := fmt.Sprint(10001 + i)
		out := foyer(t, "buyers", "add", "--live", "--database", g.url, "--allow-private-buyers", "--name", "network "+zip, "--url", "http://127.0.0.1:9/", "--services", "hvac", "--zips", zip)
		seen(all.untilCovered(t, zip, true))
		id := regexp.MustCompile(`buyer_\w+`).FindString(out)
		foyer(t, "buyers", "pause", id, "--database", g.url)
		seen(all.untilCovered(t, zip, false))
		phone := fmt.Sprintf("212-555-01%02d", i)
		text := request("33139", phone)
		foyer(t, "suppress", "add", phone, "--database", g.url)
		seen(all.untilTold(t, "a suppressed number", func(b *branch) bool { return b.sendOne(text).LeadID == "" }))
	}
	if slowest > everywhere {
		t.Errorf("a change was seen after %v, want at most %v", slowest, everywhere)
	}
	tell(t, "a change is seen everywhere", "%d changes by commands, each seen by %d processes within %v", changes, len(all), slowest.Round(time.Millisecond))
}

// untilCovered waits until all processes know whether somebody covers a place.
func (all branches) untilCovered(t *testing.T, zip string, covered bool) time.Duration {
	t.Helper()
	want := lead.Collected
	if covered {
		want = lead.Received
	}
	return all.untilTold(t, zip+" "+string(want), func(b *branch) bool { return b.sendOne(request(zip, "305-555-0123")).Status == want })
}

// untilTold waits until something is true of all processes, and says how long that took.
func (all branches) untilTold(t *testing.T, what string, told func(*branch) bool) time.Duration {
	t.Helper()
	began := time.Now()
	for _, b := range all {
		for !told(b) {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("%s is not known after ten seconds", what)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return time.Since(began)
}

// request is a letter for a place, from a number.
func request(zip, phone string) string {
	return fmt.Sprintf(`{"service_type":"hvac","zip_code":%q,"customer_name":"Pat Example","customer_phone":%q,"consent_to_contact":true}`, zip, phone)
}

// sendOne sends a letter. Where it is refused, the receipt is empty.
func (b *branch) sendOne(text string) (r lead.Receipt) {
	b.t.Helper()
	res, body, err := post(visitor, b.URL, text, "")
	if err != nil {
		b.t.Fatal(err)
	}
	if res.StatusCode == http.StatusAccepted {
		if err := json.Unmarshal(body, &r); err != nil {
			b.t.Fatal(err)
		}
	}
	return r
}
