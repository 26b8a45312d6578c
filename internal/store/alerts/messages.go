package alerts

import (
	"time"

	"foyer/internal/alert"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Message is a message for one way.
type Message struct {
	alert.Message
	ID       string
	Way      string
	Attempts int
	NextAt   time.Time // when to try next; zero once it is sent or given up
	SentAt   time.Time // zero if it is not sent
	Failure  string    // of the last attempt
}

// GivenUp reports whether a message is not tried any more, and was never sent.
func (m Message) GivenUp() bool { return m.SentAt.IsZero() && m.NextAt.IsZero() }

const messageColumns = `id, way_id, kind, rule, subject, title, text, path, since, at, attempts, next_at, sent_at, failure`

func scanMessage(r db.Row) (Message, error) {
	return Message{
		ID: r.Text(0), Way: r.Text(1),
		Message: alert.Message{
			Kind: alert.Kind(r.Text(2)), Rule: alert.Name(r.Text(3)), Subject: r.Text(4), Title: r.Text(5), Text: r.Text(6), Path: r.Text(7),
			Since: rows.TimeOrZero(r.Int(8)), At: rows.Time(r.Int(9)),
		},
		Attempts: int(r.Int(10)), NextAt: rows.TimeOrZero(r.Int(11)), SentAt: rows.TimeOrZero(r.Int(12)), Failure: r.Text(13),
	}, nil
}

// AddMessage adds a message.
func (t Alerts) AddMessage(m Message) error {
	return t.Conn.Exec(`INSERT INTO alert_messages (`+messageColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`, []any{
		m.ID, m.Way, string(m.Kind), string(m.Rule), m.Subject, m.Title, m.Text, m.Path, rows.MicrosOrZero(m.Since), rows.Micros(m.At),
		int64(m.Attempts), rows.MicrosOrZero(m.NextAt), rows.MicrosOrZero(m.SentAt), m.Failure,
	})
}

// Withdraw gives up the unsent messages that a new one contradicts: sent later, one of them would be the last word. What another process is
// sending meanwhile counts as sent if that succeeds, and is not tried again if it fails: see Settle.
func (t Alerts) Withdraw(m alert.Message) error {
	return t.Conn.Exec(`UPDATE alert_messages SET next_at = 0, failure = 'a newer message says the opposite'
		WHERE next_at > 0 AND rule = $1 AND subject = $2 AND kind IN (`+db.Quoted(m.Kind.Contradicts()...)+`)`, []any{string(m.Rule), m.Subject})
}

// Due lists the messages to send by now, the oldest first.
func (t Alerts) Due(now time.Time, limit int) ([]Message, error) {
	return all(t, scanMessage, `SELECT `+messageColumns+` FROM alert_messages WHERE next_at > 0 AND next_at <= $1 ORDER BY next_at, at, id LIMIT $2`, rows.Micros(now), int64(limit))
}

// Claim notes that a message is being sent, unless somebody else did first. If nothing else is heard of it, it is sent again at next.
func (t Alerts) Claim(m Message, next time.Time) (claimed bool, err error) {
	n, err := t.Conn.ExecCount(`UPDATE alert_messages SET attempts = attempts + 1, next_at = $1 WHERE id = $2 AND attempts = $3 AND next_at > 0`,
		[]any{rows.Micros(next), m.ID, int64(m.Attempts)})
	return n > 0, err
}

// Settle notes what became of an attempt. A message that was given up meanwhile, because its way was removed or a newer message contradicts it,
// stays so unless it was sent.
func (t Alerts) Settle(m Message) error {
	return t.Conn.Exec(`UPDATE alert_messages SET next_at = $1, sent_at = CAST($2 AS BIGINT), failure = $3 WHERE id = $4 AND (next_at > 0 OR CAST($2 AS BIGINT) > 0)`,
		[]any{rows.MicrosOrZero(m.NextAt), rows.MicrosOrZero(m.SentAt), m.Failure, m.ID})
}

// Newest lists the newest messages.
func (t Alerts) Newest(limit int) ([]Message, error) {
	return all(t, scanMessage, `SELECT `+messageColumns+` FROM alert_messages ORDER BY at DESC, id LIMIT $1`, int64(limit))
}

// Fact is something that one process knows.
type Fact struct {
	Name, Subject string
	At            time.Time
	Value         int64
}

// The names of facts.
const (
	FactIntakeErrors = "intake_errors" // of a machine, in the last ten minutes
	FactDiskFree     = "disk_free"     // of a machine, in percent
	FactBackup       = "backup"        // a backup was made
	FactCertificate  = "certificate"   // of a host: until when it is valid, in seconds since 1970; 0 if it could not be asked
)

// FactMaxAge is for how long the report of a machine counts: later the machine is taken to be gone.
const FactMaxAge = 10 * time.Minute

// CertificateMaxAge is for how long it counts until when a certificate is valid. It cannot be asked each time.
const CertificateMaxAge = 48 * time.Hour

// PutFact notes a fact.
func (t Alerts) PutFact(f Fact) error {
	return t.Conn.Exec(PutFact, []any{f.Name, f.Subject, rows.Micros(f.At), f.Value})
}

// PutFact is the statement, for a command that copies the database beside a service.
const PutFact = `INSERT INTO alert_facts (name, subject, at, value) VALUES ($1, $2, $3, $4) ON CONFLICT (name, subject) DO UPDATE SET at = excluded.at, value = excluded.value`

// Facts lists the facts.
func (t Alerts) Facts() ([]Fact, error) {
	return all(t, func(r db.Row) (Fact, error) { return Fact{r.Text(0), r.Text(1), rows.Time(r.Int(2)), r.Int(3)}, nil },
		`SELECT name, subject, at, value FROM alert_facts ORDER BY name, subject`)
}

// ForgetFacts deletes what machines reported before a time: they are gone.
func (t Alerts) ForgetFacts(before time.Time) error {
	return t.Conn.Exec(`DELETE FROM alert_facts WHERE name IN ('`+FactIntakeErrors+`', '`+FactDiskFree+`') AND at < $1`, []any{rows.Micros(before)})
}

// LastSale returns when a buyer last accepted a lead after a time, but for some buyers, or the zero time.
func (t Alerts) LastSale(since time.Time, but ...string) (time.Time, error) {
	args, others := []any{rows.Micros(since)}, ""
	for _, id := range but {
		args = append(args, id)
	}
	if len(but) > 0 {
		others = ` AND buyer_id NOT IN (` + db.Placeholders(2, len(but)) + `)`
	}
	at, _, err := db.One(t.Conn, db.FirstInt, `SELECT at FROM sales WHERE at > $1`+others+` ORDER BY at DESC LIMIT 1`, args...)
	return rows.TimeOrZero(at), err
}

// LastAccepted returns the last hour after that of a time in which a buyer accepted a lead, or the zero time.
func (t Alerts) LastAccepted(buyer string, since time.Time) (time.Time, error) {
	hour, _, err := db.One(t.Conn, db.FirstInt, `SELECT CAST(COALESCE(MAX(hour), 0) AS BIGINT) FROM offer_counts WHERE buyer_id = $1 AND hour > $2 AND accepted > 0`, buyer, since.Unix()/3600)
	if err != nil || hour == 0 {
		return time.Time{}, err
	}
	return time.Unix(hour*3600, 0).UTC(), nil
}

// OffersSince returns how many offers a buyer got in the hours after that of a time, and when the first of those hours ended.
func (t Alerts) OffersSince(buyer string, since time.Time) (offers int, first time.Time, err error) {
	row, _, err := db.One(t.Conn, func(r db.Row) (db.Row, error) { return r, nil },
		`SELECT CAST(COALESCE(SUM(offered), 0) AS BIGINT), CAST(COALESCE(MIN(hour), 0) AS BIGINT) FROM offer_counts WHERE buyer_id = $1 AND hour > $2 AND offered > 0`, buyer, since.Unix()/3600)
	if err != nil || row.Int(0) == 0 {
		return 0, first, err
	}
	return int(row.Int(0)), time.Unix((row.Int(1)+1)*3600, 0).UTC(), nil
}
