// Package offercounts counts the offers to a buyer in each hour, what became of them, and their prices: the table offer_counts. Caps,
// balances and reports are sums of its rows, so none of them reads the offers. The package decides nothing: it adds up what the store
// tells it.
package offercounts

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
)

// columns are what is counted of each hour. Caps and balances need the first two.
var columns = []string{"used", "used_cents", "offered", "accepted", "delivered", "returned", "charged_cents", "credited_cents"}

// Change is a change of the counts of an hour, in the order of columns.
type Change struct {
	Used, UsedCents, Offered, Accepted, Delivered, Returned, ChargedCents, CreditedCents int64
}

func (c Change) add(by Change) Change {
	return Change{
		c.Used + by.Used, c.UsedCents + by.UsedCents, c.Offered + by.Offered, c.Accepted + by.Accepted, c.Delivered + by.Delivered, c.Returned + by.Returned,
		c.ChargedCents + by.ChargedCents, c.CreditedCents + by.CreditedCents,
	}
}

// hour is the key of a row: a buyer, and an hour counted from 1970.
type hour struct {
	buyer string
	hour  int64
}

// Counts are the counts as one transaction sees them.
type Counts struct {
	changes map[hour]Change       // of this transaction, not written yet
	used    map[hours]buyer.Usage // what the current request read
}

// hours are those of a buyer from one up to another.
type hours struct {
	buyer    string
	from, to int64
}

// New returns the counts of a transaction.
func New() *Counts {
	return &Counts{changes: make(map[hour]Change), used: make(map[hours]buyer.Usage)}
}

// Start forgets the changes of the transaction before. What a request read, StartRequest forgets.
func (c *Counts) Start() { clear(c.changes) }

// StartRequest forgets what an earlier request in the transaction read.
func (c *Counts) StartRequest() { clear(c.used) }

// Add changes the counts of the hour in which an offer was made. Flush writes them.
func (c *Counts) Add(o buyer.Offer, by Change) {
	if by == (Change{}) {
		return
	}
	key := hour{o.Buyer, hourOf(o.At)}
	c.changes[key] = c.changes[key].add(by)
}

var (
	insert = `INSERT INTO offer_counts (buyer_id, hour, ` + strings.Join(columns, ", ") + `) `

	// addTo adds to a row that exists already.
	addTo = ` ON CONFLICT (buyer_id, hour) DO UPDATE SET ` + each("%[1]s = offer_counts.%[1]s + excluded.%[1]s")

	sums = each("CAST(COALESCE(SUM(%s), 0) AS BIGINT)")
)

// each writes a piece of SQL for each column.
func each(format string) string {
	list := make([]string, len(columns))
	for i, name := range columns {
		list[i] = fmt.Sprintf(format, name)
	}
	return strings.Join(list, ", ")
}

// Flush writes the changes: one row for each buyer and hour, in a fixed order, so that two transactions do not deadlock.
func (c *Counts) Flush(conn db.Conn) error {
	keys := slices.SortedFunc(maps.Keys(c.changes), func(a, b hour) int { return cmp.Or(cmp.Compare(a.buyer, b.buyer), cmp.Compare(a.hour, b.hour)) })
	for _, k := range keys {
		by := c.changes[k]
		err := conn.Exec(insert+`VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`+addTo, []any{
			k.buyer, k.hour, by.Used, by.UsedCents, by.Offered, by.Accepted, by.Delivered, by.Returned, by.ChargedCents, by.CreditedCents,
		})
		if err != nil {
			return err
		}
	}
	clear(c.changes)
	return nil
}

func hourOf(t time.Time) int64 { return t.Unix() / 3600 }

// hoursOf returns the hours of a period, from the first up to the last. In a time zone with half-hour offsets, its ends are rounded
// (docs/decisions/0015).
func hoursOf(period buyer.Period) (from, to int64) {
	if period.Begin.IsZero() {
		return 0, math.MaxInt64
	}
	return hourOf(period.Begin), hourOf(period.End)
}

