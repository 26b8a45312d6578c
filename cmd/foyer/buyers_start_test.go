package main_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestBuyerTestedAndStarted adds a first buyer to a running service: no real lead reaches the buyer in test, it is tested
// with an offer and a delivery, and it gets the held leads when it is started.
func TestBuyerTestedAndStarted(t *testing.T) {
	storetest.Parallel(t)
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	held := p.Submit()
	const secret = "whsec_AZYpQ20llGE/2Z3FKBP3kJsbzQj4qRVmuRtV59q0I8E="
	c.answerWith(c.answer, secret)
	o.run("buyers", "add", "--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers", "--secret", secret)
	time.Sleep(2500 * time.Millisecond) // by now the service knows the buyer
	if all := c.messagesAbout(held); len(all) > 0 {
		t.Fatalf("in test it heard %+v", all)
	}
	p.awaitStatus(held, "collected", time.Second)
	var tried struct {
		Understood string
		Delivery   *struct{ Type, Understood string }
	}
	out := o.run("buyers", "test", "cool air", "--deliver", "--service", "hvac", "--zip", "33139", "--json", "--allow-private-buyers")
	if err := json.Unmarshal([]byte(out), &tried); err != nil || tried.Understood != "accept" || tried.Delivery == nil || tried.Delivery.Type != "lead.delivered" || tried.Delivery.Understood != "accept" {
		t.Errorf("tried: %s, %v", out, err)
	}
	if line := o.runFailing(1, "buyers", "start", "Cool Air"); !strings.Contains(line, "--held is missing") || strings.Count(line, "\n") != 1 {
		t.Errorf("without a terminal: %q", line)
	}
	if line := o.runFailing(1, "buyers", "resume", "Cool Air"); !strings.Contains(line, "start it") {
		t.Errorf("resumed in test: %q", line)
	}
	if line := o.runFailing(2, "buyers", "start", "Cool Air", "--held", "some"); !strings.Contains(line, "none, all, or a number of days") {
		t.Errorf("a wrong word: %q", line)
	}
	if out := o.run("buyers", "start", "Cool Air", "--held", "none"); !strings.Contains(out, "Held leads that match: 0.\n") {
		t.Errorf("without what is held: %s", out)
	}
	p.awaitStatus(p.submitFrom("305-555-0199"), "forwarded", 10*time.Second)
	p.awaitStatus(held, "collected", time.Second)
	if out := o.run("buyers", "start", "Cool Air", "--held", "2"); !strings.Contains(out, "Held leads that match: 1. They are offered as its terms, caps and hours allow.\n") {
		t.Errorf("with what is held: %s", out)
	}
	p.awaitStatus(held, "forwarded", 10*time.Second)
}

// TestBuyersTestExplainsAnswers checks the explanations of answers that are no decision.
func TestBuyersTestExplainsAnswers(t *testing.T) {
	storetest.Parallel(t)
	o, c := newCLI(t), newTestBuyer(t)
	_, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers")
	for body, why := range map[string]string{`{"decision":"accepted"}`: `the decision is "accepted": write accept or reject`, `{"ok":true}`: `there is no member "decision"; the object has "ok"`} {
		c.answerWith(always(http.StatusOK, body), secret)
		if out, _, code := run(t, "buyers", "test", "Cool Air", "--allow-private-buyers", "--database", o.database); code != 1 || !strings.Contains(out, why) {
			t.Errorf("%s (exit %d):\n%s", body, code, out)
		}
	}
	c.answerWith(func(kind string) (int, string) {
		return map[string]int{"lead.offered": 200, "lead.delivered": 500}[kind], acceptAnswer
	}, secret)
	if out, _, code := run(t, "buyers", "test", "Cool Air", "--deliver", "--allow-private-buyers", "--database", o.database); code != 1 || !strings.Contains(out, "status 500 is an error on the buyer's side") {
		t.Errorf("a delivery that fails (exit %d):\n%s", code, out)
	}
	for flag, wrong := range map[string]string{"--service": "plumbing", "--zip": "331"} {
		if line := o.runFailing(2, "buyers", "test", "Cool Air", flag, wrong); !strings.Contains(line, flag) {
			t.Errorf("%s: %q", flag, line)
		}
	}
}

