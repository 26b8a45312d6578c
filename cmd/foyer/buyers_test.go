package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
	"foyer/test/binary"
	"foyer/test/postgres"
	"foyer/test/stopwatch"
)

// testBuyer is a buyer's endpoint that checks signatures and answers as told.
type testBuyer struct {
	*httptest.Server
	mu      sync.Mutex
	secrets []string
	answer  func(kind string) (status int, body string)
	heard   []message
}

// message is a message whose signature was good.
type message struct{ id, kind, lead string }

const acceptAnswer = `{"decision":"accept","buyer_ref":"r-1"}`

func newTestBuyer(t *testing.T) *testBuyer {
	c := &testBuyer{answer: func(string) (int, string) { return http.StatusOK, acceptAnswer }}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var said struct {
			Type string
			Data struct {
				Lead string `json:"lead_id"`
			}
		}
		_ = json.Unmarshal(body, &said)
		c.mu.Lock()
		defer c.mu.Unlock()
		if webhook.Verify(r.Header, body, c.secrets, time.Now()) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		c.heard = append(c.heard, message{r.Header.Get("webhook-id"), said.Type, said.Data.Lead})
		status, answer := c.answer(said.Type)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(c.Close)
	return c
}

// answerWith changes what the buyer answers, and which secrets it knows.
func (c *testBuyer) answerWith(answer func(kind string) (int, string), secrets ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer, c.secrets = answer, secrets
}

// isBuyersID reports whether an id is a buyer's id for a lead: it starts with the same time, but differs.
func isBuyersID(id, lead string) bool { return id != lead && id[:14] == lead[:14] }

// messagesAbout returns the messages about a lead.
func (c *testBuyer) messagesAbout(lead string) (all []message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.heard {
		if isBuyersID(h.lead, lead) {
			all = append(all, h)
		}
	}
	return all
}

// always gives the same answer to everything.
func always(status int, body string) func(string) (int, string) {
	return func(string) (int, string) { return status, body }
}

// cli runs commands on a database.
type cli struct {
	t        *testing.T
	database string
}

// run runs a command that must succeed, and returns its output.
func (o cli) run(args ...string) string {
	o.t.Helper()
	out, stderr, code := run(o.t, append(args, "--database", o.database)...)
	if code != 0 {
		o.t.Fatalf("foyer %s: exit code %d\n%s%s", strings.Join(args, " "), code, out, stderr)
	}
	return out
}

// runFailing runs a command that must fail, and returns its error output.
func (o cli) runFailing(want int, args ...string) string {
	o.t.Helper()
	_, stderr, code := run(o.t, append(args, "--database", o.database)...)
	if code != want {
		o.t.Errorf("foyer %s: exit code %d, want %d\n%s", strings.Join(args, " "), code, want, stderr)
	}
	return stderr
}

