package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// field is all the servers that run side by side, and what is fired at them.
type field struct {
	foyer, noop, sdk *server
	configurations   []configuration
}

// configuration is one thing that is measured, and what it is held against.
type configuration struct {
	name        string
	server      *server
	shot        shot
	connections int
	against     string // the name of another configuration
}

// line starts the servers and learns how long Foyer's answers are, so that the others answer as much.
func line(binary, folder string) (*field, error) {
	f := &field{}
	var err error
	if f.foyer, err = startFoyer(binary, folder); err != nil {
		return nil, err
	}
	if f.noop, err = startPeer("noop"); err != nil {
		return nil, err
	}
	services, err := f.foyer.ask("GET", "/v1/services", "")
	if err != nil {
		return nil, err
	}
	home, err := f.foyer.page("/")
	if err != nil {
		return nil, err
	}
	receipt, err := f.foyer.ask("POST", "/v1/intake", lead)
	if err != nil {
		return nil, err
	}
	number, err := f.foyer.ask("POST", "/mcp", callNumber)
	if err != nil {
		return nil, err
	}
	id, err := f.foyer.leadID()
	if err != nil {
		return nil, err
	}
	if f.sdk, err = startPeer("sdk", document(string(number))); err != nil {
		return nil, err
	}
	bytes := func(n int) string { return fmt.Sprintf("/bytes/%d", n) }
	f.configurations = []configuration{
		{"no-op GET", f.noop, get(bytes(len(services))), 64, ""},
		{"GET /v1/services", f.foyer, get("/v1/services"), 64, "no-op GET"},
		{"no-op GET as long as the home page", f.noop, get(bytes(len(home))), 64, ""},
		{"GET /, the home page", f.foyer, get("/", "Accept: text/html", "Accept-Encoding: gzip"), 64, "no-op GET as long as the home page"},
		{"GET /v1/leads/{id}", f.foyer, get("/v1/leads/" + id), 64, "no-op GET"},
		{"no-op POST", f.noop, post(bytes(len(receipt)), lead, 200), 64, ""},
		{"intake, dry run", f.foyer, post("/v1/intake?dry_run=true", lead, 200), 64, "no-op POST"},
		{"intake, 64 connections", f.foyer, post("/v1/intake", lead, 202), 64, "no-op POST"},
		{"no-op POST, 1 connection", f.noop, post(bytes(len(receipt)), lead, 200), 1, ""},
		{"intake, 1 connection", f.foyer, post("/v1/intake", lead, 202), 1, "no-op POST, 1 connection"},
		{"no-op POST, 512 connections", f.noop, post(bytes(len(receipt)), lead, 200), 512, ""},
		{"intake, 512 connections", f.foyer, post("/v1/intake", lead, 202), 512, "no-op POST, 512 connections"},
		{"no-op POST for tools", f.noop, post(bytes(len(number)), callNumber, 200, mcpHeaders...), 64, ""},
		{"tools/call, reading", f.foyer, post("/mcp", callNumber, 200, mcpHeaders...), 64, "no-op POST for tools"},
		{"tools/call, official SDK", f.sdk, post("/mcp", callNumber, 200, mcpHeaders...), 64, "no-op POST for tools"},
		{"tools/call, writing", f.foyer, post("/mcp", callRequest, 200, mcpHeaders...), 64, "no-op POST"},
	}
	return f, nil
}

// mcpHeaders are what every client of the tools sends.
var mcpHeaders = []string{"Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-06-18"}

const (
	callNumber  = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plumbing_call_number","arguments":{"zip_code":"33139"}}}`
	callRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":` + lead + `}}`
)

// document is the result string inside an answer, so that the peer can answer the same.
func document(answer string) string {
	_, rest, _ := strings.Cut(answer, `"structuredContent":{"result":"`)
	quoted, _, _ := strings.Cut(rest, `"},"isError"`)
	return strings.ReplaceAll(quoted, `\"`, `"`)
}

func (f *field) stop() {
	for _, s := range []*server{f.foyer, f.noop, f.sdk} {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// measured is one configuration in one round.
type measured struct {
	result
	cpu time.Duration // of the server, for each good answer
}

// rounds runs every configuration once in each round, so that a slow minute of the machine hits all of them.
func (f *field) rounds(n int, while time.Duration, only string) (map[string][]measured, error) {
	runs := make(map[string][]measured)
	wanted := f.wanted(only)
	for round := range n + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, n)
		for _, c := range f.configurations {
			if !wanted[c.name] {
				continue
			}
			before := c.server.cpu()
			r, err := fire(c.server.address, c.shot, c.connections, while)
			if err != nil || r.done == 0 || r.wrong > 0 {
				return nil, fmt.Errorf("%s: %d good answers, %d wrong, %v", c.name, r.done, r.wrong, err)
			}
			if round > 0 { // the first warms everything up
				runs[c.name] = append(runs[c.name], measured{r, (c.server.cpu() - before) / time.Duration(r.done)})
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	return runs, nil
}

// wanted are the configurations whose name matches, and those they are held against.
func (f *field) wanted(only string) map[string]bool {
	wanted := make(map[string]bool)
	for _, c := range f.configurations {
		if strings.Contains(c.name, only) {
			wanted[c.name] = true
			if c.against != "" {
				wanted[c.against] = true
			}
		}
	}
	return wanted
}
