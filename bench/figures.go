package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"foyer/test/postgres"
)

// figure is one headline figure: a process of either binary, and the requests it is measured with.
type figure struct {
	name  string
	first int // answers of the first run, which determines how many fit into a round
	start func(binary, folder string) (*contender, error)
}

const postgresFigure = "intake on PostgreSQL, with the server's CPU"

// figures are those that need only the binary.
var figures = []figure{
	{"intake on SQLite", 2000, func(binary, folder string) (*contender, error) {
		return startIntake(binary, folder, sqliteIn(folder))
	}},
	{"intake while three buyers are closed", 2000, startWithClosedBuyers},
	{"forwarding, both steps", 200, startForwarding},
	{"GET /v1/services", 2000, func(binary, folder string) (*contender, error) {
		return startReading(binary, folder, get("/v1/services"))
	}},
	{"tools/call of a reading tool", 2000, func(binary, folder string) (*contender, error) {
		return startReading(binary, folder, post("/mcp", callNumber, 200, mcpHeaders...))
	}},
}

// pairConnections is how many connections send requests concurrently.
const pairConnections = 64

// startReading measures read-only requests.
func startReading(binary, folder string, req loadRequest) (*contender, error) {
	srv, err := startFoyer(binary, folder)
	if err != nil {
		return nil, err
	}
	return &contender{server: srv, total: srv.cpu, run: func(answers int) (result, error) {
		return runRequests(srv.address, req, pairConnections, answers)
	}}, nil
}

// startIntake measures leads that are stored. Each has its own phone number, and all contenders get the same ones.
func startIntake(binary, folder, database string, flags ...string) (*contender, error) {
	srv, err := startFoyer(binary, folder, append(flags, "--database", database)...)
	if err != nil {
		return nil, err
	}
	req := variedLeadBy(new(atomic.Int64), "/v1/intake", 202)
	return &contender{server: srv, total: srv.cpu, run: func(answers int) (result, error) {
		return runRequests(srv.address, req, pairConnections, answers)
	}}, nil
}

// startWithClosedBuyers measures leads that are stored with a row for their delivery, while no buyer is open.
func startWithClosedBuyers(binary, folder string) (*contender, error) {
	buyers, err := startTestBuyers()
	if err != nil {
		return nil, err
	}
	database := sqliteIn(folder)
	if err := buyers.addTo(binary, database, "*", 3, "--hours", tomorrow()+" 00:00-24:00", "--time-zone", "UTC"); err != nil {
		return nil, err
	}
	return startIntake(binary, folder, database, "--allow-private-buyers")
}

// startForwarding measures leads from intake to the answer of the buyer that got the contact.
func startForwarding(binary, folder string) (*contender, error) {
	buyers, err := startTestBuyers()
	if err != nil {
		return nil, err
	}
	if err := buyers.addTo(binary, sqliteIn(folder), "*", 3); err != nil {
		return nil, err
	}
	c, err := startIntake(binary, folder, sqliteIn(folder), "--allow-private-buyers")
	if err != nil {
		return nil, err
	}
	takeIn := c.run
	c.run = func(answers int) (result, error) {
		began, before := time.Now(), buyers.delivered.Load()
		r, err := takeIn(answers)
		if err == nil {
			err = buyers.await(before + int64(answers))
		}
		r.elapsed = time.Since(began)
		c.settle()
		return r, err
	}
	return c, nil
}

// await waits until this many contacts have arrived. More would mean that a lead was sent twice.
func (buyers *testBuyers) await(contacts int64) error {
	for last, heard := buyers.delivered.Load(), time.Now(); ; time.Sleep(time.Millisecond) {
		now := buyers.delivered.Load()
		switch {
		case now == contacts:
			return nil
		case now > contacts || time.Since(heard) > answerTimeout:
			return fmt.Errorf("%d contacts have arrived instead of %d", now, contacts)
		case now > last:
			last, heard = now, time.Now()
		}
	}
}

// settle waits until the process has finished what follows the last answer: until it uses hardly any CPU for a moment.
func (c *contender) settle() {
	const moment = 20 * time.Millisecond
	for range 100 {
		before := c.cpu()
		time.Sleep(moment)
		if c.cpu()-before < moment/20 {
			return
		}
	}
}

// intakeOnPostgres measures the intake on its own database, with all the CPU that the server uses meanwhile.
func intakeOnPostgres(db *postgres.Server) figure {
	return figure{postgresFigure, 2000, func(binary, folder string) (*contender, error) {
		database, err := db.NewDatabase()
		if err != nil {
			return nil, err
		}
		c, err := startIntake(binary, folder, database)
		if err != nil {
			return nil, err
		}
		c.total = func() time.Duration { return c.cpu() + postgresCPU(db) }
		return c, nil
	}}
}
