package ledger

import (
	"math"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Lines says which entries of a buyer are meant: those of a closed statement, or those on none yet within a time.
type Lines struct {
	Buyer     string
	Statement string    // "" for those on none yet
	From, To  time.Time // of those on none yet; zero for no bound
}

const where = ` WHERE buyer_id = $1 AND statement_id = $2 AND at >= $3 AND at < $4`

func (w Lines) args() []any {
	from, to := int64(0), int64(math.MaxInt64)
	if !w.From.IsZero() {
		from = rows.Micros(w.From)
	}
	if !w.To.IsZero() {
		to = rows.Micros(w.To)
	}
	return []any{w.Buyer, w.Statement, from, to}
}

// Each calls do for each entry, oldest first.
func (l Ledger) Each(which Lines, do func(buyer.Entry) error) error {
	return l.Conn.Query(selectEntries+where+` ORDER BY seq`, which.args(), func(r db.Row) error { return do(scanEntry(r)) })
}

// OfOffer lists what was charged for an offer, and then what was given back.
func (l Ledger) OfOffer(id string) (list []buyer.Entry, err error) {
	err = l.Conn.Query(selectEntries+` WHERE offer_id = $1 AND offer_id <> '' ORDER BY kind`, []any{id}, func(r db.Row) error { // the second condition is that of the index
		list = append(list, scanEntry(r))
		return nil
	})
	return list, err
}

const selectEntries = `SELECT seq, buyer_id, at, kind, amount_cents, offer_id, lead_id, service_type, note, statement_id FROM ledger`

func scanEntry(r db.Row) buyer.Entry {
	return buyer.Entry{
		Seq: r.Int(0), Buyer: r.Text(1), At: rows.Time(r.Int(2)), Kind: buyer.EntryKind(r.Text(3)), Amount: buyer.Cents(r.Int(4)), Offer: r.Text(5),
		LeadID: r.Text(6), Service: lead.Service(r.Text(7)), Note: r.Text(8), Statement: r.Text(9),
	}
}

// None reports whether there are no such entries.
func (l Ledger) None(which Lines) (bool, error) {
	_, found, err := db.One(l.Conn, db.FirstInt, `SELECT seq FROM ledger`+where+` LIMIT 1`, which.args()...)
	return !found, err
}

// Totals adds entries up.
func (l Ledger) Totals(which Lines) (t buyer.Totals, err error) {
	err = l.Conn.Query(`SELECT kind, count(*), CAST(SUM(amount_cents) AS BIGINT) FROM ledger`+where+` GROUP BY kind`, which.args(), func(r db.Row) error {
		n, sum := int(r.Int(1)), buyer.Cents(r.Int(2))
		switch buyer.EntryKind(r.Text(0)) {
		case buyer.EntryCharge:
			t.Leads, t.Charges = n, sum
		case buyer.EntryReturn:
			t.Returned, t.Returns = n, sum
		case buyer.EntryPayment:
			t.Payments = sum
		case buyer.EntryCorrection:
			t.Corrections = sum
		}
		return nil
	})
	return t, err
}

// Close stores a statement, and puts entries on it that are on none yet.
func (l Ledger) Close(s buyer.Statement, which Lines) error {
	err := l.Conn.Exec(`INSERT INTO statements (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`, []any{
		s.ID, s.Buyer, s.BuyerName, s.Month.String(), s.Zone, rows.Micros(s.Ends), int64(s.Opening), int64(s.Leads), int64(s.Charges), int64(s.Returned), int64(s.Returns),
		int64(s.Corrections), int64(s.Payments), int64(s.Format), s.Hash, rows.Micros(s.ClosedAt), s.ClosedBy,
	})
	if err != nil {
		return err
	}
	return l.Conn.Exec(`UPDATE ledger SET statement_id = $5`+where, append(which.args(), s.ID))
}

const columns = `id, buyer_id, buyer_name, month, time_zone, ends_at, opening_cents, leads, charges_cents, returned, returns_cents, corrections_cents, payments_cents,
	format, hash, closed_at, closed_by`

func scanStatement(r db.Row) (buyer.Statement, error) {
	month, err := buyer.ParseMonth(r.Text(3))
	return buyer.Statement{
		ID: r.Text(0), Buyer: r.Text(1), BuyerName: r.Text(2), Month: month, Zone: r.Text(4), Ends: rows.Time(r.Int(5)), Opening: buyer.Cents(r.Int(6)),
		Totals: buyer.Totals{
			Leads: int(r.Int(7)), Charges: buyer.Cents(r.Int(8)), Returned: int(r.Int(9)), Returns: buyer.Cents(r.Int(10)), Corrections: buyer.Cents(r.Int(11)), Payments: buyer.Cents(r.Int(12)),
		},
		Format: int(r.Int(13)), Hash: r.Text(14), ClosedAt: rows.Time(r.Int(15)), ClosedBy: r.Text(16),
	}, err
}

// Statement finds the closed statement of a buyer for a month, if there is one.
func (l Ledger) Statement(id string, m buyer.Month) (buyer.Statement, bool, error) {
	return db.One(l.Conn, scanStatement, `SELECT `+columns+` FROM statements WHERE buyer_id = $1 AND month = $2`, id, m.String())
}

// LastStatement finds the last closed statement of a buyer, if there is one.
func (l Ledger) LastStatement(id string) (buyer.Statement, bool, error) {
	return db.One(l.Conn, scanStatement, `SELECT `+columns+` FROM statements WHERE buyer_id = $1 ORDER BY month DESC LIMIT 1`, id)
}

// Statements lists closed statements, the newest month first: those of a buyer, or all if id is "".
func (l Ledger) Statements(id string) (list []buyer.Statement, err error) {
	err = l.Conn.Query(`SELECT `+columns+` FROM statements WHERE $1 = '' OR buyer_id = $1 ORDER BY month DESC, buyer_name, buyer_id`, []any{id}, func(r db.Row) error {
		s, err := scanStatement(r)
		list = append(list, s)
		return err
	})
	return list, err
}

// Accounts lists the buyers, removed ones included, that have entries on no statement from before a time.
func (l Ledger) Accounts(before time.Time) (ids []string, err error) {
	err = l.Conn.Query(`SELECT DISTINCT buyer_id FROM ledger WHERE statement_id = '' AND at < $1 ORDER BY buyer_id`, []any{rows.Micros(before)}, func(r db.Row) error {
		ids = append(ids, r.Text(0))
		return nil
	})
	return ids, err
}

// FirstOpen is the time of the earliest entry of a buyer on no statement, or zero.
func (l Ledger) FirstOpen(id string) (time.Time, error) {
	at, _, err := db.One(l.Conn, db.FirstInt, `SELECT COALESCE(MIN(at), 0) FROM ledger WHERE buyer_id = $1 AND statement_id = ''`, id)
	return rows.TimeOrZero(at), err
}
