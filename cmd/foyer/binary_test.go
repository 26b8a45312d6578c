package main_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// program is the path of the binary, built once for all tests here: they use it as its users do.
var program string

func TestMain(m *testing.M) {
	binary.Main(m.Run, func(path string) { program = path })
}

// process is a running service.
type process struct{ *binary.Process }

// serve starts the binary on the database of a folder.
func serve(t *testing.T, folder string, flags ...string) *process {
	t.Helper()
	if !strings.HasPrefix(t.Name(), storetest.OnPostgreSQL+"/") {
		return &process{binary.Serve(t, program, folder, flags...)}
	}
	database, known := databases.Load(folder)
	if !known {
		database = storetest.PostgreSQL(t)
		databases.Store(folder, database)
	}
	p := binary.Serve(t, program, folder, append([]string{"--database", database.(string)}, flags...)...)
	p.Database = database.(string)
	return &process{p}
}

// databases maps folders to the PostgreSQL databases that stand in for their files.
var databases sync.Map

// run runs the binary to its end.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = binary.EnvironmentOf(cmd)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

var client = &http.Client{
	Timeout:       20 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// post sends a body and returns the status, body and headers of the answer.
func (p *process) post(path, contentType, body string) (int, []byte, http.Header) {
	p.T.Helper()
	res, err := client.Post(p.URL+path, contentType, strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return res.StatusCode, text, res.Header
}

func (p *process) get(path string) (int, []byte) {
	p.T.Helper()
	res, err := client.Get(p.URL + path)
	if err != nil {
		p.T.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return res.StatusCode, text
}

const goodLead = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}`

// submit sends a good request and returns its lead_id.
func (p *process) submit() string {
	p.T.Helper()
	status, body, _ := p.post("/v1/intake", "application/json", goodLead)
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(body, &receipt); err != nil || status != http.StatusAccepted {
		p.T.Fatalf("got %d %s", status, body)
	}
	return receipt.LeadID
}
