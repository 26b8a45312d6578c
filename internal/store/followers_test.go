package store_test

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// interrupted is a job in which something else happens after rows were read, and before it writes.
type interrupted struct {
	follow.Job
	between func()
}

func (j interrupted) Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error {
	j.between()
	return j.Job.Steps(ctx, n, do, after)
}

func TestErasedWhileIndexed(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		s := storetest.Open(t, database)
		storetest.Save(t, s, storetest.FullLead("lead_1"))
		indexer := s.NewIndexer(storetest.SearchKey)
		erased := false
		job := interrupted{store.FollowJob(storetest.Job(t, s)), func() {
			if erased {
				return
			}
			erased = true
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.Erase(1, lead.Evidence{}, "", store.SearchTerms(storetest.SearchKey, storetest.FullLead("").Request.Contact))
			}); err != nil {
				t.Error(err)
			}
		}}
		storetest.Eventually(t, "the lead is in the index", func() bool {
			if _, err := indexer.Run(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			left, err := s.Backlog(t.Context(), indexer)
			return err == nil && left == 0
		})
		raw := storetest.Raw(t, database)
		if all, persons := storetest.QueryInt(t, raw, `SELECT COUNT(*) FROM search_index`), storetest.QueryInt(t, raw, `SELECT COUNT(*) FROM search_index WHERE hash < 0`); !erased || all != 1 || persons != 0 {
			t.Errorf("the index has %d terms, %d of them of persons; want that of the ZIP code alone", all, persons)
		}
	})
}

// TestRebuiltTwice has leads counted again in one time zone, and in another while the counts are being emptied: the second one counts.
func TestRebuiltTwice(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		s := storetest.Open(t, database)
		storetest.Save(t, s, storetest.Lead("lead_1")) // at noon of UTC
		storetest.CountLeads(t, s, "UTC")
		rebuild := func(name string) {
			zone, err := time.LoadLocation(name)
			if err == nil {
				err = s.Update(t.Context(), func(tx *store.Tx) error { return tx.LeadCounts().Rebuild(zone) })
			}
			if err != nil {
				t.Error(err)
			}
		}
		rebuild("America/New_York")
		again := sync.OnceFunc(func() { rebuild("Pacific/Auckland") })
		if _, err := s.NewCounter(time.UTC).Run(t.Context(), interrupted{store.FollowJob(storetest.Job(t, s)), again}); err != nil {
			t.Fatal(err)
		}
		storetest.CountLeads(t, s, "UTC")
		if n := storetest.QueryInt(t, storetest.Raw(t, database), `SELECT COUNT(*) FROM count_zone`); n != 1 {
			t.Errorf("there are %d time zones", n)
		}
		if err := s.View(t.Context(), func(tx *store.Tx) error {
			zone, _, err := tx.LeadCounts().Zone()
			if err != nil {
				return err
			}
			days, err := tx.LeadCounts().Days("2026-11-01", "2026-11-30")
			if zone.String() != "Pacific/Auckland" || len(days) != 1 || days[0].Key != "2026-11-06" {
				t.Errorf("the zone is %v, and leads are counted on %+v", zone, days)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestFirstRunFollows has a process that has just started follow the leads that were there before, on a server where nothing else goes on.
func TestFirstRunFollows(t *testing.T) {
	t.Parallel()
	own := func(t *testing.T) string { return postgres.Start(t, postgres.Options{}).Database(t) }
	storetest.OnEachEngine(t, map[string]func(*testing.T) string{"SQLite": storetest.SQLite, "PostgreSQL": own}, func(t *testing.T, newDatabase func(*testing.T) string) {
		s := storetest.Open(t, newDatabase(t))
		storetest.Save(t, s, storetest.Lead("lead_1"))
		job := storetest.Job(t, s)
		if n, err := job.Follow(t.Context(), s.NewIndexer(storetest.SearchKey)); err != nil || n != 1 {
			t.Errorf("%d rows were indexed, %v", n, err)
		}
		if n, err := job.Follow(t.Context(), s.NewCounter(time.UTC)); err != nil || n != 1 {
			t.Errorf("%d rows were counted, %v", n, err)
		}
	})
}

// thirdRunsAgain is a job whose third update is rolled back once and runs again, as when another request of its group failed.
type thirdRunsAgain struct {
	follow.Job
	updates *int
	before  func()
}

func (j thirdRunsAgain) Update(ctx context.Context, do func(db.Conn) error) error {
	if *j.updates++; *j.updates == 3 {
		j.before()
		rolledBack := errors.New("rolled back")
		if err := j.Job.Update(ctx, func(c db.Conn) error { return cmp.Or(do(c), rolledBack) }); !errors.Is(err, rolledBack) {
			return err
		}
	}
	return j.Job.Update(ctx, do)
}

// TestLeadFoundInTxThatRunsAgain looks for leads while a transaction stays open that began after the second look: it cannot keep the third look
// from being sure of a lead, though that runs again.
func TestLeadFoundInTxThatRunsAgain(t *testing.T) {
	t.Parallel()
	database := postgres.Start(t, postgres.Options{}).Database(t)
	s := storetest.Open(t, database)
	storetest.Save(t, s, storetest.Lead("lead_1"))
	open, err := storetest.Raw(t, database).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer open.Rollback()
	job := thirdRunsAgain{store.FollowJob(storetest.Job(t, s)), new(int), func() {
		if _, err := open.Exec(`SELECT pg_current_xact_id()`); err != nil {
			t.Error(err)
		}
	}}
	leads := follow.Leads{Server: true}
	if last, err := leads.Last(t.Context(), job); err != nil || last != 1 {
		t.Errorf("leads can be followed up to %d, %v", last, err)
	}
}

// TestLeadCommittedLate stores a lead with a lower number after one with a higher number, as a server may: both are found in the end.
func TestLeadCommittedLate(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	late, err := storetest.Raw(t, database).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer late.Rollback()
	if _, err := late.Exec(`INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
		VALUES ('lead_late', 'collected', 1, 1, 'hvac', '33139', '', '{}', '{"phone":"+13055550123"}', '{}')`); err != nil {
		t.Fatal(err)
	}
	storetest.Save(t, s, storetest.Lead("lead_2"))
	job, indexer, counter := storetest.Job(t, s), s.NewIndexer(storetest.SearchKey), s.NewCounter(time.UTC)
	for range 10 {
		for _, follow := range []func() (int64, error){func() (int64, error) { return job.Follow(t.Context(), indexer) }, func() (int64, error) { return job.Follow(t.Context(), counter) }} {
			if n, err := follow(); err != nil || n > 0 {
				t.Fatalf("%d rows were followed, %v; a lead with a lower number may still come", n, err)
			}
		}
	}
	if err := late.Commit(); err != nil {
		t.Fatal(err)
	}
	storetest.Index(t, s, storetest.SearchKey)
	if err := s.View(t.Context(), func(tx *store.Tx) error {
		found, err := tx.FindLeads(store.LeadFilter{Phones: []string{"+13055550123"}}, storetest.SearchKey, store.LeadPage{Limit: 5})
		if len(found.Leads) != 2 {
			t.Errorf("%d leads are found", len(found.Leads))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
