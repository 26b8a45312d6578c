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

// verify checks that an alternative does what is measured: the leads it accepts under load are in its database, row for
// row; bad ones are refused and not stored; its commits wait for the disk; and its answers are about as long as Foyer's,
// given as a length. It returns that length, or the length of its own answer if none is given.
func (a alternative) verify(w io.Writer, foyers int) (int, error) {
	before, err := a.countRows()
	if err != nil {
		return 0, err
	}
	accepted, err := a.warmUp()
	if err != nil {
		return 0, err
	}
	if err := a.checkRefusals(); err != nil {
		return 0, err
	}
	after, err := a.countRows()
	if err != nil {
		return 0, err
	}
	if after-before != accepted {
		return 0, fmt.Errorf("accepted %d leads, but has %d rows more", accepted, after-before)
	}
	if a.name != foyersName { // which always is durable, and does not report it
		if err := a.checkDurable(); err != nil {
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

// Node.js compiles code that has run often, so every server gets this many leads before it is measured, or as many as it
// can take in the time.
const (
	warmLeads = 10_000
	warmTime  = 10 * time.Second
)

// warmUp puts load on the server and returns how many leads it accepted.
func (a alternative) warmUp() (accepted int, err error) {
	for began := time.Now(); accepted < warmLeads && time.Since(began) < warmTime; {
		r, err := runLoad(a.server.address, post(a.path, lead, a.want), 64, time.Second)
		if err != nil || r.done == 0 || r.wrong > 0 {
			return 0, errors.Join(err, fmt.Errorf("%d good answers, %d wrong", r.done, r.wrong))
		}
		accepted += r.done
	}
	return accepted, nil
}

// checkRefusals sends requests with one error each.
func (a alternative) checkRefusals() error {
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

// checkDurable has the server read the pragma on the connection that writes: 2 is FULL.
func (a alternative) checkDurable() error {
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

// countRows counts the leads in the database, bypassing the server.
func (a alternative) countRows() (n int, err error) {
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
