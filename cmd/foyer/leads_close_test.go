package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
)

// TestCloseLeads wants a line for each lead, and closes those that can be closed.
func TestCloseLeads(t *testing.T) {
	storetest.Parallel(t)
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	first, second, open := p.submitFrom("305-555-0101"), p.submitFrom("305-555-0102"), p.submitFrom("305-555-0103")
	names := []string{first, "LEAD-1", second, "LEAD-2"}
	wantOutput(t, o.run("leads", "close", first, "--why", "sold to buyer_1"), "LEAD-1 is closed: it is never offered again. Its personal details are kept.\n", names...)
	out, stderr, code := run(t, "leads", "close", first, "lead_none", second, "--why", "sold to buyer_2", "--database", p.Database)
	wantOutput(t, out+stderr, `
LEAD-1 was not closed: it is already rejected, and no buyer gets it.
lead_none was not closed: there is no lead with this id.
LEAD-2 is closed: it is never offered again. Its personal details are kept.
foyer: leads not closed: 2 of 3
`, names...)
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	out, _, code = run(t, "leads", "close", second, "--why", "again", "--json", "--database", p.Database)
	if wantOutput(t, out, `{"lead_id":"LEAD-2","closed":false,"left_because":"it is already rejected, and no buyer gets it"}`+"\n", names...); code != 1 {
		t.Errorf("exit code %d", code)
	}
	show := o.run("leads", "show", second)
	for _, want := range []string{"+13055550102", "rejected: sold to buyer_2 (by the operator)\n"} {
		if !strings.Contains(show, want) || strings.Contains(show, "again") {
			t.Errorf("it has no %q, or a second reason:\n%s", want, show)
		}
	}
	_, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers")
	c.answerWith(c.answer, secret)
	p.awaitStatus(open, "forwarded", 10*time.Second)
	if heard := append(c.messagesAbout(first), c.messagesAbout(second)...); len(heard) != 0 {
		t.Errorf("the buyer heard of closed leads: %+v", heard)
	}
	for why, want := range map[string]string{"": "--why: write 1 to 100 characters on one line", "Pat\nExample": "--why: write 1 to 100 characters on one line"} {
		if line := o.runFailing(2, "leads", "close", open, "--why", why); line != "foyer: "+want+"\n" {
			t.Errorf("%q: %q", why, line)
		}
	}
	if line := o.runFailing(2, "leads", "close", open); !strings.Contains(line, "--why") {
		t.Errorf("without a reason: %q", line)
	}
}

// TestCloseLeadDuringOffer closes a lead before the buyer accepts: the contact is never sent. Once the contact is being
// sent, closing is refused.
func TestCloseLeadDuringOffer(t *testing.T) {
	storetest.Parallel(t)
	c, p := newTestBuyer(t), serve(t, t.TempDir(), "--allow-private-buyers")
	o := cli{t, p.Database}
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--allow-private-buyers")
	asked, answer := make(chan string), make(chan struct{})
	slowly := func(waits string) func(string) (int, string) {
		return func(kind string) (int, string) {
			if kind == waits {
				asked <- kind
				<-answer
			}
			return http.StatusOK, acceptAnswer
		}
	}
	c.answerWith(slowly("lead.offered"), secret)
	time.Sleep(time.Second) // until the service knows the buyer
	early := p.submitFrom("305-555-0101")
	<-asked
	o.run("leads", "close", early, "--why", "not for sale")
	answer <- struct{}{}

	c.answerWith(slowly("lead.delivered"), secret)
	late := p.submitFrom("305-555-0102")
	<-asked
	out, _, code := run(t, "leads", "close", late, "--why", "not for sale", "--database", p.Database)
	wantOutput(t, out, "LEAD was not closed: BUYER has its contact, or is about to have it: wait until it is forwarded or in error. Its timeline says what was sent.\n", late, "LEAD", id, "BUYER")
	if answer <- struct{}{}; code != 1 {
		t.Errorf("exit code %d", code)
	}
	p.awaitStatus(late, "forwarded", 10*time.Second)
	p.awaitStatus(early, "rejected", time.Second)
	if heard := c.messagesAbout(early); len(heard) != 1 || heard[0].kind != "lead.offered" {
		t.Errorf("of the closed lead the buyer heard %+v", heard)
	}
}

// TestRestoredBackupSellsNothingTwice follows docs/operations.md: leads that were sold since the backup are closed before
// the buyers are resumed, and only the others are offered.
func TestRestoredBackupSellsNothingTwice(t *testing.T) {
	storetest.Parallel(t)
	folder, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	c, p := newTestBuyer(t), serve(t, folder, "--allow-private-buyers")
	o := cli{t, p.Database}
	all := []string{p.submitFrom("305-555-0101"), p.submitFrom("305-555-0102"), p.submitFrom("305-555-0103")}
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--cap-day", "2", "--paused", "--allow-private-buyers")
	c.answerWith(c.answer, secret)
	o.run("backup", copied)
	o.run("buyers", "resume", id)
	p.awaitStatus(all[0], "forwarded", 10*time.Second)
	p.awaitStatus(all[1], "forwarded", 10*time.Second)
	p.Stop()

	if err := os.Rename(copied, filepath.Join(folder, "foyer.db")); err != nil {
		t.Fatal(err)
	}
	o.run("buyers", "pause", id, "--why", "restored")
	p = serve(t, folder, "--allow-private-buyers")
	o.run("leads", "close", all[0], all[1], "--why", "sold to "+id+" before the restore")
	o.run("buyers", "resume", id)
	p.awaitStatus(all[2], "forwarded", 10*time.Second)
	time.Sleep(time.Second) // time for anything unexpected to happen
	for _, lead := range all {
		if heard := c.messagesAbout(lead); len(heard) != 2 || heard[0].kind != "lead.offered" || heard[1].kind != "lead.delivered" {
			t.Errorf("of %s the buyer heard %+v", lead, heard)
		}
	}
	if show := o.run("leads", "show", all[0]); !strings.Contains(show, "+13055550101") || !strings.Contains(show, "rejected: sold to "+id) {
		t.Errorf("a closed lead:\n%s", show)
	}
}
