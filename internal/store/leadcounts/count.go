package leadcounts

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/rows"
)

// factsQuery reads what decides where leads stand, and what they were counted as. The history of a round that ended without a sale has
// the status collected.
const factsQuery = `SELECT l.seq, l.status, l.created_at, l.service_type, l.zip_code, l.marks, COALESCE(c.outcome, ''), COALESCE(c.offer_wait, 0), COALESCE(c.sale_wait, 0),
	COALESCE((SELECT MIN(o.at) FROM offers o WHERE o.lead_seq = l.seq), 0),
	COALESCE((SELECT MIN(s.at) FROM history s WHERE s.lead_seq = l.seq AND s.status = 'forwarded'), 0),
	COALESCE(h.seq, 0), COALESCE(h.reason, ''), COALESCE(h.passed_over, ''),
	(SELECT COUNT(*) FROM history x WHERE x.lead_seq = l.seq AND x.status = 'rejected' AND x.reason = '` + lead.ExpiredReason + `'),
	(SELECT COUNT(*) FROM offers d WHERE d.lead_seq = l.seq AND d.state = 'declined'),
	l.source, COALESCE(c.cost_cents, 0), COALESCE(c.campaign, ''), CASE WHEN l.evidence LIKE '%"utm_%' THEN l.evidence ELSE '' END,
	CASE WHEN l.status = 'forwarded' THEN (SELECT COUNT(*) FROM offers p JOIN buyers b ON b.id = p.buyer_id WHERE p.lead_seq = l.seq AND p.state IN ('delivered', 'returned') AND b.terms LIKE '%"practice":true%') ELSE 0 END
	FROM leads l LEFT JOIN lead_outcomes c ON c.lead_seq = l.seq
	LEFT JOIN history h ON h.seq = (SELECT MAX(r.seq) FROM history r WHERE r.lead_seq = l.seq AND r.status = 'collected')
	WHERE l.seq IN (`

// counted is what a lead is counted as.
type counted struct {
	outcome             buyer.Outcome
	offerWait, saleWait int64
	cost                int64 // in cents; 0 if its source is not paid for it
	campaign            string
}

// payable reports whether the source of the lead is paid for it, if a cap allows it.
func (c counted) payable() bool { return c.outcome != "" && source.Costs(c.outcome) }

// facts are what is known of a lead, and what it was counted as before.
type facts struct {
	seq         int64
	received    time.Time
	service     string
	zip         string
	was, is     counted
	period      string // its day
	hour        string
	month, area string
	source      string // the key of its source, or ""
}

// newFacts returns what does not change, for a lead that was received at a time.
func newFacts(at int64, zone *time.Location, service, zip, source string) facts {
	received := rows.Time(at).In(zone)
	return facts{
		received: received, service: service, zip: zip, source: source,
		period: received.Format(time.DateOnly), hour: received.Format(HourFormat), month: received.Format("2006-01"), area: buyer.StateOf(zip),
	}
}

func (x *Counter) facts(r db.Row) facts {
	f := newFacts(r.Int(2), x.zone, r.Text(3), r.Text(4), r.Text(16))
	f.seq = r.Int(0)
	f.was = counted{buyer.Outcome(r.Text(6)), r.Int(7), r.Int(8), r.Int(17), r.Text(18)}
	f.is.campaign = campaignOf(r.Text(19))
	f.is.outcome = buyer.Standing{
		Status: lead.Status(r.Text(1)), Marks: rows.SplitMarks(r.Text(5)), Held: r.Int(11) > 0, Reason: r.Text(12),
		PassedOver: rows.DecodePassedOver(r.Text(13)), Expired: r.Int(14) > 0, Declined: r.Int(15) > 0, Practice: r.Int(20) > 0,
	}.Outcome()
	if f.is.outcome == buyer.OutcomePractice { // it waited for nobody who buys
		return f
	}
	if r.Int(11) == 0 && f.is.outcome == buyer.OutcomeUncovered {
		f.is.outcome = x.onArrival(f)
	}
	if at := r.Int(9); at > 0 {
		f.is.offerWait = bucketOf(rows.Time(at).Sub(f.received))
	}
	if at := r.Int(10); at > 0 {
		f.is.saleWait = bucketOf(rows.Time(at).Sub(f.received))
	}
	return f
}