// Used returns what counts toward the caps and the balance of a buyer in a period. The database is asked once for each request.
func (c *Counts) Used(conn db.Conn, id string, period buyer.Period) (buyer.Usage, error) {
	from, to := hoursOf(period)
	key := hours{id, from, to}
	used, known := c.used[key]
	if !known {
		var err error
		used, _, err = db.One(conn, func(r db.Row) (buyer.Usage, error) {
			return buyer.Usage{Leads: int(r.Int(0)), Money: buyer.Cents(r.Int(1))}, nil
		},
			`SELECT CAST(COALESCE(SUM(used), 0) AS BIGINT), CAST(COALESCE(SUM(used_cents), 0) AS BIGINT) FROM offer_counts WHERE buyer_id = $1 AND hour >= $2 AND hour < $3`, id, from, to)
		if err != nil {
			return buyer.Usage{}, err
		}
		c.used[key] = used
	}
	for k, by := range c.changes {
		if k.buyer == id && k.hour >= from && k.hour < to {
			used.Leads += int(by.Used)
			used.Money += buyer.Cents(by.UsedCents)
		}
	}
	return used, nil
}

// Sums returns what became of the offers to each of some buyers in a period, without what a transaction has not written yet.
func Sums(conn db.Conn, ids []string, period buyer.Period) (map[string]buyer.Counts, error) {
	byBuyer := make(map[string]buyer.Counts)
	if len(ids) == 0 {
		return byBuyer, nil
	}
	from, to := hoursOf(period)
	args := []any{from, to}
	for _, id := range ids {
		args = append(args, id)
	}
	err := conn.Query(`SELECT buyer_id, `+sums+` FROM offer_counts WHERE buyer_id IN (`+db.Placeholders(3, len(ids))+`) AND hour >= `+boundary("$1")+` AND hour < `+boundary("$2")+` GROUP BY buyer_id`, args, func(r db.Row) error {
		byBuyer[r.Text(0)] = buyer.Counts{
			Used: buyer.Usage{Leads: int(r.Int(1)), Money: buyer.Cents(r.Int(2))}, Offered: int(r.Int(3)), Accepted: int(r.Int(4)), Delivered: int(r.Int(5)),
			Returned: int(r.Int(6)), Charged: buyer.Cents(r.Int(7)), Credited: buyer.Cents(r.Int(8)),
		}
		return nil
	})
	return byBuyer, err
}

// A day that is long past has one row, with the number of its first hour: otherwise a buyer would have 8,760 rows a year, and a cap on
// all its leads would read them all.
const (
	// byDay is the hour before which rows are for days: two months before the newest lead. It does not depend on a clock, so that a
	// check of the database agrees with the service.
	byDay = `COALESCE((SELECT (created_at / 3600000000 / 24 - 62) * 24 FROM leads WHERE seq = (SELECT MAX(seq) FROM leads)), 0)`

	// RowHour maps the column hour to the hour of the row that counts it: the first hour of its day in UTC once that day is long past.
	RowHour = `CASE WHEN hour < ` + byDay + ` THEN hour / 24 * 24 ELSE hour END`

	// DaysToFold finds the days that are long past and have more rows than one. Its parameter is how many to find.
	DaysToFold = `SELECT DISTINCT buyer_id, hour / 24 * 24 FROM offer_counts WHERE hour % 24 <> 0 AND hour < ` + byDay + ` LIMIT $1`
)

// boundary maps the hour at which a period begins or ends to one at which a row begins. Before byDay that is the nearest start of a day in UTC,
// whether or not the rows of that day were folded yet: a day of another time zone counts as the one with which it shares most hours.
func boundary(hour string) string {
	return fmt.Sprintf(`CASE WHEN %[1]s < `+byDay+` THEN (%[1]s / 24 + (%[1]s %% 24 + 11) / 24) * 24 ELSE %[1]s END`, hour)
}

// Fold adds the later hours of a day to its first.
func Fold(conn db.Conn, buyerAndDay db.Row) error {
	err := conn.Exec(insert+`SELECT buyer_id, CAST($2 AS BIGINT), `+sums+` FROM offer_counts WHERE buyer_id = $1 AND hour > $2 AND hour < $2 + 24 GROUP BY buyer_id`+addTo, buyerAndDay)
	if err != nil {
		return err
	}
	return conn.Exec(`DELETE FROM offer_counts WHERE buyer_id = $1 AND hour > $2 AND hour < $2 + 24`, buyerAndDay)
}
