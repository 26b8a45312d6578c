package pages_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/terminal"
	"foyer/test/smtp"
)

var (
	testForm = regexp.MustCompile(`action="/console(/settings/alerts/ways/[^"]+/test)"`)
	ruleForm = regexp.MustCompile(`(?s)action="/console/settings/alerts/rules/buyer_down/edit".*?</form>`)
	fieldOf  = regexp.MustCompile(`<input[^>]* name="([^"]+)"[^>]*>`)
	valueOf  = regexp.MustCompile(` value="([^"]*)"`)
)

// TestAlertsPage adds a way, tests it with a mail server that refuses and then takes mail, and changes a rule.
func TestAlertsPage(t *testing.T) {
	server := smtp.Start(t)
	s := apptest.Start(t, "--smtp", "smtp://"+server.Addr, "--mail-from", "foyer@example.com")
	owner := visitAs(t, s, store.RoleOwner)
	const page = "/console/settings/alerts"
	if body := owner.get(page); !strings.Contains(body, "Nobody hears of alerts yet") {
		t.Error("the page does not say what to do first")
	}
	owner.wants("no address", owner.post("/settings/alerts/ways/add", "kind", "mail", "address", "ops"), http.StatusUnprocessableEntity, "not an address of mail")
	owner.wants("adding a way", owner.post("/settings/alerts/ways/add", "kind", "mail", "address", "operations@example.com"), http.StatusSeeOther)
	body := owner.get(page)
	test := testForm.FindStringSubmatch(body)
	if test == nil || !strings.Contains(body, "op…@example.com") || strings.Contains(body, "operations@") {
		t.Fatalf("the way is not on the page, or its whole address is:\n%s", body)
	}
	server.SetRefuse("550 5.1.1 nobody here")
	owner.wants("a test that is refused", owner.post(test[1]), http.StatusOK, "The test was not sent", "nobody here")
	server.SetRefuse("")
	owner.wants("a test", owner.post(test[1]), http.StatusOK, "The test was sent")
	if mails := server.Mails(); len(mails) != 1 || !strings.Contains(mails[0], "Subject: Foyer: this is a test") {
		t.Errorf("the mails: %q", mails)
	}
	// edit sends the form of a rule as a browser would, with some fields changed; "" leaves one out, as a box that is not ticked.
	edit := func(changed map[string]string) apptest.Reply {
		var sent []string
		for _, field := range fieldOf.FindAllStringSubmatch(ruleForm.FindString(owner.get(page)), -1) {
			value := ""
			if m := valueOf.FindStringSubmatch(field[0]); m != nil {
				value = m[1]
			}
			if other, known := changed[field[1]]; known {
				delete(changed, field[1])
				if value = other; value == "" {
					continue
				}
			}
			sent = append(sent, field[1], value)
		}
		if len(changed) > 0 {
			t.Errorf("the form of the rule has no %v", changed)
		}
		return owner.post("/settings/alerts/rules/buyer_down/edit", sent...)
	}
	owner.wants("nonsense", edit(map[string]string{"threshold": "99999", "cooldown_minutes": "60"}), http.StatusUnprocessableEntity, "99999 is not possible")
	owner.wants("nothing", edit(map[string]string{}), http.StatusUnprocessableEntity, "Nothing was changed")
	owner.wants("a change", edit(map[string]string{"on": "", "threshold": "7", "cooldown_minutes": "60"}), http.StatusSeeOther)
	if body := owner.get(page); !strings.Contains(body, "A buyer does not answer: off") {
		t.Error("the rule is not off")
	}
	st := s.OpenStore(t)
	if err := st.Update(t.Context(), func(tx *store.Tx) error { return storetest.AddAlert(tx, storetest.Noon) }); err != nil {
		t.Fatal(err)
	}
	body = owner.get(page)
	firing := firesNow.FindString(body)
	n := strings.Count(firing, "<tr data-href") // the machine of the test may have one of its own, such as a full disk
	if !strings.Contains(firing, `href="/console/buyers/buyer_1"`) || !strings.Contains(body, terminal.Count(int64(n), "alert")+" now.") {
		t.Errorf("what fires is not on the page, or not counted:\n%s", body)
	}
	viewer := visitAs(t, s, store.RoleViewer).get(page)
	if strings.Contains(viewer, "/settings/alerts/ways") || strings.Contains(viewer, "/rules/") || !strings.Contains(viewer, "Cool Air does not answer") {
		t.Errorf("a viewer sees:\n%s", viewer)
	}
}