// addBuyer adds a live buyer, unless the flags say paused, and returns its id and secret, which is "" if one was given.
func (o cli) addBuyer(args ...string) (id, secret string) {
	o.t.Helper()
	var b struct{ ID, Secret string }
	if !slices.Contains(args, "--paused") {
		args = append(args, "--live")
	}
	out := o.run(append([]string{"buyers", "add", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &b); err != nil || !strings.HasPrefix(b.ID, "buyer_") || strings.HasPrefix(b.Secret, "whsec_") == slices.Contains(args, "--secret") {
		o.t.Fatalf("got %s, %v", out, err)
	}
	return b.ID, b.Secret
}

var (
	someTime  = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
	someWords = regexp.MustCompile(` +(\n|$)`)
)

// wantOutput compares output, with varying ids and times replaced.
func wantOutput(t *testing.T, got, want string, names ...string) {
	t.Helper()
	got = strings.NewReplacer(names...).Replace(someTime.ReplaceAllString(got, "TIME"))
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), someWords.ReplaceAllString(got, "$1")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// newCLI uses a database that does not exist yet.
func newCLI(t *testing.T) cli {
	if storetest.RunsOnPostgreSQL(t) {
		return cli{t, postgres.Shared(t).Database(t)} // without tables
	}
	return cli{t, "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")}
}

const someBuyer = "https://buyer.example.com/leads"

func TestBuyerCommands(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	added := o.run("buyers", "add", "--name", "Cool Air", "--url", someBuyer, "--services", "hvac,handyman", "--zips", "331*,90210", "--priority", "10")
	id := regexp.MustCompile(`buyer_[a-z2-7]{26}`).FindString(added)
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{44}`).FindString(added)
	names := []string{id, "BUYER", secret, "SECRET"}
	wantOutput(t, added, `
BUYER (Cool Air) is in test: no leads are offered to it yet. Services: hvac, handyman. Area: 2 patterns.

Its secret, shown only once:
  SECRET

Give it to the buyer's engineer, then try it: foyer buyers test BUYER
When it is ready, start it: foyer buyers start BUYER
`, names...)
	wantOutput(t, o.run("buyers", "start", id, "--held", "all"), "BUYER (Cool Air) is active. Held leads that match: 0.\n", names...)
	wantOutput(t, o.run("buyers", "edit", id, "--cap-day", "20", "--hours", "mon-fri 08:00-18:00", "--time-zone", "America/New_York",
		"--payout", "$25 a lead", "--street-required", "--no-duplicates", "--states", "FL,CA"), `
id          BUYER
name        Cool Air
state       active
url         https://buyer.example.com/leads
services    hvac, handyman
area        2 patterns in CA FL
zips        331* 90210
hours       mon-fri 08:00-18:00
time zone   America/New_York
priority    10
in flight   at most 8
returns     within 7 days
payout      $25 a lead (private)
demands     no duplicates, only with a street address
steps       two: an offer first, then the contact if the buyer accepts
secrets     1
last asked  never
breaker     closed
delivering  0
this hour   offered 0, accepted 0, delivered 0, returned 0
today       offered 0, accepted 0, delivered 0, returned 0; cap: 0 of 20 until TIME
this month  offered 0, accepted 0, delivered 0, returned 0
all time    offered 0, accepted 0, delivered 0, returned 0
added       TIME
changed     TIME
`, names...)
	for _, args := range [][]string{{"--why", "moving house"}, nil} { // the second pause keeps the reason
		wantOutput(t, o.run(append([]string{"buyers", "pause", "cool AIR"}, args...)...),
			"BUYER (Cool Air) is paused: moving house. Contacts it has already accepted are still delivered.\n", names...)
	}
	wantOutput(t, o.runFailing(1, "buyers", "start", id, "--held", "all"), "foyer: BUYER (Cool Air) is paused: resume it, and it is asked again\n", names...)
	wantOutput(t, o.run("buyers", "list"), `
BUYER                             NAME      STATE   SERVICES        AREA                 PRIORITY  OFFERED TODAY  ACCEPTED  DELIVERED  RETURNED  CAP      OWES  WHY
BUYER  Cool Air  paused  hvac, handyman  2 patterns in CA FL  10        0              0         0          0         0 of 20  -     moving house
`, names...)
	wantOutput(t, o.run("buyers", "resume", id), "BUYER (Cool Air) is active. Held leads it covers are offered to it.\n", names...)
	if shown := o.run("buyers", "show", id) + o.run("buyers", "show", id, "--json") + o.run("buyers", "list", "--json"); strings.Contains(shown, "whsec_") {
		t.Errorf("a secret is shown a second time:\n%s", shown)
	}
	wantOutput(t, o.run("buyers", "remove", id), "BUYER (Cool Air) is removed.\n", names...)
	wantOutput(t, o.runFailing(1, "buyers", "show", id), "foyer: There is no buyer with this name or id.\n")
}

// TestAddLiveBuyer wants the output to say that the buyer gets leads now, and nothing about a test.
func TestAddLiveBuyer(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	added := o.run("buyers", "add", "--live", "--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
	id := regexp.MustCompile(`buyer_[a-z2-7]{26}`).FindString(added)
	wantOutput(t, added, `
BUYER (Cool Air) is active: it is live, and leads are offered to it now, held ones included. Services: hvac. Area: everywhere.

Its secret, shown only once:
  SECRET

Give it to the buyer's engineer now: every message is signed with it.
`, id, "BUYER", regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{44}`).FindString(added), "SECRET")
}

