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
	first int // answers of the first run, which shows how many fit into a round
	start func(binary, folder string) (*contender, error)
}

const postgresFigure = "intake on PostgreSQL, with the server's CPU"

// figures are those that need nothing but the binary.
var figures = []figure{
	{"intake on SQLite", 2000, func(binary, folder string) (*contender, error) {
		return startIntake(binary, folder, onFile(folder))
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

// pairConnections is how many connections send requests at a time.
const pairConnections = 64

// startReading measures requests that change nothing.
func startReading(binary, folder string, s shot) (*contender, error) {
	x, err := startFoyer(binary, folder)
	if err != nil {
		return nil, err
	}
	return &contender{server: x, total: x.cpu, run: func(answers int) (result, error) {
		return fireTimes(x.address, s, pairConnections, answers)
	}}, nil
}

// startIntake measures leads that are kept. Each has a phone number of its own, and all contenders get the same ones.
func startIntake(binary, folder, database string, flags ...string) (*contender, error) {
	x, err := startFoyer(binary, folder, append(flags, "--database", database)...)
	if err != nil {
		return nil, err
	}
	s := variedBy(new(atomic.Int64), "/v1/intake", 202)
	return &contender{server: x, total: x.cpu, run: func(answers int) (result, error) {
		return fireTimes(x.address, s, pairConnections, answers)
	}}, nil
}

// startWithClosedBuyers measures leads that are kept with a row for their delivery, while nobody may be asked.
func startWithClosedBuyers(binary, folder string) (*contender, error) {
	n, err := openNetworks()
	if err != nil {
		return nil, err
	}
	database := onFile(folder)
	if err := n.recruit(binary, database, "*", 3, "--hours", tomorrow()+" 00:00-24:00", "--time-zone", "UTC"); err != nil {
		return nil, err
	}
	return startIntake(binary, folder, database, "--allow-private-buyers")
}

// startForwarding measures leads from their intake to the answer of the buyer that has their contact.
func startForwarding(binary, folder string) (*contender, error) {
	n, err := openNetworks()
	if err != nil {
		return nil, err
	}
	if err := n.recruit(binary, onFile(folder), "*", 3); err != nil {
		return nil, err
	}
	c, err := startIntake(binary, folder, onFile(folder), "--allow-private-buyers")
	if err != nil {
		return nil, err
	}
	takeIn := c.run
	c.run = func(answers int) (result, error) {
		began, before := time.Now(), n.delivered.Load()
		r, err := takeIn(answers)
		if err == nil {
			err = n.await(before + int64(answers))
		}
		r.elapsed = time.Since(began)
		c.settle()
		return r, err
	}
	return c, nil
}

// await waits until so many contacts have arrived. More than that would be a lead that was sent twice.
func (n *networks) await(contacts int64) error {
	for last, heard := n.delivered.Load(), time.Now(); ; time.Sleep(time.Millisecond) {
		now := n.delivered.Load()
		switch {
		case now == contacts:
			return nil
		case now > contacts || time.Since(heard) > silence:
			return fmt.Errorf("%d contacts have arrived instead of %d", now, contacts)
		case now > last:
			last, heard = now, time.Now()
		}
	}
}

// settle waits until the process has done what follows the last answer: until it computes hardly anything for a moment.
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

// intakeOnPostgres measures the intake on a database of its own, with all that the server computes meanwhile.
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
		c.total = func() time.Duration { return c.cpu() + computing(db) }
		return c, nil
	}}
}
