package store

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// tableSpec is a table to copy. Its rows are read, compared and written in the order of its key, which is the first columns.
type tableSpec struct {
	name        string
	keys        int
	bytesColumn string // the column that holds bytes, if there is one
	columns     []string
}

// record is a row of a table: numbers, strings, bytes and nil.
type record = []any

// tableSpecs are the tables that are copied, leads first. A test compares them with the tables that the migrations create.
var tableSpecs = []tableSpec{
	{"leads", 1, "contact", []string{"seq", "id", "status", "created_at", "updated_at", "service_type", "zip_code", "marks", "job", "contact", "evidence"}},
	{"history", 1, "", []string{"seq", "lead_seq", "at", "status", "actor", "reason", "passed_over"}},
	{"fresh", 1, "", []string{"lead_seq"}},
	{"deliveries", 1, "", []string{"lead_seq", "lane", "step", "due_at", "token", "owner", "since", "offer_id", "attempts", "unsure", "sent_at", "url"}},
	{"offers", 1, "", []string{"id", "lead_seq", "buyer_id", "at", "one_step", "state", "code", "buyer_ref", "returned_at", "returned_reason", "buyer_lead_id", "passed_over"}},
	{"attempts", 1, "", []string{"seq", "lead_seq", "offer_id", "kind", "at", "took", "status", "failure", "answer", "decision", "url"}},
	{"prints", 2, "", []string{"print", "lead_seq", "at"}},
	{"sold", 2, "", []string{"print", "buyer_id", "at"}},
	{"buyers", 1, "", []string{"id", "terms", "secrets", "state", "why", "created_at", "updated_at"}},
	{"standings", 1, "", []string{"buyer_id", "asked_at", "failures", "trips", "shut_until", "wake_at", "walk_until", "quiet_until"}},
	{"cap_use", 2, "", []string{"buyer_id", "hour", "used", "offered", "accepted", "delivered", "returned"}},
	{"consent_texts", 1, "", []string{"hash", "version", "text", "first_used"}},
	{"idempotency_keys", 1, "answer", []string{"key_hash", "request_hash", "answer", "created_at"}},
	{"suppressions", 1, "", []string{"phone", "reason", "created_at"}},
	{"wishes", 1, "", []string{"seq", "id", "at", "kind", "phone", "lead_id", "state", "note", "evidence"}},
	{"withheld", 1, "", []string{"lead_seq", "reason", "print", "at", "look_at"}},
	{"keys", 1, "", []string{"id", "created_at"}},
	{"audit", 1, "", []string{"seq", "at", "actor", "action", "subject", "detail"}},
}

// NotCopied are the tables that are not copied, and why.
var NotCopied = map[string]string{
	"allowances":  "what clients did in the last minutes; they may do everything again",
	"changes":     "each database counts its own",
	"webhook_ids": "what buyers signed in the last minutes",
}

// numberedTables are the tables whose rows the engine numbers.
func numberedTables() []tableSpec {
	return slices.DeleteFunc(slices.Clone(tableSpecs), func(s tableSpec) bool { return s.columns[0] != "seq" })
}

func (s tableSpec) columnList() string { return strings.Join(s.columns, ", ") }

func (s tableSpec) keyList() string { return strings.Join(s.columns[:s.keys], ", ") }

// selectQuery reads the whole table in key order.
func (s tableSpec) selectQuery() string {
	return `SELECT ` + s.columnList() + ` FROM ` + s.name + ` ORDER BY ` + s.keyList()
}

// scan reads one row.
func (s tableSpec) scan(from scanner) (record, error) {
	row, into := make(record, len(s.columns)), make([]any, len(s.columns))
	for i := range row {
		into[i] = &row[i]
	}
	if err := from.Scan(into...); err != nil {
		return nil, err
	}
	return row, s.normalize(row)
}

func (s tableSpec) insertQuery() string {
	return `INSERT INTO ` + s.name + ` (` + s.columnList() + `) VALUES (` + placeholders(1, len(s.columns)) + `)`
}

func placeholders(from, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(list, ", ")
}

// compare orders two rows by key. Strings are compared byte by byte, as both engines do.
func (s tableSpec) compare(a, b record) int {
	for i := range s.keys {
		var c int
		switch x := a[i].(type) {
		case int64:
			y, _ := b[i].(int64)
			c = cmp.Compare(x, y)
		case string:
			y, _ := b[i].(string)
			c = cmp.Compare(x, y)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// appendRecord encodes a row the same way for both engines: for each column its kind, its length and its value.
func appendRecord(to []byte, r record) []byte {
	for _, v := range r {
		switch v := v.(type) {
		case nil:
			to = append(to, 0)
		case int64:
			to = binary.BigEndian.AppendUint64(append(to, 1), uint64(v))
		case string:
			to = append(binary.AppendUvarint(append(to, 2), uint64(len(v))), v...)
		case []byte:
			to = append(binary.AppendUvarint(append(to, 3), uint64(len(v))), v...)
		}
	}
	return to
}

// normalize converts the values of a row to the kinds that are copied. SQLite accepts any kind of value in any column.
func (s tableSpec) normalize(r record) error {
	for i, v := range r {
		isBytes := s.columns[i] == s.bytesColumn
		switch v := v.(type) {
		case nil, int64:
		case string:
			if isBytes {
				r[i] = []byte(v)
			}
		case []byte:
			if !isBytes {
				r[i] = string(v)
			}
		default:
			return fmt.Errorf("the column %s of %s holds a value of another kind", s.columns[i], s.name)
		}
	}
	return nil
}
