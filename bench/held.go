package main

import (
	"database/sql"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	_ "modernc.org/sqlite"
)

const (
	heldLeads  = 1_000_000
	coverOneIn = 100 // a new buyer covers one in this many

	// calmRate is how many leads a second come while the machine is not busy: a few clients that send as fast as they can use all of it.
	calmRate = 500
)

// fillHeld writes held leads directly into the tables, because the intake would take minutes. One in a hundred has the ZIP code 33139, one
// 33140, and the others 90210.
const fillHeld = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1), places(i, zip) AS (
		SELECT i, CASE i % $3 WHEN 0 THEN '33139' WHEN 1 THEN '33140' ELSE '90210' END FROM n)
	INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
	SELECT printf('lead_held%026d', i), 'collected', $2 + i, $2 + i, 'hvac', zip, '',
		printf('{"service_type":"hvac","zip_code":"%s","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', zip),
		CAST(printf('{"name":"Pat Example","phone":"+1%010d"}', 2000000000 + i) AS BLOB),
		'{"door":"json","client":"127.0.0.1","request_id":"req_held","consent":{"version":"stated-2026-11","hash":"0"}}' FROM places`

// benchHeld measures the intake while a buyer is added that covers one in a hundred of a million held leads: once while a few leads come, and
// once while eight clients send as fast as they can.
func benchHeld(w io.Writer, binary, folder string) error {
	here := subfolder(folder, "held")
	s, err := startFoyer(binary, here, "--allow-private-buyers")
	if err != nil {
		return err
	}
	defer s.kill()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(here, "foyer.db")+"?_pragma=busy_timeout(60000)&_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	defer db.Close()
	time.Sleep(time.Second) // until the jobs of the start have found nothing to do: they would read all that follows
	if _, err := db.Exec(fillHeld, heldLeads, time.Now().Add(-time.Hour).UnixMicro(), coverOneIn); err != nil {
		return err
	}
	if _, err := db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil { // the first leads would wait for it
		return err
	}
	time.Sleep(2 * time.Second)
	before, idle := s.cpu(), time.Now()
	time.Sleep(5 * time.Second)
	fmt.Fprintf(w, "%d held: CPU at rest %.1f %%\n", heldLeads, 100*(s.cpu()-before).Seconds()/time.Since(idle).Seconds())

	const during = 5 * time.Second
	if err := benchRelease(w, s, binary, here, "33139", fmt.Sprintf("%d leads a second", calmRate), func() (result, error) {
		return runPaced(s.address, variedLead("/v1/intake", 202), 8, calmRate, during)
	}); err != nil {
		return err
	}
	return benchRelease(w, s, binary, here, "33140", "8 clients without a pause", func() (result, error) {
		return runLoad(s.address, variedLead("/v1/intake", 202), 8, during)
	})
}

// benchRelease measures a load before a buyer is added that covers a ZIP code, and while the leads held there are released.
func benchRelease(w io.Writer, s *server, binary, folder, zip, name string, load func() (result, error)) error {
	buyers, err := startTestBuyers()
	if err != nil {
		return err
	}
	quiet, err := load()
	if err != nil {
		return err
	}
	var released time.Duration
	var watching sync.WaitGroup
	watching.Go(func() {
		began := time.Now()
		for buyers.delivered.Load() < heldLeads/coverOneIn && time.Since(began) < 2*time.Minute {
			time.Sleep(20 * time.Millisecond)
		}
		released = time.Since(began)
	})
	if err := buyers.addTo(binary, sqliteIn(folder), zip, 1, "--name", "Loopback at "+zip); err != nil {
		return err
	}
	busy, err := load()
	if err != nil {
		return err
	}
	watching.Wait()
	buyers.mu.Lock()
	inOrder := 0
	for i := 1; i < len(buyers.offerOrder); i++ {
		if buyers.offerOrder[i] > buyers.offerOrder[i-1] {
			inOrder++
		}
	}
	sorted := slices.IsSorted(buyers.offerOrder)
	buyers.mu.Unlock()
	fmt.Fprintf(w, "%s, a buyer for one in %d: %d delivered after %.1f s, offered in order: %v (%.2f of neighbors); intake p99 %v before, %v meanwhile, ratio %.2f\n",
		name, coverOneIn, buyers.delivered.Load(), released.Seconds(), sorted, float64(inOrder)/float64(max(1, len(buyers.offerOrder)-1)),
		quiet.percentile(0.99).Round(100*time.Microsecond), busy.percentile(0.99).Round(100*time.Microsecond), float64(busy.percentile(0.99))/float64(quiet.percentile(0.99)))
	return nil
}
