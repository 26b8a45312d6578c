package leadcounts

import (
	"math"
	"strconv"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/rows"
)

// Counts are the counts as one transaction sees them.
type Counts struct{ Conn db.Conn }

// Row is a number of leads of a source or a campaign.
type Row struct {
	Name    string
	Outcome buyer.Outcome
	Leads   int64
}

// with adds texts to arguments.
func with[T ~string](args []any, texts []T) []any {
	for _, text := range texts {
		args = append(args, string(text))
	}
	return args
}

// Wait is how many leads of a day waited how long.
type Wait struct {
	Period string
	Bucket int // of LongestWait
	Leads  int64
}

// LongestWait returns the longest wait in a bucket. Higher buckets have longer waits, up to 9 % longer.
func LongestWait(bucket int) time.Duration {
	return time.Duration(math.Exp2(float64(bucket-1)/perDoubling) * float64(time.Millisecond)).Round(time.Millisecond)
}

// OfferWaits calls do for how long leads waited that were received from one day to another, until a buyer was first asked.
func (t Counts) OfferWaits(from, to string, do func(Wait)) error {
	return t.waits(offerWait, "", from, to, do)
}

// SaleWaits is OfferWaits until a buyer had the contact.
func (t Counts) SaleWaits(from, to string, do func(Wait)) error {
	return t.waits(saleWait, "", from, to, do)
}

// AnswerWaits calls do for how long a buyer took to answer the messages that were sent to it from one day to another.
func (t Counts) AnswerWaits(id, from, to string, do func(Wait)) error {
	return t.waits(answerWait, id, from, to, do)
}

func (t Counts) waits(kind, name, from, to string, do func(Wait)) error {
	return t.eachCount(kind, name, from, to, func(period, _, bucket string, n int64) {
		number, _ := strconv.Atoi(bucket) // it was formatted
		do(Wait{period, number, n})
	})
}

// Answers counts what each buyer answered from one day to another.
func (t Counts) Answers(from, to string) (map[string]map[string]int64, error) {
	byBuyer := make(map[string]map[string]int64)
	err := t.eachCount(answers, "", from, to, func(_, id, answer string, n int64) {
		if byBuyer[id] == nil {
			byBuyer[id] = make(map[string]int64)
		}
		byBuyer[id][answer] += n
	})
	return byBuyer, err
}

// Cost is what the source of a lead is paid for it, as far as it is counted.
func (t Counts) Cost(leadID string) (buyer.Cents, error) {
	cost, _, err := db.One(t.Conn, db.FirstInt, `SELECT c.cost_cents FROM lead_outcomes c JOIN leads l ON l.seq = c.lead_seq WHERE l.id = $1`, leadID)
	return buyer.Cents(cost), err
}

// Missing returns how many rows are not counted yet.
func (t Counts) Missing() (int64, error) {
	n, _, err := db.One(t.Conn, db.FirstInt, BacklogQuery)
	return n, err
}

// Zone returns the time zone of the days and months, and up to when leads are counted. It returns nil if nothing is counted yet.
func (t Counts) Zone() (zone *time.Location, upTo time.Time, err error) {
	name, err := ZoneName(t.Conn)
	if err != nil || name == "" {
		return nil, upTo, err
	}
	if zone, err = time.LoadLocation(name); err != nil {
		return nil, upTo, err
	}
	p, err := follow.ReadProgress(t.Conn, LeadsFollower)
	if err != nil {
		return nil, upTo, err
	}
	upTo, _, err = db.One(t.Conn, func(r db.Row) (time.Time, error) { return rows.Time(r.Int(0)).In(zone), nil },
		`SELECT created_at FROM leads WHERE seq <= $1 ORDER BY seq DESC LIMIT 1`, p[LeadsFollower])
	return zone, upTo, err
}
