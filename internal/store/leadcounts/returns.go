package leadcounts

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/rows"
)

const returnsQuery = `SELECT r.offer_id, r.buyer_id, r.at, r.code, r.counted_as, r.state, COALESCE(o.price_cents, 0) FROM returns r LEFT JOIN offers o ON o.id = r.offer_id WHERE `

// uncountedReturns finds the returns that are not counted as what they are, of which there are few at any time, and countedReturns those that
// are counted.
const (
	uncountedReturns = returnsQuery + `r.counted_as <> r.state LIMIT $1`
	countedReturns   = returnsQuery + `r.counted_as <> ''`
)

// credited is what is counted of a code beside the states of returns: cents.
const credited = "credited"

// countReturns counts returns by the day on which they came, and moves those that were decided since.
func (x *Counter) countReturns(ctx context.Context, job follow.Job) (counted int64, err error) {
	for {
		batch, err := job.Read(ctx, uncountedReturns, int64(follow.BatchRows))
		if err != nil || len(batch) == 0 {
			return counted, err
		}
		chunks := slices.Collect(slices.Chunk(batch, chunkLeads))
		if err := job.Steps(ctx, len(chunks), func(c db.Conn, i int) error { return x.writeReturns(c, chunks[i]) }, nil); err != nil {
			return counted, err
		}
		counted += int64(len(batch))
	}
}

func (x *Counter) writeReturns(c db.Conn, some []db.Row) error {
	d := newDeltas("")
	for _, r := range some {
		d.addReturn(r, x.zone, r.Text(4), -1)
		d.addReturn(r, x.zone, r.Text(5), +1)
		if err := c.Exec(`UPDATE returns SET counted_as = $1 WHERE offer_id = $2`, []any{r.Text(5), r.Text(0)}); err != nil {
			return err
		}
	}
	return d.write(c)
}

// addReturn counts a row of returnsQuery in a state, or in none.
func (d *deltas) addReturn(r db.Row, zone *time.Location, state string, by int64) {
	if state == "" {
		return
	}
	key, code := dayKey{returned, rows.Time(r.Int(2)).In(zone).Format(time.DateOnly), r.Text(1)}, r.Text(3)
	d.days.add(key, code+" "+state, by)
	if state == string(buyer.ReturnApproved) {
		d.days.add(key, code+" "+credited, by*r.Int(6))
	}
}

// forgetReturns has all returns counted again.
func forgetReturns(ctx context.Context, job follow.Job) error {
	for after := ""; ; {
		some, err := job.Read(ctx, `SELECT offer_id FROM returns WHERE offer_id > $1 AND counted_as <> '' ORDER BY offer_id LIMIT $2`, after, int64(follow.BatchRows))
		if err != nil || len(some) == 0 {
			return err
		}
		if err := job.Steps(ctx, len(some), func(c db.Conn, i int) error {
			return c.Exec(`UPDATE returns SET counted_as = '' WHERE offer_id = $1`, some[i])
		}, nil); err != nil {
			return err
		}
		after = some[len(some)-1].Text(0)
	}
}

// Returned is how many leads a buyer gave back for a reason, and what became of that.
type Returned struct {
	Buyer                     string
	Code                      lead.ReturnCode
	Waiting, Approved, Denied int64
	Credited                  buyer.Cents
}

// Returns counts the returns that came from one day to another, by buyer and code.
func (t Counts) Returns(from, to string) (list []Returned, err error) {
	type reason struct{ buyer, code string }
	found := make(map[reason]*Returned)
	err = t.eachCount(returned, "", from, to, func(_, id, what string, n int64) {
		code, state, _ := strings.Cut(what, " ")
		if found[reason{id, code}] == nil {
			found[reason{id, code}] = &Returned{Buyer: id, Code: lead.ReturnCode(code)}
		}
		switch at := found[reason{id, code}]; state {
		case string(buyer.ReturnWaiting):
			at.Waiting += n
		case string(buyer.ReturnApproved):
			at.Approved += n
		case string(buyer.ReturnDenied):
			at.Denied += n
		case credited:
			at.Credited += buyer.Cents(n)
		}
	})
	for _, r := range found {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Returned) int { return cmp.Or(cmp.Compare(a.Buyer, b.Buyer), cmp.Compare(a.Code, b.Code)) })
	return list, err
}