// TestAmbiguousBuyerName wants the ids of the buyers with the name. No buyer can get another's name any more.
func TestAmbiguousBuyerName(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	first, _ := o.addBuyer("--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
	if line := o.runFailing(1, "buyers", "add", "--name", "COOL AIR", "--url", someBuyer, "--services", "hvac"); !strings.Contains(line, "--name: ") || !strings.Contains(line, first) {
		t.Errorf("a second one of this name: %q", line)
	}
	second, _ := o.addBuyer("--name", "Warm Air", "--url", someBuyer, "--services", "hvac")
	if line := o.runFailing(1, "buyers", "edit", second, "--name", "COOL AIR"); !strings.Contains(line, "--name: ") || !strings.Contains(line, first) {
		t.Errorf("renamed to it: %q", line)
	}
	storetest.MustExec(t, o.database, `UPDATE buyers SET terms = replace(terms, 'Warm Air', 'COOL AIR')`) // as an older version allowed
	for _, command := range []string{"show", "pause", "remove", "rotate-secret", "test"} {
		if line := o.runFailing(1, "buyers", command, "cool air"); !strings.Contains(line, first) || !strings.Contains(line, second) {
			t.Errorf("%s: %q", command, line)
		}
	}
	o.run("buyers", "edit", second, "--name", "Warm Air")
	o.run("buyers", "show", "cool air")
}

// TestAllProblemsReported wants a line for each flag, and the message about a negative number however it is typed.
func TestAllProblemsReported(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	said := o.runFailing(2, "buyers", "add", "--services", "hvca", "--cap-day", "-1", "--secret-file", "/nowhere")
	for _, want := range []string{"5 problems:\n", "\n  --services: ", "\n  --cap-day: -1 is out of bounds", "\n  --name: missing", "\n  --url: missing", "\n  --secret-file: "} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing like %q in:\n%s", want, said)
		}
	}
	if said := o.runFailing(2, "buyers", "edit", "x", "--priority", "-1", "--zips", "33"); !strings.Contains(said, "--priority: -1") || !strings.Contains(said, "--zips: ") {
		t.Errorf("edit: %s", said)
	}
}

// TestSecretFromFile reads the secret from a file or standard input, so that no other user sees it.
func TestSecretFromFile(t *testing.T) {
	storetest.Parallel(t)
	o, c := newCLI(t), newTestBuyer(t)
	const first, second = "whsec_AZYpQ20llGE/2Z3FKBP3kJsbzQj4qRVmuRtV59q0I8E=", "whsec_BZYpQ20llGE/2Z3FKBP3kJsbzQj4qRVmuRtV59q0I8E="
	file := filepath.Join(t.TempDir(), "secret")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(first + "\n")
	tried := func(out, secret string) {
		t.Helper()
		if strings.Contains(out, "whsec_") || strings.Contains(out, "shown only once") {
			t.Errorf("it is repeated:\n%s", out)
		}
		c.answerWith(c.answer, secret)
		o.run("buyers", "test", "Cool Air", "--allow-private-buyers")
	}
	tried(o.run("buyers", "add", "--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers", "--secret-file", file), first)
	cmd := exec.Command(binary.Program, "buyers", "rotate-secret", "Cool Air", "--secret-file", "-", "--json", "--database", o.database)
	cmd.Env, cmd.Stdin = binary.Environment(), strings.NewReader(second)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(`"secret": null`)) {
		t.Errorf("from the standard input: %s, %v", out, err)
	}
	tried(string(out), second)
	write("hunter2")
	if said := o.runFailing(2, "buyers", "add", "--name", "x", "--url", someBuyer, "--services", "hvac", "--secret-file", file); !strings.Contains(said, "--secret-file: ") {
		t.Errorf("added with a wrong one: %s", said)
	}
	for text, want := range map[string]string{"": "empty", "hunter2": "--secret-file: ", first + "\n" + second: "more than one line"} {
		write(text)
		if said := o.runFailing(2, "buyers", "rotate-secret", "Cool Air", "--secret-file", file); !strings.Contains(said, want) || strings.Contains(said, "hunter2") || strings.Contains(said, first) {
			t.Errorf("%q: %s", text, said)
		}
	}
	if said := o.runFailing(2, "buyers", "rotate-secret", "Cool Air", "--secret-file", file, "--secret", first); !strings.Contains(said, "together") {
		t.Errorf("both: %s", said)
	}
}

// TestTimesLocalAndUTC wants the operator's local time next to UTC.
func TestTimesLocalAndUTC(t *testing.T) {
	storetest.Parallel(t)
	database := newLongHistory(t)
	for zone, want := range map[string][]string{
		"UTC":              {"2026-11-05 12:00:00 UTC  ", "2026-11-05T12:00:00.000Z  "},
		"America/New_York": {"2026-11-05 12:00:00 UTC (07:00:00 EST)", "2026-11-05T12:00:00.000Z (07:00:00 EST)"},
		"Pacific/Auckland": {"2026-11-05 12:00:00 UTC (Nov 6, 01:00:00 NZDT)", "2026-11-05T12:00:00.000Z (Nov 6, 01:00:00 NZDT)"},
	} {
		var out []byte
		for _, args := range [][]string{{"leads", "list"}, {"leads", "show", "lead_1"}} {
			cmd := exec.Command(binary.Program, append(args, "--database", database)...)
			cmd.Env = append(binary.Environment(), "TZ="+zone)
			text, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s, %v", text, err)
			}
			out = append(out, text...)
		}
		for _, w := range want {
			if !bytes.Contains(out, []byte(w)) {
				t.Errorf("%s: nothing like %q in\n%s", zone, w, out)
			}
		}
	}
}
