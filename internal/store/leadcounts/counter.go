// Package leadcounts counts leads for reports: the tables place_counts, day_counts, source_counts, money_counts and recent_leads. A job follows
// leads, their history, the answers of buyers, the ledger and returns, so that neither the intake nor the forwarder waits for a count, and no row is
// fought over.
//
// A lead counts once, with where it stands now. What it was counted as is kept (lead_outcomes), so that a change moves it.
package leadcounts

import (
	"context"
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
)

// Counter counts what is new.
type Counter struct {
	Zone  *time.Location // of days and months, if nothing was counted yet
	Leads *follow.Leads
	// Paused reports whether a buyer that is paused or switched off covers a service at a ZIP code; nil for never.
	Paused func(s lead.Service, zip string) bool

	zone      *time.Location // as the database has it
	countedTo int64          // the leads after it are read in this run, or in a later one
	costs     costs          // of this run

	recentFrom string // the first day that recent_leads has in this run
}

// The followers that count. LeadsFollower has counted each lead at least once.
const (
	LeadsFollower   = "counts leads"
	historyFollower = "counts history"
	answersFollower = "counts attempts"
	ledgerFollower  = "counts ledger"
)

// offsetSum has the sum of the offsets of all followers, and is written with each of them. A process of a version that does not know
// all tables of today, up to migration 23, or counts practice, does not write it. Whatever such a process counted, also between two runs of ours, is counted again.
const offsetSum = "counts sum 24"

var (
	followers = []string{LeadsFollower, historyFollower, answersFollower, ledgerFollower}
	offsets   = append(slices.Clone(followers), offsetSum)
)

const (
	leadsQuery   = `SELECT seq, seq FROM leads WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`
	historyQuery = `SELECT seq, lead_seq FROM history WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`
	answersQuery = `SELECT a.seq, o.buyer_id, a.at, a.decision, a.took, a.status FROM attempts a LEFT JOIN offers o ON o.id = a.offer_id AND a.kind IN ('lead.offered', 'lead.delivered')
		WHERE a.seq > $1 AND a.seq <= $2 ORDER BY a.seq LIMIT $3`
	ledgerQuery = `SELECT g.seq, g.amount_cents, l.source, l.created_at, l.service_type, l.zip_code FROM ledger g LEFT JOIN offers o ON o.id = g.offer_id LEFT JOIN leads l ON l.seq = o.lead_seq
		WHERE g.seq > $1 AND g.seq <= $2 ORDER BY g.seq LIMIT $3`
)

// Run counts what is new, and reports how many rows that were.
func (x *Counter) Run(ctx context.Context, job follow.Job) (counted int64, err error) {
	var p follow.Progress
	var lastHistory, lastAttempt, lastEntry int64
	zone := ""
	if err := job.Update(ctx, func(c db.Conn) (err error) {
		if p, err = follow.ReadProgress(c, offsets...); err != nil {
			return err
		}
		if zone, err = ZoneName(c); err != nil {
			return err
		}
		if lastHistory, err = follow.Last(c, "history"); err != nil {
			return err
		}
		if lastAttempt, err = follow.Last(c, "attempts"); err != nil {
			return err
		}
		lastEntry, err = follow.Last(c, "ledger")
		return err
	}); err != nil {
		return 0, err
	}
	if !isComplete(p) || zone == "" {
		if zone, err = x.begin(ctx, job); err != nil {
			return 0, err
		}
		p = nil
	}
	if x.zone, err = time.LoadLocation(zone); err != nil {
		return 0, err
	}
	lastLead, err := x.Leads.Last(ctx, job)
	if err != nil {
		return 0, err
	}
	x.countedTo, x.costs = p[LeadsFollower], newCosts()
	if err := job.Update(ctx, func(c db.Conn) (err error) { x.recentFrom, err = x.beginRecent(c, lastLead); return err }); err != nil {
		return 0, err
	}
	for _, f := range []struct {
		name, query string
		last        int64
		plan        follow.Plan
	}{
		{LeadsFollower, leadsQuery, lastLead, x.planLeads},
		{historyFollower, historyQuery, lastHistory, x.planChanged},
		{answersFollower, answersQuery, lastAttempt, follow.Chunks(x.countAnswers)},
		{ledgerFollower, ledgerQuery, lastEntry, follow.Chunks(x.countRevenue)},
	} {
		n, err := follow.Rows(ctx, job, f.name, f.query, p[f.name], f.last, addToSum(f.plan, p[f.name]))
		counted += n
		if err != nil {
			return counted, err
		}
	}
	n, err := x.countReturns(ctx, job)
	return counted + n, err
}

// isComplete reports whether all followers have begun, and nobody but this version has counted since.
func isComplete(p follow.Progress) bool {
	sum := int64(0)
	for _, name := range followers {
		if _, begun := p[name]; !begun {
			return false
		}
		sum += p[name]
	}
	known, begun := p[offsetSum]
	return begun && known == sum
}

