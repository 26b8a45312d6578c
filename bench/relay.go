package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"
)

// relay is the least that a service does which keeps leads and passes each on in two steps: four small commits, one request in and two out.
// It checks nothing, signs nothing, logs nothing, and remembers no more than a state. What Foyer costs at small loads is compared with it.
type relay struct {
	db                      *sql.DB
	insert, update, attempt *sql.Stmt
	buyer                   string
	client                  *http.Client
}

// serveRelay serves on an address, with a database in a folder, and passes leads on to a buyer.
func serveRelay(address, folder, buyer string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "relay.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	s := &relay{db: db, buyer: buyer, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	for _, table := range []string{`leads (seq INTEGER PRIMARY KEY, lead TEXT, state TEXT)`, `attempts (seq INTEGER PRIMARY KEY, lead_seq INTEGER, answer TEXT)`} {
		if _, err := db.Exec(`CREATE TABLE ` + table); err != nil {
			return err
		}
	}
	for _, prepared := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&s.insert, `INSERT INTO leads (lead, state) VALUES (?, 'received')`},
		{&s.update, `UPDATE leads SET state = ? WHERE seq = ?`},
		{&s.attempt, `INSERT INTO attempts (lead_seq, answer) VALUES (?, ?)`},
	} {
		if *prepared.statement, err = db.Prepare(prepared.text); err != nil {
			return err
		}
	}
	return http.ListenAndServe(address, s)
}

func (s *relay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		return // it is asked whether it is up
	}
	received := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	done, err := s.insert.Exec(string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	seq, _ := done.LastInsertId() // SQLite knows it
	w.WriteHeader(http.StatusAccepted)
	fmt.Fprintf(w, `{"lead_id":"%d"}`, seq)
	go s.passOn(seq, string(body), received)
}

// passOn makes an offer and hands over the contact. The bench notices if an error keeps a lead from its buyer.
func (s *relay) passOn(seq int64, lead string, received time.Time) {
	if s.record(seq, "asked", "") != nil {
		return
	}
	for _, step := range []struct{ message, then string }{
		{fmt.Sprintf(`{"type":"lead.offered","offer_id":"%d","lead_id":"%d","facts":%s}`, seq, seq, lead), "accepted"},
		{fmt.Sprintf(`{"type":"lead.delivered","offer_id":"%d","at":"%s","person":%s}`, seq, received.Format(time.RFC3339Nano), lead), "forwarded"},
	} {
		answer, err := s.post(step.message)
		if err != nil || s.record(seq, step.then, answer) != nil {
			return
		}
	}
}

func (s *relay) post(message string) (answer string, err error) {
	res, err := s.client.Post(s.buyer, "application/json", strings.NewReader(message))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func (s *relay) record(seq int64, state, answer string) error {
	tx, err := s.db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Stmt(s.update).Exec(state, seq); err != nil {
		return err
	}
	if answer != "" {
		if _, err := tx.Stmt(s.attempt).Exec(seq, answer); err != nil {
			return err
		}
	}
	return tx.Commit()
}
