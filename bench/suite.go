package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// suite is all the servers that run side by side, and the requests they get.
type suite struct {
	foyer, noop, sdk *server
	configurations   []configuration
}

// configuration is one thing to measure, and its baseline.
type configuration struct {
	name        string
	server      *server
	request     loadRequest
	connections int
	against     string // the name of another configuration
}

// newSuite starts the servers and measures the length of Foyer's answers, so that the others answer as much.
func newSuite(binary, folder string) (*suite, error) {
	s := &suite{}
	var err error
	if s.foyer, err = startFoyer(binary, folder); err != nil {
		return nil, err
	}
	if s.noop, err = startPeer("noop"); err != nil {
		return nil, err
	}
	services, err := s.foyer.ask("GET", "/v1/services", "")
	if err != nil {
		return nil, err
	}
	home, err := s.foyer.page("/")
	if err != nil {
		return nil, err
	}
	receipt, err := s.foyer.ask("POST", "/v1/intake", lead)
	if err != nil {
		return nil, err
	}
	number, err := s.foyer.ask("POST", "/mcp", callNumber)
	if err != nil {
		return nil, err
	}
	id, err := s.foyer.leadID()
	if err != nil {
		return nil, err
	}
	if s.sdk, err = startPeer("sdk", document(string(number))); err != nil {
		return nil, err
	}
	bytes := func(n int) string { return fmt.Sprintf("/bytes/%d", n) }
	s.configurations = []configuration{
		{"no-op GET", s.noop, get(bytes(len(services))), 64, ""},
		{"GET /v1/services", s.foyer, get("/v1/services"), 64, "no-op GET"},
		{"no-op GET as long as the home page", s.noop, get(bytes(len(home))), 64, ""},
		{"GET /, the home page", s.foyer, get("/", "Accept: text/html", "Accept-Encoding: gzip"), 64, "no-op GET as long as the home page"},
		{"GET /v1/leads/{id}", s.foyer, get("/v1/leads/" + id), 64, "no-op GET"},
		{"no-op POST", s.noop, post(bytes(len(receipt)), lead, 200), 64, ""},
		{"intake, dry run", s.foyer, post("/v1/intake?dry_run=true", lead, 200), 64, "no-op POST"},
		{"intake, 64 connections", s.foyer, post("/v1/intake", lead, 202), 64, "no-op POST"},
		{"no-op POST, 1 connection", s.noop, post(bytes(len(receipt)), lead, 200), 1, ""},
		{"intake, 1 connection", s.foyer, post("/v1/intake", lead, 202), 1, "no-op POST, 1 connection"},
		{"no-op POST, 512 connections", s.noop, post(bytes(len(receipt)), lead, 200), 512, ""},
		{"intake, 512 connections", s.foyer, post("/v1/intake", lead, 202), 512, "no-op POST, 512 connections"},
		{"no-op POST for tools", s.noop, post(bytes(len(number)), callNumber, 200, mcpHeaders...), 64, ""},
		{"tools/call, reading", s.foyer, post("/mcp", callNumber, 200, mcpHeaders...), 64, "no-op POST for tools"},
		{"tools/call, official SDK", s.sdk, post("/mcp", callNumber, 200, mcpHeaders...), 64, "no-op POST for tools"},
		{"tools/call, writing", s.foyer, post("/mcp", callRequest, 200, mcpHeaders...), 64, "no-op POST"},
	}
	return s, nil
}

// mcpHeaders are what every MCP client sends.
var mcpHeaders = []string{"Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-06-18"}

const (
	callNumber  = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plumbing_call_number","arguments":{"zip_code":"33139"}}}`
	callRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":` + lead + `}}`
)

// document returns the result string inside an answer, so that the peer can answer the same.
func document(answer string) string {
	_, rest, _ := strings.Cut(answer, `"structuredContent":{"result":"`)
	quoted, _, _ := strings.Cut(rest, `"},"isError"`)
	return strings.ReplaceAll(quoted, `\"`, `"`)
}

func (s *suite) stop() {
	for _, s := range []*server{s.foyer, s.noop, s.sdk} {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// measured is one configuration in one round.
type measured struct {
	result
	cpu time.Duration // of the server, per good answer
}

// rounds runs every configuration once in each round, so that a slow minute of the machine affects all of them.
func (s *suite) rounds(n int, duration time.Duration, only string) (map[string][]measured, error) {
	runs := make(map[string][]measured)
	wanted := s.wanted(only)
	for round := range n + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, n)
		for _, c := range s.configurations {
			if !wanted[c.name] {
				continue
			}
			before := c.server.cpu()
			r, err := runLoad(c.server.address, c.request, c.connections, duration)
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

// wanted returns the configurations whose name matches, and their baselines.
func (s *suite) wanted(only string) map[string]bool {
	wanted := make(map[string]bool)
	for _, c := range s.configurations {
		if strings.Contains(c.name, only) {
			wanted[c.name] = true
			if c.against != "" {
				wanted[c.against] = true
			}
		}
	}
	return wanted
}