// addToSum has each chunk of a plan, which begins after an offset, add to offsetSum how much further it came.
func addToSum(plan follow.Plan, after int64) follow.Plan {
	return func(ctx context.Context, job follow.Job, batch []db.Row) ([]follow.Chunk, error) {
		chunks, err := plan(ctx, job, batch)
		for i, chunk := range chunks {
			further := chunk.Last - after
			after = chunk.Last
			chunks[i].Write = func(c db.Conn) error {
				if err := chunk.Write(c); err != nil {
					return err
				}
				return c.Exec(`UPDATE follow_progress SET seq = seq + $1 WHERE name = $2`, []any{further, offsetSum})
			}
		}
		return chunks, err
	}
}

// CountedIn returns the time zone of the counts, once Run was called.
func (x *Counter) CountedIn() *time.Location { return x.zone }

// begin empties the counts, and returns the time zone of the new ones.
func (x *Counter) begin(ctx context.Context, job follow.Job) (zone string, err error) {
	for _, t := range []struct{ table, keys, deletion string }{
		{"lead_outcomes", "lead_seq", `DELETE FROM lead_outcomes WHERE lead_seq = $1`},
		{"lead_counts", "grain, outcome, place, period, service_type", `DELETE FROM lead_counts WHERE grain = $1 AND outcome = $2 AND place = $3 AND period = $4 AND service_type = $5`},
		{"wait_counts", "kind, period, bucket", `DELETE FROM wait_counts WHERE kind = $1 AND period = $2 AND bucket = $3`},
		{"answer_counts", "buyer_id, period, answer", `DELETE FROM answer_counts WHERE buyer_id = $1 AND period = $2 AND answer = $3`},
		{"money_counts", "kind, period, source, service_type", `DELETE FROM money_counts WHERE kind = $1 AND period = $2 AND source = $3 AND service_type = $4`},
		{"day_counts", "kind, period, name", `DELETE FROM day_counts WHERE kind = $1 AND period = $2 AND name = $3`},
		{"place_counts", "grain, service_type, place, period", `DELETE FROM place_counts WHERE grain = $1 AND service_type = $2 AND place = $3 AND period = $4`},
		{"recent_leads", "period, area", `DELETE FROM recent_leads WHERE period = $1 AND area = $2`},
		{"source_counts", "grain, period, name, outcome, service_type", `DELETE FROM source_counts WHERE grain = $1 AND period = $2 AND name = $3 AND outcome = $4 AND service_type = $5`},
	} {
		if err := follow.Empty(ctx, job, t.table, t.keys, t.deletion); err != nil {
			return "", err
		}
	}
	if err := forgetReturns(ctx, job); err != nil {
		return "", err
	}
	err = job.Update(ctx, func(c db.Conn) (err error) {
		if zone, err = x.chooseZone(c); err != nil {
			return err
		}
		if err := follow.Reset(c, offsets...); err != nil {
			return err
		}
		return follow.Begin(c, offsets...)
	})
	return zone, err
}

// chooseZone returns the zone that an operator chose, maybe while the counts were being emptied, or else that of the setting, which it keeps.
func (x *Counter) chooseZone(c db.Conn) (string, error) {
	zone, err := ZoneName(c)
	if err != nil || zone != "" {
		return zone, err
	}
	zone = x.Zone.String()
	return zone, c.Exec(`INSERT INTO count_zone (time_zone) VALUES ($1)`, []any{zone})
}

// ZoneName returns the time zone of the counts, or "" if nothing was counted yet.
func ZoneName(c db.Conn) (string, error) {
	zone, _, err := db.One(c, db.FirstText, `SELECT time_zone FROM count_zone`)
	return zone, err
}

// Rebuild has everything counted again, with the days and months of a zone.
func (t Counts) Rebuild(zone *time.Location) error {
	if err := t.Conn.Exec(`DELETE FROM count_zone`, nil); err != nil {
		return err
	}
	if err := t.Conn.Exec(`INSERT INTO count_zone (time_zone) VALUES ($1)`, []any{zone.String()}); err != nil {
		return err
	}
	return follow.Reset(t.Conn, offsets...)
}

// BacklogQuery counts the rows that are not counted yet.
func (*Counter) BacklogQuery() string { return BacklogQuery }

// BacklogQuery counts the rows that are not counted yet.
var BacklogQuery = `SELECT COALESCE((SELECT MAX(seq) FROM leads), 0) + COALESCE((SELECT MAX(seq) FROM history), 0) + COALESCE((SELECT MAX(seq) FROM attempts), 0)
	+ COALESCE((SELECT MAX(seq) FROM ledger), 0) + (SELECT COUNT(*) FROM returns WHERE counted_as <> state) - CAST(COALESCE((SELECT SUM(seq) FROM follow_progress WHERE name IN (` + db.Quoted(followers...) + `)), 0) AS BIGINT)`
