package forward_test

import (
	"database/sql"
	"strconv"
	"strings"
	"testing"
)

// The tables are read after each step, by one query with one row: a query for each table, with its rows one by one, took a third of
// a story. The row has a line for each row of a table, with the name of the table first and | between the columns.

const (
	stateLines = `SELECT concat_ws('|', 'leads', seq, status, marks) AS line FROM leads
		UNION ALL SELECT concat_ws('|', 'deliveries', lead_seq, buyer_queue, step, due_at, CASE owner WHEN '' THEN 0 ELSE 1 END, since, offer_id) FROM deliveries
		UNION ALL SELECT concat_ws('|', 'deliveries', lead_seq, '', 'ask', created_at, 0, created_at, '') FROM new_leads JOIN leads ON seq = lead_seq
		UNION ALL SELECT concat_ws('|', 'buyer_health', buyer_id, failures, opened, open_until, quiet_until, wake_at, scan_until) FROM buyer_health
		UNION ALL SELECT concat_ws('|', 'withheld', lead_seq, reason, check_at) FROM withheld
		UNION ALL SELECT concat_ws('|', 'fingerprints', lead_seq) FROM fingerprints
		UNION ALL SELECT concat_ws('|', 'history', seq, lead_seq, status, actor) FROM history WHERE seq > $1`
	offerLines = ` UNION ALL SELECT concat_ws('|', 'offers', id, lead_seq, buyer_id, one_step, state, code, price_cents) FROM offers
		UNION ALL SELECT concat_ws('|', 'attempts', lead_seq, offer_id, kind, at, url, decision) FROM attempts
		UNION ALL SELECT concat_ws('|', 'ledger', buyer_id, kind, amount_cents, offer_id) FROM ledger
		UNION ALL SELECT concat_ws('|', 'returns', offer_id, buyer_id, code, state) FROM returns`
)

// queries read the tables after each step: all of them, or all but the offers and attempts. The version of the tables changes with
// each write.
type queries struct {
	all, state *sql.Stmt
	version    *sql.Stmt // if the version is not the first column of the others, or nil
}

// prepare prepares the queries. A version is an expression, or a statement of its own where there is no such expression.
func (q *queries) prepare(t *testing.T, db *sql.DB, expression, statement string) {
	t.Helper()
	text := func(lines string) string {
		return "SELECT " + expression + ", COALESCE(string_agg(line, ';'), '') FROM (" + lines + ") AS lines"
	}
	for text, into := range map[string]**sql.Stmt{text(stateLines + offerLines): &q.all, text(stateLines): &q.state, statement: &q.version} {
		if text == "" {
			continue
		}
		var err error
		if *into, err = db.Prepare(text); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*into).Close() })
	}
}

// tables are the rows of each table, by its name, and their version.
type tables struct {
	version int
	rows    map[string][]*tableRow
}

// readTables reads the tables, without the rows if their version is the known one and can be read alone.
func (w *world) readTables(q *sql.Stmt, known int) (read tables) {
	if alone := w.queries.version; alone != nil {
		if w.must(alone.QueryRow().Scan(&read.version)); read.version == known {
			return read
		}
	}
	var version int
	var all string
	w.must(q.QueryRow(w.historySeq).Scan(&version, &all))
	if w.queries.version == nil {
		read.version = version
	}
	read.rows = make(map[string][]*tableRow)
	for line := range strings.SplitSeq(all, ";") {
		columns := strings.Split(line, "|")
		read.rows[columns[0]] = append(read.rows[columns[0]], &tableRow{w, columns[1:]})
	}
	return read
}

// tableRow is a row of a table. Its columns are read one after the other.
type tableRow struct {
	w       *world
	columns []string
}

func (r *tableRow) text() string {
	if len(r.columns) == 0 {
		r.w.t.Fatal("a column of a row is NULL")
	}
	first := r.columns[0]
	r.columns = r.columns[1:]
	return first
}

func (r *tableRow) number() int64 {
	n, err := strconv.ParseInt(r.text(), 10, 64)
	r.w.must(err)
	return n
}

// end checks that all columns were read: a text may have a separator in it.
func (r *tableRow) end() {
	if len(r.columns) > 0 {
		r.w.t.Fatalf("a row has more columns: %q", r.columns)
	}
}
