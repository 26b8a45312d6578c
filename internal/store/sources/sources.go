// Package sources has the SQL of the tables sources and source_prices: where leads come from, and what they cost since when. It decides
// nothing: package source says what a key is worth, and package leadcounts adds up what leads cost.
package sources

import (
	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/source"
	"foyer/internal/store/consents"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Sources are the sources as one transaction sees them.
type Sources struct{ Conn db.Conn }

// Version returns a number that changes whenever a source changes.
func (t Sources) Version() (int64, error) {
	version, _, err := db.One(t.Conn, db.FirstInt, `SELECT version FROM changes WHERE topic = 'sources'`)
	return version, err
}

// Columns are the columns of a source.
const Columns = `id, terms, state, created_at, updated_at`

// Scan reads Columns.
func Scan(r db.Row) (source.Source, error) {
	s := source.Source{Key: r.Text(0), State: source.State(r.Text(2)), CreatedAt: rows.Time(r.Int(3)), UpdatedAt: rows.Time(r.Int(4))}
	return s, json.Unmarshal([]byte(r.Text(1)), &s.Terms)
}

// List lists all sources, oldest first. One whose terms cannot be read is blocked: the service takes leads all the same.
func (t Sources) List() (list []source.Source, err error) {
	err = t.Conn.Query(`SELECT `+Columns+` FROM sources ORDER BY created_at, id`, nil, func(r db.Row) error {
		s, err := Scan(r)
		if err != nil {
			s.State, s.Terms = source.Blocked, source.Terms{Name: s.Key}
		}
		list = append(list, s)
		return nil
	})
	return list, err
}

// Put adds or updates a source, keeps its wording of consent and since when it costs what it costs, and bumps the version that all
// processes poll.
func (t Sources) Put(s source.Source) error {
	terms, err := json.Marshal(s.Terms, json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := t.Conn.Exec(`INSERT INTO sources (`+Columns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET terms = excluded.terms, state = excluded.state, updated_at = excluded.updated_at`,
		[]any{s.Key, string(terms), string(s.State), rows.Micros(s.CreatedAt), rows.Micros(s.UpdatedAt)}); err != nil {
		return err
	}
	if s.Terms.Consent != "" {
		if err := consents.Keep(t.Conn, s.UpdatedAt, s.ConsentShown()); err != nil {
			return err
		}
	}
	if err := t.putPrice(s.Key, s.Terms.Price(s.UpdatedAt)); err != nil {
		return err
	}
	return t.Conn.Exec(`UPDATE changes SET version = version + 1 WHERE topic = 'sources'`, nil)
}

// putPrice adds a price if it is another one than the last.
func (t Sources) putPrice(key string, p source.Price) error {
	prices, err := t.Prices(key)
	if err != nil || len(prices) > 0 && prices[len(prices)-1].Same(p) {
		return err
	}
	return t.Conn.Exec(`INSERT INTO source_prices (source_id, since, cost_cents, cap_day, cap_month) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (source_id, since) DO UPDATE SET cost_cents = excluded.cost_cents, cap_day = excluded.cap_day, cap_month = excluded.cap_month`,
		[]any{key, rows.Micros(p.Since), int64(p.Cost), int64(p.CapDay), int64(p.CapMonth)})
}

// PricesQuery reads the prices of a source in the order of their times; ScanPrice reads its rows.
const PricesQuery = `SELECT since, cost_cents, cap_day, cap_month FROM source_prices WHERE source_id = $1 ORDER BY since`

// ScanPrice reads a row of PricesQuery.
func ScanPrice(r db.Row) source.Price {
	return source.Price{Since: rows.Time(r.Int(0)), Cost: buyer.Cents(r.Int(1)), CapDay: int(r.Int(2)), CapMonth: int(r.Int(3))}
}

// Prices lists what leads of a source cost, and since when.
func (t Sources) Prices(key string) (list []source.Price, err error) {
	err = t.Conn.Query(PricesQuery, []any{key}, func(r db.Row) error {
		list = append(list, ScanPrice(r))
		return nil
	})
	return list, err
}