// TestBuyerWithRetryAfter wants a buyer that sent Retry-After marked as such until that time has passed.
func TestBuyerWithRetryAfter(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	o.addBuyer("--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
	for ahead, told := range map[time.Duration]bool{time.Hour: true, -time.Hour: false} {
		execSQL(t, o.database, fmt.Sprint("UPDATE buyer_health SET quiet_until = ", time.Now().Add(ahead).UnixMicro()))
		show, list := o.run("buyers", "show", "Cool Air"), o.run("buyers", "list")
		if strings.Contains(someTime.ReplaceAllString(show, "TIME"), "\nleft alone  until TIME, as it asked (Retry-After)\n") != told ||
			strings.Contains(someTime.ReplaceAllString(list, "TIME"), "  asked for time until TIME\n") != told {
			t.Errorf("%v ahead:\n%s%s", ahead, show, list)
		}
		if object := o.run("buyers", "show", "Cool Air", "--json"); strings.Contains(object, `"left_alone_until": null`) == told {
			t.Errorf("%v ahead:\n%s", ahead, object)
		}
	}
}

// TestBuyerSwitches turns every switch of a buyer on and off again.
func TestBuyerSwitches(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	id, _ := o.addBuyer("--name", "Cool Air", "--url", someBuyer, "--services", "all", "--payout", "$25", "--one-step")
	state := func() (b map[string]any) {
		if err := json.Unmarshal([]byte(o.run("buyers", "show", id, "--json")), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, off := range map[string]string{
		"payout-public": "--no-payout-public", "own-form-only": "--own-form-only=false", "plausible-phones-only": "--no-plausible-phones-only",
		"no-duplicates": "--duplicates", "street-required": "--no-street-required", "accept-plain": "--no-accept-plain",
	} {
		member := strings.ReplaceAll(name, "-", "_")
		if o.run("buyers", "edit", id, "--"+name); state()[member] != true {
			t.Errorf("--%s does not switch it on", name)
		}
		if o.run("buyers", "edit", id, off); state()[member] != false {
			t.Errorf("%s does not switch it off", off)
		}
	}
}

// TestBadTermsRefused wants one line that names the flag, what was given and what is accepted, and no database.
func TestBadTermsRefused(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	for _, c := range []struct{ flag, given, accepted string }{
		{"name", "two\nlines", "on one line"},
		{"url", "http://127.0.0.1", "--allow-private-buyers"},
		{"url", "https://10.0.0.1", "public"},
		{"services", "hvca", "hvac, handyman"},
		{"services", "plumbing", "dial a number"},
		{"zips", "33", "five digits"},
		{"exclude-zips", "3313*9", "five digits"},
		{"states", "XX", "FL or Florida"},
		{"hours", "always open", "mon-fri 08:00-18:00"},
		{"time-zone", "EDT", "America/New_York"},
		{"cap-hour", "many", "int"},
		{"cap-day", "-1", "from 0"},
		{"priority", "1.5", "int"},
		{"secret", "hunter2", "whsec_"},
	} {
		given := map[string]string{"name": "Cool Air", "url": someBuyer, "services": "hvac"}
		given[c.flag] = c.given
		args := []string{"buyers", "add"}
		for flag, value := range given {
			args = append(args, "--"+flag+"="+value)
		}
		line := o.runFailing(2, args...)
		shown := strings.ReplaceAll(c.given, "\n", `\n`)
		if c.flag == "secret" {
			shown = "secret" // never repeated
		}
		if strings.Count(line, "\n") != 1 || !strings.Contains(line, "--"+c.flag) || !strings.Contains(line, shown) || !strings.Contains(line, c.accepted) {
			t.Errorf("--%s: %q", c.flag, line)
		}
	}
	if line := o.runFailing(2, "buyers", "add", "--name", "Cool Air", "--services", "hvac"); !strings.Contains(line, "--url: missing") {
		t.Errorf("without an address: %q", line)
	}
	if line := o.runFailing(2, "buyers", "edit", "buyer_x"); !strings.Contains(line, "nothing to change") {
		t.Errorf("without a change: %q", line)
	}
	if line := o.runFailing(1, "buyers", "list"); !strings.Contains(line, "there is no database at") {
		t.Errorf("something made a database: %q", line)
	}
}

// TestAddBuyerCreatesDatabase adds a buyer to a database that does not exist yet. The command says so, in case the operator
// is in the wrong folder.
func TestAddBuyerCreatesDatabase(t *testing.T) {
	storetest.Parallel(t)
	folder, c := t.TempDir(), newTestBuyer(t)
	o := cli{t, "sqlite:" + filepath.Join(folder, "foyer.db")}
	out, stderr, code := run(t, "buyers", "add", "--live", "--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers", "--json", "--database", o.database)
	var b struct{ Secret string }
	if err := json.Unmarshal([]byte(out), &b); err != nil || code != 0 || !strings.Contains(stderr, "a new one was made") {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, out, stderr)
	}
	c.answerWith(c.answer, b.Secret)
	p := serve(t, folder, "--allow-private-buyers")
	p.awaitStatus(p.Submit(), "forwarded", 5*time.Second)
}

// awaitStatus waits until a lead has a status, and returns how long that took.
func (p *process) awaitStatus(id, want string, within time.Duration) time.Duration {
	p.T.Helper()
	watch := stopwatch.Start()
	defer watch.Stop()
	for watch.Took() < within {
		if _, body := p.Get("/v1/leads/" + id); strings.Contains(string(body), `"status":"`+want+`"`) {
			return watch.Took()
		}
		time.Sleep(10 * time.Millisecond)
	}
	_, body := p.Get("/v1/leads/" + id)
	p.T.Fatalf("after %v it is not %s: %s", within, want, body)
	return 0
}

// TestChangesReachRunningService adds, pauses and resumes a buyer while the service runs.
func TestChangesReachRunningService(t *testing.T) {
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	held := p.Submit()
	p.awaitStatus(held, "collected", time.Second)
	const secret = "whsec_AZYpQ20llGE/2Z3FKBP3kJsbzQj4qRVmuRtV59q0I8E="
	c.answerWith(c.answer, secret)
	id, _ := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--zips", "331*", "--allow-private-buyers", "--secret", secret)
	if took := p.awaitStatus(held, "forwarded", 10*time.Second); took > 2*time.Second {
		t.Errorf("added: it took %v", took)
	}
	o.run("buyers", "pause", id)
	time.Sleep(2 * time.Second)
	held = p.submitFrom("305-555-0199")
	p.awaitStatus(held, "collected", time.Second)
	o.run("buyers", "resume", id)
	if took := p.awaitStatus(held, "forwarded", 10*time.Second); took > 2*time.Second {
		t.Errorf("resumed: it took %v", took)
	}
	if all := c.messagesAbout(held); len(all) != 2 || all[0].kind != "lead.offered" || all[1].kind != "lead.delivered" {
		t.Errorf("it heard %+v", all)
	}
}

// TestRotateSecret tests the buyer at each step of a rotation, with the secrets that it may know then.
func TestRotateSecret(t *testing.T) {
	storetest.Parallel(t)
	o, c := newCLI(t), newTestBuyer(t)
	id, old := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers")
	try := func(want int, secret string) {
		t.Helper()
		c.answerWith(c.answer, secret)
		if out, stderr, code := run(t, "buyers", "test", id, "--allow-private-buyers", "--database", o.database); code != want {
			t.Errorf("exit code %d, want %d\n%s%s", code, want, out, stderr)
		}
	}
	try(0, old)
	var b struct {
		Secret  string
		Secrets int
	}
	if err := json.Unmarshal([]byte(o.run("buyers", "rotate-secret", id, "--json")), &b); err != nil || b.Secrets != 2 {
		t.Fatalf("got %+v, %v", b, err)
	}
	try(0, old)
	try(0, b.Secret)
	if line := o.runFailing(1, "buyers", "rotate-secret", id); !strings.Contains(line, "a rotation is under way") {
		t.Errorf("a second one: %q", line)
	}
	o.run("buyers", "rotate-secret", id, "--end")
	try(0, b.Secret)
	try(1, old)
}

// TestBuyersTestOutput checks the output for several answers.
func TestBuyersTestOutput(t *testing.T) {
	storetest.Parallel(t)
	o, c := newCLI(t), newTestBuyer(t)
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers", "--paused")
	for name, x := range map[string]struct {
		status int
		body   string
		code   int
		want   string
	}{
		"it accepts": {http.StatusOK, acceptAnswer, 0, `
buyer_id    BUYER
type        lead.offered
webhook_id  MESSAGE
status      200
took_ms     N
understood  accept
buyer_ref   r-1
answer      {"decision":"accept","buyer_ref":"r-1"}
`},
		"it declines": {http.StatusUnprocessableEntity, `{"decision":"reject","code":"cap"}`, 0, `
buyer_id    BUYER
type        lead.offered
webhook_id  MESSAGE
status      422
took_ms     N
understood  reject
code        cap
answer      {"decision":"reject","code":"cap"}
`},
		"it answers nonsense": {http.StatusOK, "\x1b[31mhello\x00\n\x1b]0;x\x07there", 1, `
buyer_id    BUYER
type        lead.offered
webhook_id  MESSAGE
status      200
took_ms     N
understood  failed: this attempt would count as a failure
why         the body is not JSON: it goes wrong at byte 1; an answer is JSON such as {"decision":"accept"} or {"decision":"reject","code":"cap"}
answer       [31mhello
             ]0;x there
foyer: the buyer gave no answer that can be used
`},
	} {
		t.Run(name, func(t *testing.T) {
			c.answerWith(always(x.status, x.body), secret)
			out, stderr, code := run(t, "buyers", "test", id, "--allow-private-buyers", "--database", o.database)
			request, out, _ := strings.Cut(out, "\n\n")
			to, body, _ := strings.Cut(request, "\n")
			var sent struct {
				Type string
				Data struct{ Test bool }
			}
			if err := json.Unmarshal([]byte(body), &sent); err != nil || to != "request to "+c.URL || sent.Type != "lead.offered" || !sent.Data.Test {
				t.Errorf("the request: %v\n%s", err, request)
			}
			out = regexp.MustCompile(`msg_\S+`).ReplaceAllString(out, "MESSAGE")
			out = regexp.MustCompile(`(took_ms +)\S+`).ReplaceAllString(out, "${1}N")
			wantOutput(t, out+stderr, x.want, id, "BUYER")
			if code != x.code {
				t.Errorf("exit code %d, want %d", code, x.code)
			}
		})
	}
	if out, _, code := run(t, "buyers", "test", id, "--database", o.database); code != 1 || !strings.Contains(out, "refused_address") {
		t.Errorf("at a private address, without leave: %d\n%s", code, out)
	}
	if shown := o.run("buyers", "show", id); !strings.Contains(shown, "last asked  never") {
		t.Errorf("a test leaves a trace:\n%s", shown)
	}
}

func TestImportZIPs(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	id, _ := o.addBuyer("--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
	imports := func(file string, args ...string) (string, int) {
		cmd := exec.Command(binary.Program, append([]string{"buyers", "import", id, "-", "--database", o.database}, args...)...)
		cmd.Env, cmd.Stdin = binary.EnvironmentOf(cmd), strings.NewReader(file)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run()
		return out.String(), cmd.ProcessState.ExitCode()
	}
	out, _ := imports("zip,city\n33139,Miami Beach\n90210,Beverly Hills\n")
	wantOutput(t, out, "BUYER (Cool Air): ZIP codes read: 2. It covered everywhere; now it covers 2 patterns.\n", id, "BUYER")
	out, code := imports("33139\n2108\nBoston\n", "--replace")
	wantOutput(t, out, `
foyer: /dev/stdin: rows without a ZIP code: 2; nothing was changed
  line 2: 2108 is not a ZIP code; a spreadsheet may have dropped the zero before it
  line 3: no ZIP code
`)
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	out, _ = imports("90210", "--exclude")
	wantOutput(t, out, "BUYER (Cool Air): ZIP codes read: 1. It covered 2 patterns; now it covers 2 patterns less 1.\n", id, "BUYER")
	if line := o.runFailing(1, "buyers", "import", id, filepath.Join(t.TempDir(), "none.csv")); !strings.Contains(line, "no such file") {
		t.Errorf("a file that is not there: %q", line)
	}
}
