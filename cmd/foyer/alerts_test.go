package main_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
	"foyer/test/smtp"
)

// chat is the webhook of a chat, which keeps what it is told.
type chat struct {
	*httptest.Server
	mu   sync.Mutex
	told []string
}

func newChat(t *testing.T) *chat {
	c := &chat{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.told = append(c.told, string(body))
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *chat) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.told...)
}

// watchers are the processes on a database that look for alerts: two on PostgreSQL.
type watchers struct {
	cli
	folder  string
	flags   []string
	running []*process
	mails   *smtp.Server
	chat    *chat
}

func newWatchers(t *testing.T) *watchers {
	w := &watchers{folder: t.TempDir(), mails: smtp.Start(t), chat: newChat(t)}
	w.flags = []string{"--allow-private-buyers", "--smtp", "smtp://" + w.mails.Addr, "--mail-from", "foyer@example.com", "--base-url", "http://foyer.example.com"}
	w.t = t
	w.start()
	return w
}

func (w *watchers) start() {
	w.t.Helper()
	w.running = []*process{serve(w.t, w.folder, w.flags...)}
	w.database = w.running[0].Database
	if strings.HasPrefix(w.database, "postgres:") {
		w.running = append(w.running, serve(w.t, w.folder, w.flags...))
	}
}

// later stops the service, lets time pass, and starts it again: a process looks for alerts when it starts, if that is due.
func (w *watchers) later(d time.Duration) {
	w.t.Helper()
	for _, p := range w.running {
		p.Stop()
	}
	for _, statement := range []string{
		"UPDATE jobs SET finished_at = finished_at - %[1]d, until = 0 WHERE finished_at > 0",
		"UPDATE alert_states SET since = since - %[1]d, sent_at = sent_at - %[1]d WHERE sent_at > 0",
		"UPDATE alert_states SET cleared_at = cleared_at - %[1]d WHERE cleared_at > 0",
		"UPDATE alert_facts SET at = at - %[1]d",
		"UPDATE buyer_health SET open_until = open_until - %[1]d WHERE open_until > 0",
		"UPDATE deliveries SET due_at = due_at - %[1]d",
	} {
		storetest.MustExec(w.t, w.database, fmt.Sprintf(statement, d.Microseconds()))
	}
	w.start()
}

// await waits for the output of a command.
func (w *watchers) await(want string, command ...string) {
	w.t.Helper()
	for until := time.Now().Add(binary.Patience); ; time.Sleep(100 * time.Millisecond) {
		if out := w.run(command...); strings.Contains(out, want) {
			return
		} else if time.Now().After(until) {
			w.t.Fatalf("foyer %s has no %q:\n%s", strings.Join(command, " "), want, out)
		}
	}
}

// awaitMessages waits for as many mails and messages in the chat, and returns the last ones.
func (w *watchers) awaitMessages(n int) (mail, told string) {
	w.t.Helper()
	for until := time.Now().Add(binary.Patience); len(w.mails.Mails()) < n || len(w.chat.all()) < n; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			w.t.Fatalf("want %d of each:\n%s\n%s", n, strings.Join(w.mails.Mails(), "\n"), strings.Join(w.chat.all(), "\n"))
		}
	}
	mails, all := w.mails.Mails(), w.chat.all()
	return strings.ReplaceAll(mails[len(mails)-1], "=\n", ""), all[len(all)-1]
}

func (w *watchers) wants(what, got string, parts ...string) {
	w.t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			w.t.Errorf("%s has no %q:\n%s", what, part, got)
		}
	}
}

var wayID = regexp.MustCompile(`way_[a-z0-9]{10}`)

// addWays adds the ways of the story, and tries them.
func (w *watchers) addWays() (mail, chat string) {
	w.t.Helper()
	w.wants("no way", w.run("alerts", "ways"), "Nobody hears of alerts", "foyer alerts add makes a way")
	out := w.run("alerts", "add", "mail", "operations@example.com")
	mail = wayID.FindString(out)
	w.wants("added", out, mail+": alerts go to op…@example.com from now on. Try it with foyer alerts test "+mail+".\n")
	out = w.run("alerts", "add", "slack", w.chat.URL+"/services/T0/key", "--allow-private-buyers")
	chat = wayID.FindString(out)
	w.wants("the ways", w.run("alerts", "ways"), "WAY ", mail+"  mail   op…@example.com", chat+"  slack  "+w.chat.URL+"/…")
	w.wants("without a server", w.runFailing(1, "alerts", "test", mail), "this service has no mail server: set smtp and mail-from")
	w.wants("a test", w.run(append([]string{"alerts", "test", mail}, w.flags[:7]...)...), "A test message was sent to op…@example.com. Look whether it arrived.\n")
	w.wants("a test", w.run("alerts", "test", chat, "--allow-private-buyers"), "A test message was sent to "+w.chat.URL+"/….")
	w.wants("not an address", w.runFailing(1, "alerts", "add", "mail", "operations"), "<address>: this is not an address of mail")
	w.wants("twice", w.runFailing(1, "alerts", "add", "mail", "operations@example.com"), "alerts go there already")
	return mail, chat
}

