// Package alerts has the SQL of the tables of alerts: rules that an operator changed, ways to hear of alerts, what fires, and the messages
// about it. It decides nothing: package alert says what fires and what is said, and package alerter sends it.
package alerts

import (
	"time"

	"foyer/internal/alert"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Alerts are the tables as one transaction sees them.
type Alerts struct{ Conn db.Conn }

// Settings returns the rules that an operator changed.
func (t Alerts) Settings() (alert.Settings, error) {
	settings := make(alert.Settings)
	err := t.Conn.Query(`SELECT rule, enabled, threshold, cooldown_minutes FROM alert_rules`, nil, func(r db.Row) error {
		settings[alert.Name(r.Text(0))] = alert.Setting{On: r.Int(1) != 0, Threshold: int(r.Int(2)), Cooldown: time.Duration(r.Int(3)) * time.Minute}
		return nil
	})
	return settings, err
}

// PutSetting changes a rule.
func (t Alerts) PutSetting(rule alert.Name, s alert.Setting) error {
	return t.Conn.Exec(`INSERT INTO alert_rules (rule, enabled, threshold, cooldown_minutes) VALUES ($1, $2, $3, $4)
		ON CONFLICT (rule) DO UPDATE SET enabled = excluded.enabled, threshold = excluded.threshold, cooldown_minutes = excluded.cooldown_minutes`,
		[]any{string(rule), rows.Bit(s.On), int64(s.Threshold), int64(s.Cooldown / time.Minute)})
}

const wayColumns = `id, kind, address, secret, created_at, created_by`

func scanWay(r db.Row) (alert.Way, error) {
	return alert.Way{ID: r.Text(0), Kind: alert.WayKind(r.Text(1)), Address: r.Text(2), Secret: r.Text(3), CreatedAt: rows.Time(r.Int(4)), CreatedBy: r.Text(5)}, nil
}

// Ways lists the ways, oldest first.
func (t Alerts) Ways() ([]alert.Way, error) {
	return all(t, scanWay, `SELECT `+wayColumns+` FROM alert_ways ORDER BY created_at, id`)
}

// FindWay finds a way by its id.
func (t Alerts) FindWay(id string) (w alert.Way, found bool, err error) {
	return db.One(t.Conn, scanWay, `SELECT `+wayColumns+` FROM alert_ways WHERE id = $1`, id)
}

// AddWay adds a way.
func (t Alerts) AddWay(w alert.Way) error {
	return t.Conn.Exec(`INSERT INTO alert_ways (`+wayColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		[]any{w.ID, string(w.Kind), w.Address, w.Secret, rows.Micros(w.CreatedAt), w.CreatedBy})
}

// RemoveWay removes a way. What was not sent by it yet never is.
func (t Alerts) RemoveWay(id string) error {
	if err := t.Conn.Exec(`UPDATE alert_messages SET next_at = 0, failure = 'the way was removed' WHERE way_id = $1 AND next_at > 0`, []any{id}); err != nil {
		return err
	}
	return t.Conn.ExecOne(`DELETE FROM alert_ways WHERE id = $1`, []any{id})
}

const stateColumns = `rule, subject, name, title, text, path, since, cleared_at, told, sent_at`

func scanState(r db.Row) (alert.State, error) {
	return alert.State{
		Rule: alert.Name(r.Text(0)), Subject: r.Text(1), Name: r.Text(2), Title: r.Text(3), Text: r.Text(4), Path: r.Text(5),
		Since: rows.Time(r.Int(6)), Cleared: rows.TimeOrZero(r.Int(7)), Told: r.Int(8) != 0, SentAt: rows.TimeOrZero(r.Int(9)),
	}, nil
}

// States lists what is remembered, what fires longest first.
func (t Alerts) States() ([]alert.State, error) {
	return all(t, scanState, `SELECT `+stateColumns+` FROM alert_states ORDER BY since, rule, subject`)
}

// PutStates replaces what is remembered. before is what was read: rows that stay the same are not written.
func (t Alerts) PutStates(before, after []alert.State) error {
	type key struct {
		rule    alert.Name
		subject string
	}
	old := make(map[key]alert.State, len(before))
	for _, s := range before {
		old[key{s.Rule, s.Subject}] = s
	}
	for _, s := range after {
		k := key{s.Rule, s.Subject}
		same := old[k] == s
		delete(old, k)
		if same {
			continue
		}
		err := t.Conn.Exec(`INSERT INTO alert_states (`+stateColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
			ON CONFLICT (rule, subject) DO UPDATE SET name = excluded.name, title = excluded.title, text = excluded.text, path = excluded.path,
				since = excluded.since, cleared_at = excluded.cleared_at, told = excluded.told, sent_at = excluded.sent_at`,
			[]any{string(s.Rule), s.Subject, s.Name, s.Title, s.Text, s.Path, rows.Micros(s.Since), rows.MicrosOrZero(s.Cleared), rows.Bit(s.Told), rows.MicrosOrZero(s.SentAt)})
		if err != nil {
			return err
		}
	}
	for k := range old {
		if err := t.Conn.Exec(`DELETE FROM alert_states WHERE rule = $1 AND subject = $2`, []any{string(k.rule), k.subject}); err != nil {
			return err
		}
	}
	return nil
}

// all reads all rows of a query.
func all[T any](t Alerts, scan func(db.Row) (T, error), query string, args ...any) (list []T, err error) {
	err = t.Conn.Query(query, args, func(r db.Row) error {
		x, err := scan(r)
		list = append(list, x)
		return err
	})
	return list, err
}
