package binary

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// GoodLead is a minimal request.
const GoodLead = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}`

// Client does not follow redirects: the tests check them.
var Client = &http.Client{
	Timeout:       20 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Origin is the URL of the program with the host name that its own links use.
func (p *Process) Origin() string { return strings.Replace(p.URL, "127.0.0.1", "localhost", 1) }

// Get requests a path and returns the status and body of the response.
func (p *Process) Get(path string) (int, []byte) {
	p.T.Helper()
	res, err := Client.Get(p.URL + path)
	status, body, _ := p.Read(res, err)
	return status, body
}

// Post sends a body and returns the status, body and headers of the response.
func (p *Process) Post(path, contentType, body string) (int, []byte, http.Header) {
	p.T.Helper()
	res, err := Client.Post(p.URL+path, contentType, strings.NewReader(body))
	return p.Read(res, err)
}

// Read reads a response: its status, body and headers.
func (p *Process) Read(res *http.Response, err error) (int, []byte, http.Header) {
	p.T.Helper()
	if err != nil {
		p.T.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return res.StatusCode, body, res.Header
}

// Submit sends GoodLead and returns its lead_id.
func (p *Process) Submit() string {
	p.T.Helper()
	status, body, _ := p.Post("/v1/intake", "application/json", GoodLead)
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(body, &receipt); err != nil || status != http.StatusAccepted {
		p.T.Fatalf("got %d %s", status, body)
	}
	return receipt.LeadID
}

// Leads returns the stored leads, the newest first.
func (p *Process) Leads() (stored []lead.Lead) {
	p.T.Helper()
	p.ReadStore(func(tx *store.Tx) error {
		found, err := tx.FindLeads(store.LeadFilter{}, nil, store.LeadPage{Limit: 100_000})
		for _, f := range found.Leads {
			stored = append(stored, f.Lead)
		}
		return err
	})
	return stored
}

// ReadStore reads the database beside the running program.
func (p *Process) ReadStore(read func(*store.Tx) error) {
	p.T.Helper()
	ctx := context.Background() // the context of a test has ended when its cleanups run
	reader, err := store.OpenReader(ctx, p.Database)
	if err != nil {
		p.T.Fatal(err)
	}
	defer reader.Close()
	if err := reader.View(ctx, read); err != nil {
		p.T.Fatal(err)
	}
}