// TestAlerts follows a buyer that dies and comes back: operators hear of both, by each way once.
func TestAlerts(t *testing.T) {
	storetest.Parallel(t)
	w := newWatchers(t)
	buyer := simBuyer(t, "--secret", buyersSecret, "--json")
	address := strings.TrimPrefix(buyer.url(), "http://")
	id, _ := w.addBuyer("--allow-private-buyers", "--name", "Cool Air", "--url", "http://"+address+"/leads", "--services", "hvac", "--secret", buyersSecret)
	mail, chat := w.addWays()
	w.wants("a rule", w.run("alerts", "edit", "buyer_down", "--threshold", "0", "--cooldown", "5"),
		"buyer_down is on: it fires when an active buyer has failed to answer several times in a row. After a message it is silent about the same thing for 5 minutes.\n")
	w.wants("the rules", w.run("alerts", "rules"), "RULE ", "buyer_down          yes  0 minutes   5 minutes  ", "error_leads         yes  1 lead ")
	w.wants("off", w.run("alerts", "edit", "backup_old", "--off"), "backup_old is off.\n")
	w.wants("no rule", w.runFailing(1, "alerts", "edit", "nonsense", "--off"), "There is no rule with this name. The rules are buyer_down, ")
	w.wants("nothing to change", w.runFailing(1, "alerts", "edit", "buyer_down"), "nothing to change")
	w.wants("nothing yet", w.run("alerts", "list"), "Nothing fires.")

	_ = buyer.cmd.Process.Kill()
	for i := range 6 {
		w.running[i%len(w.running)].submitFrom(fmt.Sprint("305-555-010", i))
	}
	w.await("active, not answering", "buyers", "list")
	w.later(time.Minute)
	text, told := w.awaitMessages(2)
	w.wants("the mail", text, "Subject: Foyer: Cool Air does not answer\n", "To: <operations@example.com>\n", "\nCool Air does not answer.\nIt failed to answer several times in a row.",
		"\nSince ", "\nhttp://foyer.example.com/console/buyers/"+id+"\n", "\nWhat you hear about, and how: http://foyer.example.com/console/settings/alerts\n")
	w.wants("the chat", told, `{"text":"Foyer: Cool Air does not answer. It failed`, "/console/buyers/"+id)
	w.wants("what fires", w.run("alerts", "list"), "SINCE ", "buyer_down  "+id+"  Cool Air does not answer")
	if status, _ := w.running[0].Get("/console/buyers/" + id); status != http.StatusSeeOther {
		t.Errorf("the page of the link answers %d, want that it asks who is there", status)
	}

	simBuyer(t, "--secret", buyersSecret, "--json", "--listen", address)
	w.later(4 * time.Minute) // within the cooldown
	w.running[0].awaitStatus(w.running[0].submitFrom("305-555-0111"), "forwarded", binary.Patience)
	w.await("active  ", "buyers", "list")
	w.later(time.Minute)
	w.await("Nothing fires.", "alerts", "list")
	w.later(2 * time.Minute)
	text, told = w.awaitMessages(3)
	w.wants("the mail", text, "Subject: Foyer: recovered: Cool Air answers again\n", "\nRecovered: Cool Air answers again.\nIt lasted for ", "\nIt began on ", "/console/buyers/"+id+"\n")
	w.wants("the chat", told, "Foyer: recovered: Cool Air answers again. It lasted for ")

	w.wants("removed", w.run("alerts", "remove", mail), mail+" is removed: nothing is sent to op…@example.com any more.\n")
	w.run("alerts", "remove", chat)
	w.wants("no way", w.run("alerts", "ways"), "Nobody hears of alerts")
	if mails, told := len(w.mails.Mails()), len(w.chat.all()); mails != 3 || told != 3 {
		t.Errorf("a test, an alert and its end are %d mails and %d messages in the chat:\n%s", mails, told, strings.Join(w.mails.Mails(), "\n"))
	}
}

// TestOldBackupFires wants an alert three days after the last foyer backup, until the next.
func TestOldBackupFires(t *testing.T) {
	storetest.Parallel(t)
	w := newWatchers(t)
	w.run("backup", filepath.Join(t.TempDir(), "copy.db"))
	w.later(72 * time.Hour)
	w.await("the newest backup is 3 days old", "alerts", "list")
	w.run("backup", filepath.Join(t.TempDir(), "copy.db"))
	w.later(time.Minute)
	w.await("Nothing fires.", "alerts", "list")
}
