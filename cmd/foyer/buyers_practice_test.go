package main_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
)

// TestPracticeBuyer adds a practice buyer beside a running service: it takes the lead of a made-up number, and no other.
func TestPracticeBuyer(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	o := cli{t, p.Database}
	if out := o.run("buyers", "practice"); !strings.Contains(out, "(Practice buyer) is active. Send a request with a phone number such as 305-555-0123") || strings.Contains(out, "whsec_") {
		t.Errorf("added: %q", out)
	}
	if line := o.runFailing(1, "buyers", "practice"); !strings.Contains(line, "there is a practice buyer already: buyer_") {
		t.Errorf("a second one: %q", line)
	}
	if line := o.runFailing(1, "buyers", "edit", "practice buyer", "--url", "https://buyer.example.com/leads"); !strings.Contains(line, "the practice buyer has no other address") {
		t.Errorf("another address: %q", line)
	}
	held := p.submitFrom("305-555-0200")
	p.awaitStatus(p.submitFrom("305-555-0142"), "forwarded", 10*time.Second)
	p.awaitStatus(held, "collected", time.Second)
	if out := o.run("buyers", "list"); !strings.Contains(out, "active, practice") {
		t.Errorf("the list:\n%s", out)
	}
	if out := o.run("buyers", "show", "practice buyer"); !strings.Contains(out, "it takes only made-up numbers (555-01xx)") {
		t.Errorf("the buyer:\n%s", out)
	}
	if out := o.run("route", "--lead", held); !strings.Contains(out, "it is for practice and takes only made-up numbers (555-01xx)") {
		t.Errorf("the route of a normal number:\n%s", out)
	}
	if out := o.run("buyers", "test", "practice buyer", "--deliver"); !strings.Contains(out, "accept") {
		t.Errorf("tested: %s", out)
	}
	if out := o.run("db", "check"); !strings.Contains(out, "is sound") {
		t.Errorf("after all that:\n%s", out)
	}
}
