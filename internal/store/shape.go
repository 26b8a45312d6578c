package store

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// tableSpec is a table as a copy sees it. Its rows are read, compared and written in the order of their key, which is made of
// the first columns.
type tableSpec struct {
	name    string
	keys    int
	bytesColumn  string // the column that holds bytes, where there is one
	columns []string
}

// record is a row of it: numbers, texts, bytes, and nil.
type record = []any

// tableSpecs are the tables that are copied, leads first. A test holds them against what the migrations make.
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
}

// NotCopied are the tables that are not copied, and why.
var NotCopied = map[string]string{
	"allowances":  "what clients did in the last minutes; they may do everything again",
	"changes":     "each database counts its own",
	"webhook_ids": "what buyers signed in the last minutes",
}

// numberedTables are those whose rows the engine numbers.
func numberedTables() []tableSpec {
	return slices.DeleteFunc(slices.Clone(tableSpecs), func(s tableSpec) bool { return s.columns[0] != "seq" })
}

// index is where a table stands among the others.
func (s tableSpec) index() int {
	return slices.IndexFunc(tableSpecs, func(x tableSpec) bool { return x.name == s.name })
}

func (s tableSpec) columnList() string { return strings.Join(s.columns, ", ") }

func (s tableSpec) keyList() string { return strings.Join(s.columns[:s.keys], ", ") }

// pageQuery is the question for the first rows behind a key.
func (s tableSpec) pageQuery(first bool) string {
	where, limit := "", "$1"
	if !first {
		where, limit = ` WHERE (`+s.keyList()+`) > (`+placeholders(1, s.keys)+`)`, fmt.Sprintf("$%d", s.keys+1)
	}
	return `SELECT ` + s.columnList() + ` FROM ` + s.name + where + ` ORDER BY ` + s.keyList() + ` LIMIT ` + limit
}

// lastRowQuery is the question for the last row.
func (s tableSpec) lastRowQuery() string {
	return `SELECT ` + s.columnList() + ` FROM ` + s.name + ` ORDER BY ` + strings.Join(s.columns[:s.keys], " DESC, ") + ` DESC LIMIT 1`
}

func (s tableSpec) insertQuery() string {
	return `INSERT INTO ` + s.name + ` (` + s.columnList() + `) VALUES (` + placeholders(1, len(s.columns)) + `)`
}

func (s tableSpec) deleteQuery() string {
	return `DELETE FROM ` + s.name + ` WHERE (` + s.keyList() + `) = (` + placeholders(1, s.keys) + `)`
}

func placeholders(from, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(list, ", ")
}

// compare says which of two rows comes first. Texts are compared byte by byte, as both engines do.
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

// appendRecord writes a row in the one way that both engines share: for each column what it is, how long, and what it holds.
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

// normalize brings a row into the kinds that are copied. SQLite lets a column hold what it likes.
func (s tableSpec) normalize(r record) error {
	for i, v := range r {
		sealed := s.columns[i] == s.bytesColumn
		switch v := v.(type) {
		case nil, int64:
		case string:
			if sealed {
				r[i] = []byte(v)
			}
		case []byte:
			if !sealed {
				r[i] = string(v)
			}
		default:
			return fmt.Errorf("the column %s of %s holds a value of another kind", s.columns[i], s.name)
		}
	}
	return nil
}