// onArrival returns the outcome of a lead that was held when it came. Nothing says whether a buyer that was paused would have taken it, so
// the buyers of the time when it is first counted decide, usually within half a minute.
func (x *Counter) onArrival(f facts) buyer.Outcome {
	switch {
	case f.was.outcome == buyer.OutcomeUncovered || f.was.outcome == buyer.OutcomePaused:
		return f.was.outcome
	case x.Paused != nil && x.Paused(lead.Service(f.service), f.zip):
		return buyer.OutcomePaused
	}
	return buyer.OutcomeUncovered
}

// chunkLeads is how many leads are counted in one go: writing them takes about a millisecond.
const chunkLeads = 20

// planChanged is planLeads for rows of history. Leads that were not counted before this run are left out: whoever counts them first reads
// them after those rows were there, and in the order of their numbers.
func (x *Counter) planChanged(ctx context.Context, job follow.Job, batch []db.Row) ([]follow.Chunk, error) {
	last := batch[len(batch)-1].Int(0)
	batch = slices.DeleteFunc(slices.Clone(batch), func(r db.Row) bool { return r.Int(1) > x.countedTo })
	chunks, err := x.planLeads(ctx, job, batch)
	return append(chunks, follow.Chunk{Last: last, Write: func(db.Conn) error { return nil }}), err
}

// planLeads counts the leads that rows name in their second column. It reads them before the transaction that writes the counts: what
// changes in between has rows of its own to follow, and nobody else writes lead_outcomes.
func (x *Counter) planLeads(ctx context.Context, job follow.Job, batch []db.Row) (chunks []follow.Chunk, err error) {
	seen := make(map[int64]bool)
	for some := range slices.Chunk(batch, chunkLeads) {
		var seqs []string
		for _, r := range some {
			if seq := r.Int(1); !seen[seq] {
				seen[seq] = true
				seqs = append(seqs, fmt.Sprint(seq))
			}
		}
		d := newDeltas(x.recentFrom)
		if len(seqs) > 0 {
			read, err := job.Read(ctx, factsQuery+strings.Join(seqs, ",")+") ORDER BY l.seq")
			if err != nil {
				return nil, err
			}
			for _, r := range read {
				f := x.facts(r)
				if f.is.cost, err = x.costs.settle(ctx, job, f); err != nil {
					return nil, err
				}
				d.add(f)
			}
		}
		chunks = append(chunks, follow.Chunk{Last: some[len(some)-1].Int(0), Write: d.write})
	}
	return chunks, nil
}

// deltas are changes of counts that are written together.
type deltas struct {
	outcomes []string // rows of lead_outcomes
	args     []any    // of those rows
	places   placeDeltas
	days     dayDeltas
	sources  map[sourceKey]int
	money    map[moneyKey]int

	recent     map[recentLead]int
	recentFrom string // the first day of recent_leads
}

func newDeltas(recentFrom string) *deltas {
	return &deltas{
		places: make(placeDeltas), days: make(dayDeltas), sources: make(map[sourceKey]int), money: make(map[moneyKey]int),
		recent: make(map[recentLead]int), recentFrom: recentFrom,
	}
}

func (d *deltas) add(f facts) {
	if f.is == f.was {
		return
	}
	d.args = append(d.args, f.is.campaign)
	d.outcomes = append(d.outcomes, fmt.Sprintf("(%d,'%s',%d,%d,%d,$%d)", f.seq, f.is.outcome, f.is.offerWait, f.is.saleWait, f.is.cost, len(d.args)))
	d.count(f, f.was, -1)
	d.count(f, f.is, +1)
}

