package main_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestReplayAndReleaseErroredLead starts with a lead that its buyer accepted and then failed to take. The lead is replayed
// to the same buyer with the same message id, or released.
func TestReplayAndReleaseErroredLead(t *testing.T) {
	storetest.Parallel(t)
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers")
	c.answerWith(func(kind string) (int, string) {
		if kind == "lead.delivered" {
			return http.StatusBadRequest, "our database is full"
		}
		return http.StatusOK, acceptAnswer
	}, secret)
	time.Sleep(time.Second) // until the service knows the buyer
	first, second, third := p.submitFrom("305-555-0101"), p.submitFrom("305-555-0102"), p.submitFrom("305-555-0103")
	for _, lead := range []string{first, second, third} {
		p.awaitStatus(lead, "error", 10*time.Second)
	}
	c.answerWith(always(http.StatusOK, acceptAnswer), secret)
	names := []string{first, "LEAD-1", second, "LEAD-2", third, "LEAD-3", id, "BUYER"}

	wantOutput(t, o.run("leads", "release", first), "LEAD-1 is received: buyers that cover it are asked now.\n", names...)
	p.awaitStatus(first, "collected", 10*time.Second) // the only buyer refused it
	wantOutput(t, o.run("leads", "replay", "--from", "2026-01-01", "--dry-run"), `
LEAD                                      BUYER                             WHAT
LEAD-2  BUYER  would be sent again
LEAD-3  BUYER  would be sent again
Leads in error: 2; would be sent again: 2; not sent: 0.
`, names...)
	if out := o.run("leads", "replay", second); !strings.HasPrefix(out, second+" is being sent to "+id+" again, as the same message (offer_") {
		t.Errorf("got %q", out)
	}
	p.awaitStatus(second, "forwarded", 10*time.Second)
	wantOutput(t, o.run("leads", "replay", "--from", "2026-01-01 00:00", "--to", "2126-01-01"), `
LEAD                                      BUYER                             WHAT
LEAD-3  BUYER  sent again
Leads in error: 1; sent again: 1; not sent: 0.
`, names...)
	p.awaitStatus(third, "forwarded", 10*time.Second)
	for _, lead := range []string{second, third} {
		if all := c.messagesAbout(lead); len(all) != 3 || all[1].id != all[2].id || all[0].id == all[1].id {
			t.Errorf("it heard %+v", all)
		}
	}
	wantOutput(t, o.runFailing(1, "leads", "replay", second), "foyer: LEAD-2 is forwarded: only a lead in error can be put on its way again\n", names...)
	wantOutput(t, o.run("leads", "release", first), "LEAD-1 is received: buyers that cover it are asked now.\n", names...) // also works for a held lead
	wantOutput(t, o.runFailing(1, "leads", "release", second), "foyer: LEAD-2 is forwarded: only a lead in error or on hold can be released\n", names...)
	wantOutput(t, o.runFailing(2, "leads", "replay"), "foyer: name a lead, or a range of time with --from and --to\n")
	wantOutput(t, o.runFailing(2, "leads", "replay", second, "--dry-run"), "foyer: name a lead, or a range of time with --from, --to and --dry-run, not both\n")
	wantOutput(t, o.runFailing(2, "leads", "replay", "--from", "2026-01-02", "--to", "2026-01-01"), "foyer: --to: the range ends before it begins: write a later time\n")
	if line := o.runFailing(2, "leads", "replay", "--from", "yesterday"); !strings.Contains(line, `--from: got "yesterday", want a time such as 2026-11-05`) {
		t.Errorf("got %q", line)
	}
}

// submitFrom sends a good request from another person.
func (p *process) submitFrom(phone string) string {
	p.T.Helper()
	time.Sleep(2 * time.Millisecond) // messagesAbout knows a lead by the millisecond that its id begins with
	_, body, _ := p.Post("/v1/intake", "application/json", strings.Replace(binary.GoodLead, "305-555-0123", phone, 1))
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(body, &receipt); err != nil {
		p.T.Fatal(err)
	}
	return receipt.LeadID
}

// TestRemoveBuyerDuringDelivery wants a refusal, and with force a lead in error.
func TestRemoveBuyerDuringDelivery(t *testing.T) {
	storetest.Parallel(t)
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--one-step", "--allow-private-buyers")
	c.answerWith(always(http.StatusInternalServerError, ""), secret)
	time.Sleep(time.Second) // until the service knows the buyer
	lead := p.Submit()
	for end := time.Now().Add(10 * time.Second); len(c.messagesAbout(lead)) == 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	wantOutput(t, o.runFailing(1, "buyers", "remove", id), "foyer: BUYER (Cool Air): offers open: 0, contacts being delivered: 1; leads: LEAD. Pause it and wait until they are done, or remove it with --force\n", id, "BUYER", lead, "LEAD")
	out, text, code := run(t, "buyers", "remove", id, "--force", "--database", o.database)
	wantOutput(t, text, `
Under way to BUYER (Cool Air): offers open: 0, contacts being delivered: 1; leads: LEAD.
Waiting for what is under way to Cool Air (at most 45 s)…
`, id, "BUYER", lead, "LEAD")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	wantOutput(t, out, `
BUYER (Cool Air) is removed.
Contacts that were being delivered to it: 1. Those leads end in error if it may have the contact: find out whether it does, then run foyer leads release.
`, id, "BUYER")
	p.awaitStatus(lead, "error", 20*time.Second)
	wantOutput(t, o.runFailing(1, "leads", "replay", lead), "foyer: its buyer was removed: release it instead\n")
	wantOutput(t, o.run("leads", "release", lead), "LEAD is collected: no buyer covers it now, so it is held.\n", lead, "LEAD")
}
