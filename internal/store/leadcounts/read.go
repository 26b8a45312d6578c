package leadcounts

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/rows"
)

// Counts are the counts as one transaction sees them.
type Counts struct{ Conn db.Conn }

// Row is a number of leads.
type Row struct {
	Period  string // a day or an hour
	Name    string // of a source or a campaign
	Service lead.Service
	Outcome buyer.Outcome
	Leads   int64
}

// outcomes is the list for SQL. With it, an engine finds the periods of each outcome by the key of lead_counts.
var outcomes = db.Quoted(buyer.Outcomes...)

// Days lists how many leads were received from one day to another, by day, service and outcome.
func (t Counts) Days(from, to string) ([]Row, error) {
	return t.read(`SELECT period, '', service_type, outcome, leads FROM lead_counts WHERE grain = 'day' AND outcome IN (`+outcomes+`)
		AND period >= $1 AND period <= $2 AND leads <> 0`, from, to)
}

// HourFormat is how an hour is written, in the zone of the counts. An hour that a change of the clock repeats counts as one.
const HourFormat = "2006-01-02 15"

// Hours lists how many leads were received in each hour of a day, by outcome.
func (t Counts) Hours(day string) ([]Row, error) {
	return t.read(`SELECT period, '', '', outcome, leads FROM lead_counts WHERE grain = 'hour' AND outcome IN (`+outcomes+`)
		AND place = '' AND period >= $1 AND period <= $2 AND leads <> 0`, day+" 00", day+" 23")
}

// Totals counts all leads that were received from one day to another, by outcome.
func (t Counts) Totals(from, to string) ([]Row, error) {
	return t.read(`SELECT '', '', '', outcome, CAST(SUM(leads) AS BIGINT) FROM lead_counts WHERE grain = 'day' AND outcome IN (`+outcomes+`)
		AND place = '' AND period >= $1 AND period <= $2 GROUP BY outcome`, from, to)
}

// with adds texts to arguments.
func with[T ~string](args []any, texts []T) []any {
	for _, text := range texts {
		args = append(args, string(text))
	}
	return args
}

func (t Counts) read(query string, args ...any) (list []Row, err error) {
	err = t.Conn.Query(query, args, func(r db.Row) error {
		list = append(list, Row{r.Text(0), r.Text(1), lead.Service(r.Text(2)), buyer.Outcome(r.Text(3)), r.Int(4)})
		return nil
	})
	return list, err
}

// Wait is how many leads of a day waited at most for some time, and not much less.
type Wait struct {
	Kind    string // offer, sale, or answer and a buyer
	Period  string
	Longest time.Duration
	Leads   int64
}

// Waits lists how long leads waited that were received from one day to another, the shortest waits first.
func (t Counts) Waits(from, to string) ([]Wait, error) { return t.waits(from, to, "offer", "sale") }

// AnswerWaits lists how long a buyer took to answer the messages that were sent to it from one day to another, the shortest first.
func (t Counts) AnswerWaits(id, from, to string) ([]Wait, error) {
	return t.waits(from, to, answerWait(id))
}

func (t Counts) waits(from, to string, kinds ...string) (list []Wait, err error) {
	err = t.Conn.Query(`SELECT kind, period, bucket, leads FROM wait_counts WHERE kind IN (`+db.Placeholders(3, len(kinds))+`) AND period >= $1 AND period <= $2 AND leads <> 0 ORDER BY bucket`, with([]any{from, to}, kinds), func(r db.Row) error {
		list = append(list, Wait{r.Text(0), r.Text(1), longestIn(r.Int(2)), r.Int(3)})
		return nil
	})
	return list, err
}

// Answers counts what a buyer answered from one day to another.
func (t Counts) Answers(id, from, to string) (map[string]int64, error) {
	answers := make(map[string]int64)
	err := t.Conn.Query(`SELECT answer, CAST(SUM(messages) AS BIGINT) FROM answer_counts WHERE buyer_id = $1 AND period >= $2 AND period <= $3 GROUP BY answer`, []any{id, from, to}, func(r db.Row) error {
		answers[r.Text(0)] = r.Int(1)
		return nil
	})
	return answers, err
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