var (
	firesNow     = regexp.MustCompile(`(?s)<h2>Fires now</h2>.*?</section>`)
	waitingPanel = regexp.MustCompile(`(?s)<h2>Needs you</h2>.*?</section>`)
)

// TestTodayShowsWhatFires wants each rule that Today has no line of its own for, with a link to the cause, and no other.
func TestTodayShowsWhatFires(t *testing.T) {
	s := apptest.Start(t)
	person := visitAs(t, s, store.RoleViewer)
	var all []alert.State
	shown := map[alert.Name]bool{
		alert.NoSale: true, alert.AcceptanceDropped: true, alert.CapNear: true, alert.BalanceNear: true, alert.IntakeErrors: true, alert.DiskFull: true, alert.BackupOld: true,
		alert.CertificateEnds: true, alert.BuyerDown: false, alert.BuyerPaused: false, alert.ErrorLeads: false, alert.ReturnWaiting: false, alert.PrivacyWaiting: false, alert.PrivacyDue: false,
	}
	for _, r := range alert.Rules {
		if _, decided := shown[r.Name]; !decided {
			t.Errorf("does Today show %s?", r.Name)
		}
		all = append(all, alert.State{Rule: r.Name, Subject: "buyer_1", Title: "the title of " + string(r.Name), Path: "/cause/" + string(r.Name), Since: storetest.Noon})
	}
	over := alert.State{Rule: alert.NoSale, Subject: "over", Title: "it is over", Path: "/over", Since: storetest.Noon, Cleared: storetest.Noon}
	if err := s.OpenStore(t).Update(t.Context(), func(tx *store.Tx) error { return tx.Alerts().PutStates(nil, append(all, over)) }); err != nil {
		t.Fatal(err)
	}
	panel := waitingPanel.FindString(person.get("/console"))
	if panel == "" {
		t.Fatal("Today has no panel of what needs somebody")
	}
	for rule, is := range shown {
		link, title := fmt.Sprintf(`href="/console/cause/%s"`, rule), fmt.Sprintf("The title of %s<", rule)
		if got := strings.Contains(panel, link) && strings.Contains(panel, title); got != is {
			t.Errorf("%s is shown: %v, want %v\n%s", rule, got, is, panel)
		}
	}
	last := -1
	for _, rule := range []alert.Name{alert.DiskFull, alert.IntakeErrors, alert.NoSale, alert.BackupOld} {
		at := strings.Index(panel, "/console/cause/"+string(rule))
		if at < last {
			t.Errorf("%s is not after what is more urgent", rule)
		}
		last = at
	}
	if strings.Count(panel, `data-tone="stop"`) != 3 || !strings.Contains(panel, "data-rows") {
		t.Errorf("what is urgent does not stand out, or j and k do not move:\n%s", panel)
	}
	if strings.Contains(panel, "/console/over") {
		t.Error("what is over is shown")
	}
}

// TestHealthShowsWhatAlertsLookAt wants the causes on the page that alerts about machines link to, and where to hear of them.
func TestHealthShowsWhatAlertsLookAt(t *testing.T) {
	s := apptest.Start(t)
	at := time.Now()
	if err := s.OpenStore(t).Update(t.Context(), func(tx *store.Tx) error {
		for _, f := range []store.AlertFact{
			{Name: store.FactDiskFree, Subject: "one", At: at, Value: 4},
			{Name: store.FactIntakeErrors, Subject: "one", At: at, Value: 17},
			{Name: store.FactDiskFree, Subject: "gone", At: at.Add(-time.Hour), Value: 5},
			{Name: store.FactBackup, At: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)},
			{Name: store.FactCertificate, Subject: "foyer.example.com", At: at, Value: time.Date(2027, 8, 9, 10, 11, 0, 0, time.UTC).Unix()},
		} {
			if err := tx.Alerts().PutFact(f); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	body := visitAs(t, s, store.RoleViewer).get("/console/health")
	for _, want := range []string{`href="/console/settings/alerts"`, "When something breaks", "Free disk space, one</dt><dd><bdi>4 %<", "Failed requests in ten minutes, one</dt><dd><bdi>17<", "2026-03-04T05:06:00Z", "2027-08-09T10:11:00Z"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(body, "space, gone") {
		t.Error("a machine that is gone is shown")
	}
}
