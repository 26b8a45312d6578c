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
	coverOneIn = 100 // the new buyer covers one in this many
)

// fillHeld writes held leads directly into the tables, because the intake would take minutes. One in a hundred is in the
// 331 area, the others are in 902.
const fillHeld = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
	INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
	SELECT printf('lead_held%026d', i), 'collected', $2 + i, $2 + i, 'hvac', CASE WHEN i % $3 = 0 THEN '33139' ELSE '90210' END, '',
		printf('{"service_type":"hvac","zip_code":"%s","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}',
			CASE WHEN i % $3 = 0 THEN '33139' ELSE '90210' END),
		CAST(printf('{"name":"Pat Example","phone":"+1%010d"}', 2000000000 + i) AS BLOB),
		'{"door":"json","client":"127.0.0.1","request_id":"req_held","consent":{"version":"stated-2026-11","hash":"0"}}' FROM n`

// benchHeld measures the intake while a buyer is added that covers one in a hundred of a million held leads.
func benchHeld(w io.Writer, binary, folder string) error {
	buyers, err := startTestBuyers()
	if err != nil {
		return err
	}
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
	time.Sleep(2 * time.Second)
	before, idle := s.cpu(), time.Now()
	time.Sleep(5 * time.Second)
	rest := (s.cpu() - before).Seconds() / time.Since(idle).Seconds()

	quiet, err := runLoad(s.address, variedLead("/v1/intake", 202), 8, 5*time.Second)
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
	if err := buyers.addTo(binary, sqliteIn(here), "33139", 1); err != nil {
		return err
	}
	busy, err := runLoad(s.address, variedLead("/v1/intake", 202), 8, 5*time.Second)
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
	fmt.Fprintf(w, "%d held: CPU at rest %.1f %%; a buyer for one in %d: %d delivered after %.1f s, offered in order: %v (%.2f of neighbours); intake p99 %v before, %v meanwhile, ratio %.2f\n",
		heldLeads, 100*rest, coverOneIn, buyers.delivered.Load(), released.Seconds(), sorted, float64(inOrder)/float64(max(1, len(buyers.offerOrder)-1)),
		quiet.percentile(0.99).Round(100*time.Microsecond), busy.percentile(0.99).Round(100*time.Microsecond), float64(busy.percentile(0.99))/float64(quiet.percentile(0.99)))
	return nil
}
