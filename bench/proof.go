package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// prove sees that an alternative does what is measured: what it accepts under load is in its database, row for row, what
// is wrong is refused and not kept, its commits wait for the disk, and it answers about as much as Foyer, whose answer
// is given as a length. It returns that length, or its own where none is given.
func (a alternative) prove(w io.Writer, foyers int) (int, error) {
	before, err := a.rows()
	if err != nil {
		return 0, err
	}
	accepted, err := a.warmUp()
	if err != nil {
		return 0, err
	}
	if err := a.refuses(); err != nil {
		return 0, err
	}
	after, err := a.rows()
	if err != nil {
		return 0, err
	}
	if after-before != accepted {
		return 0, fmt.Errorf("accepted %d leads, but has %d rows more", accepted, after-before)
	}
	if a.name != foyersName { // which can run no other way, and does not say
		if err := a.durable(); err != nil {
			return 0, err
		}
	}
	status, answer, err := a.send(lead)
	if err != nil || status != a.want {
		return 0, errors.Join(err, fmt.Errorf("answered %d", status))
	}
	if foyers == 0 {
		foyers = len(answer)
	}
	if len(answer) < foyers*3/4 || len(answer) > foyers*4/3 {
		return 0, fmt.Errorf("answers %d bytes, Foyer %d", len(answer), foyers)
	}
	fmt.Fprintf(w, "%s: %d leads accepted and as many rows; bad ones refused; answers %d bytes\n", a.name, accepted, len(answer))
	return foyers, nil
}

// Node.js compiles what it has run often, so everybody takes this many leads before it is measured, or as many as it can
// in the time.
const (
	warmLeads = 10_000
	warmTime  = 10 * time.Second
)

// warmUp puts load on the server and says how many leads it accepted.
func (a alternative) warmUp() (accepted int, err error) {
	for began := time.Now(); accepted < warmLeads && time.Since(began) < warmTime; {
		r, err := fire(a.server.address, post(a.path, lead, a.want), 64, time.Second)
		if err != nil || r.done == 0 || r.wrong > 0 {
			return 0, errors.Join(err, fmt.Errorf("%d good answers, %d wrong", r.done, r.wrong))
		}
		accepted += r.done
	}
	return accepted, nil
}

// refuses sends requests with one thing wrong.
func (a alternative) refuses() error {
	for _, wrong := range []struct{ what, from, to string }{
		{"no consent", `,"consent_to_contact":true`, ``},
		{"a ZIP code of four digits", `"zip_code":"33139"`, `"zip_code":"3313"`},
		{"a service that nobody offers", `"house_cleaning"`, `"sword_swallowing"`},
		{"an apartment with 21 bedrooms", `"bedrooms":2`, `"bedrooms":21`},
		{"no name", `"customer_name":"Pat Example",`, ``},
	} {
		body := strings.Replace(lead, wrong.from, wrong.to, 1)
		if status, _, err := a.send(body); err != nil || status < 400 || status > 499 || body == lead {
			return errors.Join(err, fmt.Errorf("answered %d to %s", status, wrong.what))
		}
	}
	return nil
}

// durable has the server read the pragma on the connection that writes: 2 is FULL.
func (a alternative) durable() error {
	body, err := a.server.ask("GET", "/health", "")
	if err != nil {
		return err
	}
	var health struct {
		Synchronous int `json:"synchronous"`
	}
	if err := json.Unmarshal(body, &health); err != nil || health.Synchronous != 2 {
		return errors.Join(err, fmt.Errorf("runs with synchronous=%d", health.Synchronous))
	}
	return nil
}

// rows counts the leads in the database, beside the server.
func (a alternative) rows() (n int, err error) {
	db, err := sql.Open("sqlite", "file:"+a.database+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return n, db.QueryRow(`SELECT count(*) FROM leads`).Scan(&n)
}

func (a alternative) send(body string) (status int, answer []byte, err error) {
	res, err := http.Post("http://"+a.server.address+a.path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}
