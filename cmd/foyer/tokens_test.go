package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
)

var tokenPattern = regexp.MustCompile(`foy_[a-z2-7]{26}`)

// asProgram sends a request to the operator's API.
func (p *process) asProgram(token, method, path, body string, headers ...string) (status int, answer string) {
	p.T.Helper()
	req, err := http.NewRequest(method, p.URL+"/v1/operator"+path, strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(text)
}

// TestTokens adds, uses, lists and revokes tokens beside a running service.
func TestTokens(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	o := cli{t, p.Database}
	if out := o.run("tokens", "list"); !strings.Contains(out, "There are no tokens") {
		t.Errorf("at first: %q", out)
	}
	out := o.run("tokens", "add", "Dashboard")
	token := tokenPattern.FindString(out)
	if token == "" || !strings.Contains(out, "may read everything but personal data") || !strings.Contains(out, "shown only once") {
		t.Errorf("added: %q", out)
	}
	if status, answer := p.asProgram(token, "GET", "/leads", ""); status != 200 || !strings.Contains(answer, `"data":[]`) {
		t.Errorf("it reads: %d %s", status, answer)
	}
	if status, _ := p.asProgram(token, "POST", "/sources", `{"name":"x"}`); status != http.StatusForbidden {
		t.Errorf("it writes: %d", status)
	}
	var added struct {
		Token, Scope string
		ID           string `json:"token_id"`
		PersonalData bool   `json:"personal_data"`
	}
	if err := json.Unmarshal([]byte(o.run("tokens", "add", "Billing", "--write", "--personal-data", "--days", "30", "--json")), &added); err != nil || added.Scope != "write" || !added.PersonalData {
		t.Errorf("%+v, %v", added, err)
	}
	if status, answer := p.asProgram(added.Token, "POST", "/sources", `{"name":"x"}`); status != http.StatusCreated {
		t.Errorf("it writes: %d %s", status, answer)
	}
	list := o.run("tokens", "list")
	for _, want := range []string{"Dashboard", "Billing", "write", "yes", "valid"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list has no %s:\n%s", want, list)
		}
	}
	if strings.Contains(list, "never") || strings.Contains(list, "foy_") {
		t.Errorf("a token was not used, or is shown:\n%s", list)
	}
	o.run("tokens", "revoke", "dashboard")
	if status, answer := p.asProgram(token, "GET", "/leads", ""); status != http.StatusUnauthorized {
		t.Errorf("revoked: %d %s", status, answer)
	}
	if audit := o.run("audit", "--actor", "token:"+added.ID); !strings.Contains(audit, "source.add") {
		t.Errorf("the audit trail:\n%s", audit)
	}
	if check := o.run("db", "check"); !strings.Contains(check, "is sound") {
		t.Errorf("after all that:\n%s", check)
	}
	for args, want := range map[string]string{
		"add Billing":       `foyer: "Billing" is the name of ` + added.ID + " already",
		"add x --days 9999": "foyer: --days: 9999 is not possible",
		"revoke nobody":     "foyer: There is no valid token with this name",
		"revoke Dashboard":  "foyer: There is no valid token with this name",
	} {
		if line := o.runFailing(1, append([]string{"tokens"}, strings.Fields(args)...)...); !strings.HasPrefix(line, want) {
			t.Errorf("%s: %q", args, line)
		}
	}
	for _, trace := range []string{token, added.Token} {
		if strings.Contains(p.Logs(), trace) {
			t.Error("the log holds a token")
		}
	}
}

// TestPaymentIsEnteredOnce kills the service while payments with idempotency keys are entered. Every program sends its payment again
// until it is answered: each counts once.
func TestPaymentIsEnteredOnce(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	p := serve(t, folder)
	o := cli{t, p.Database}
	token := tokenPattern.FindString(o.run("tokens", "add", "Billing", "--write"))
	id, _ := o.addBuyer("--name", "Cool Air", "--url", someBuyer, "--services", "hvac", "--price", "hvac=45.00")
	paid := 0
	for round := range 3 {
		before := owed(o)
		go func(p *process) {
			for i := range 40 {
				if status, _ := p.asProgram(token, "POST", "/buyers/"+id+"/top-up", `{"amount_cents":100}`, "Idempotency-Key", fmt.Sprint(round, "-", i)); status == 0 {
					return // it was killed
				}
			}
		}(p)
		for owed(o) == before { // until at least one is entered
		}
		p.Kill()
		p = serve(t, folder)
		for i := range 40 {
			status, answer := p.asProgram(token, "POST", "/buyers/"+id+"/top-up", `{"amount_cents":100}`, "Idempotency-Key", fmt.Sprint(round, "-", i))
			if status != 200 && !(status == http.StatusConflict && strings.Contains(answer, "was carried out")) {
				t.Fatalf("payment %d: %d %s", i, status, answer)
			}
			paid++
		}
		if got, want := owed(o), fmt.Sprintf(`"owed_cents":-%d`, 100*paid); !strings.Contains(got, want) {
			t.Errorf("after %d payments: %s", paid, got)
		}
	}
}

func owed(o cli) string { return o.run("buyers", "owed", "--json") }