func (d *deltas) count(f facts, as counted, by int) {
	if as.outcome != "" && as.outcome != buyer.OutcomePractice {
		d.countRecent(f, as, by)
		d.places.count(f, as.outcome, by)
		d.countSource(f, "source", f.source, string(as.outcome), f.service, by) // of all others there is no source
		d.countSource(f, "campaign", as.campaign, string(as.outcome), f.service, by)
	}
	if as.cost > 0 {
		d.countSource(f, "paid", f.source, "", "", by)
		addMoney(d.money, costKind, f, by*int(as.cost))
	}
	if as.offerWait > 0 {
		d.days.add(dayKey{offerWait, f.period, ""}, bucketName(as.offerWait), int64(by))
	}
	if as.saleWait > 0 {
		d.days.add(dayKey{saleWait, f.period, ""}, bucketName(as.saleWait), int64(by))
	}
}

// write writes the changes with one statement for each table.
func (d *deltas) write(c db.Conn) error {
	if len(d.outcomes) > 0 {
		if err := d.writeOutcomes(c); err != nil {
			return err
		}
	}
	if err := d.places.write(c); err != nil {
		return err
	}
	if err := d.days.write(c); err != nil {
		return err
	}
	if err := d.writeSources(c); err != nil {
		return err
	}
	if err := d.writeRecent(c); err != nil {
		return err
	}
	return upsert(c, "money_counts", []string{"kind", "period", "source", "service_type"}, "cents", d.money, func(k moneyKey) []any { return []any{k.kind, k.period, k.source, k.service} })
}

func (d *deltas) writeOutcomes(c db.Conn) error {
	return c.Exec(`INSERT INTO lead_outcomes (lead_seq, outcome, offer_wait, sale_wait, cost_cents, campaign) VALUES `+strings.Join(d.outcomes, ",")+
		` ON CONFLICT (lead_seq) DO UPDATE SET outcome = excluded.outcome, offer_wait = excluded.offer_wait, sale_wait = excluded.sale_wait, cost_cents = excluded.cost_cents, campaign = excluded.campaign`, d.args)
}

// upsert adds to the counts of rows, in a fixed order.
func upsert[K comparable](c db.Conn, table string, keys []string, count string, by map[K]int, values func(K) []any) error {
	var lines []string
	var args []any
	for k, n := range by {
		if n == 0 {
			delete(by, k)
		}
	}
	if len(by) == 0 {
		return nil
	}
	for _, k := range slices.SortedFunc(maps.Keys(by), func(a, b K) int { return strings.Compare(fmt.Sprint(values(a)...), fmt.Sprint(values(b)...)) }) {
		lines = append(lines, "("+db.Placeholders(len(args)+1, len(keys)+1)+")")
		args = append(append(args, values(k)...), int64(by[k]))
	}
	list := strings.Join(keys, ", ")
	return c.Exec(`INSERT INTO `+table+` (`+list+`, `+count+`) VALUES `+strings.Join(lines, ",")+
		` ON CONFLICT (`+list+`) DO UPDATE SET `+count+` = `+table+`.`+count+` + excluded.`+count, args)
}

// countAnswers counts what buyers answered.
func (x *Counter) countAnswers(c db.Conn, some []db.Row) error {
	d := newDeltas("")
	for _, r := range some {
		d.addAnswer(r, x.zone)
	}
	return d.write(c)
}

// addAnswer counts a row of answersQuery. A message without an answer took as long as the network or our patience did, which says nothing
// about the buyer.
func (d *deltas) addAnswer(r db.Row, zone *time.Location) {
	id, day := r.Text(1), rows.Time(r.Int(2)).In(zone).Format(time.DateOnly)
	if id == "" { // a message about a return
		return
	}
	d.days.add(dayKey{answers, day, id}, r.Text(3), 1)
	if answered := r.Int(5) > 0; answered {
		d.days.add(dayKey{answerWait, day, id}, bucketName(bucketOf(time.Duration(r.Int(4))*time.Microsecond)), 1)
	}
}

// perDoubling is how many buckets a wait is sorted into until it is twice as long: a bucket is 9 % wide.
const perDoubling = 8

func bucketName(bucket int64) string { return strconv.FormatInt(bucket, 10) }

// bucketOf returns the bucket of a wait. It is at least 1.
func bucketOf(wait time.Duration) int64 {
	ms := max(float64(wait)/float64(time.Millisecond), 1)
	return 1 + int64(math.Ceil(perDoubling*math.Log2(ms)))
}
