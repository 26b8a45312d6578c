package alert_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/buyer"
)

var noon = time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

const hour, day = time.Hour, 24 * time.Hour

// acme is a buyer to whom a test does something.
func acme(change func(*alert.Buyer)) alert.Facts {
	b := alert.Buyer{ID: "buyer_1", Name: "Acme", State: buyer.Active}
	change(&b)
	return alert.Facts{Buyers: []alert.Buyer{b}}
}

func machine(m alert.Machine) alert.Facts { return alert.Facts{Machines: []alert.Machine{m}} }

// TestAlertRules shows for each rule what fires with the default settings, and what does not.
func TestAlertRules(t *testing.T) {
	down := func(b *alert.Buyer) { b.Down = true }
	fired := map[alert.Name]bool{}
	for _, c := range []struct {
		name  string
		facts alert.Facts
		want  string // the rule, the subject and the title; "" if nothing fires
	}{
		{"nothing happens", alert.Facts{}, ""},
		{"a buyer fails", acme(down), "buyer_down buyer_1: Acme does not answer"},
		{"the practice buyer fails", acme(func(b *alert.Buyer) { b.Down, b.Practice = true, true }), ""},
		{"a buyer in test fails", acme(func(b *alert.Buyer) { b.Down, b.State = true, buyer.Testing }), ""},
		{"a removed buyer fails", acme(func(b *alert.Buyer) { b.Down, b.State = true, buyer.Removed }), ""},
		{"the service paused a buyer", acme(func(b *alert.Buyer) { b.State, b.ByService, b.StoppedAt = buyer.Paused, true, noon }), "buyer_paused buyer_1: Acme was paused by the service"},
		{"an operator paused a buyer a minute ago", acme(func(b *alert.Buyer) { b.State, b.StoppedAt = buyer.Paused, ago(time.Minute) }), ""},
		{"an operator paused a buyer yesterday", acme(func(b *alert.Buyer) { b.State, b.StoppedAt = buyer.Paused, ago(25*hour) }), "buyer_paused buyer_1: Acme is still paused"},
		{"a buyer is gone", acme(func(b *alert.Buyer) { b.State, b.ByService = buyer.Off, true }), "buyer_paused buyer_1: Acme is off"},
		{"a buyer that is down is paused", acme(func(b *alert.Buyer) { b.Down, b.State, b.StoppedAt = true, buyer.Paused, noon }), ""},
		{"acceptance fell by half", acme(func(b *alert.Buyer) { b.Recent, b.Before = alert.Accepted{20, 8}, alert.Accepted{100, 80} }), "acceptance_dropped buyer_1: Acme accepts fewer leads"},
		{"acceptance fell a little", acme(func(b *alert.Buyer) { b.Recent, b.Before = alert.Accepted{20, 9}, alert.Accepted{100, 80} }), ""},
		{"too few offers to tell", acme(func(b *alert.Buyer) { b.Recent, b.Before = alert.Accepted{19, 0}, alert.Accepted{100, 80} }), ""},
		{"too few offers before", acme(func(b *alert.Buyer) { b.Recent, b.Before = alert.Accepted{100, 0}, alert.Accepted{19, 19} }), ""},
		{"it never accepted", acme(func(b *alert.Buyer) { b.Recent, b.Before = alert.Accepted{100, 0}, alert.Accepted{100, 0} }), ""},
		{"a cap is nearly used", acme(func(b *alert.Buyer) { b.Caps = []alert.Cap{{"all time", 1, 0}, {"the month", 90, 100}} }), "cap_near buyer_1: Acme has nearly used up a cap"},
		{"a cap is used up", acme(func(b *alert.Buyer) { b.Caps = []alert.Cap{{"the month", 100, 100}} }), "cap_near buyer_1: Acme has used up a cap"},
		{"a cap has room", acme(func(b *alert.Buyer) { b.Caps = []alert.Cap{{"the month", 89, 100}} }), ""},
		{"a balance lasts for two days", acme(func(b *alert.Buyer) { b.HasBalance, b.Left, b.Week, b.Price = true, 200_00, 700_00, 45_00 }), "balance_near buyer_1: The balance of Acme runs out"},
		{"a balance lasts for three days", acme(func(b *alert.Buyer) { b.HasBalance, b.Left, b.Week, b.Price = true, 300_00, 700_00, 45_00 }), ""},
		{"a balance pays for no lead", acme(func(b *alert.Buyer) { b.HasBalance, b.Left, b.Price = true, 44_99, 45_00 }), "balance_near buyer_1: The balance of Acme is used up"},
		{"a balance that nobody uses", acme(func(b *alert.Buyer) { b.HasBalance, b.Left, b.Price = true, 45_00, 45_00 }), ""},
		{"a buyer without a balance", acme(func(b *alert.Buyer) { b.Left, b.Week = 0, 700_00 }), ""},
		{"nothing is sold", alert.Facts{Offers: alert.Offers{Since: ago(4 * hour), N: 5}}, "no_sale : no lead was sold for 4 hours"},
		{"nothing is sold, since a while", alert.Facts{Offers: alert.Offers{Since: ago(3 * hour), N: 50}}, ""},
		{"a quiet night", alert.Facts{Offers: alert.Offers{Since: ago(9 * hour), N: 4}}, ""},
		{"a lead is in error", alert.Facts{Errors: alert.Count{N: 1}}, "error_leads : 1 lead in error"},
		{"many leads are in error", alert.Facts{Errors: alert.Count{N: alert.CountLimit}}, "error_leads : 100 or more leads in error"},
		{"a return waits", alert.Facts{Returns: alert.Count{1, ago(24 * hour)}}, "return_waiting : 1 return waits for a decision"},
		{"returns wait, since an hour", alert.Facts{Returns: alert.Count{3, ago(hour)}}, ""},
		{"privacy requests wait", alert.Facts{Privacy: alert.Count{2, ago(3 * day)}, PrivacyDue: noon.Add(9 * day)}, "privacy_waiting : 2 privacy requests are open"},
		{"a privacy request is due", alert.Facts{Privacy: alert.Count{1, noon}, PrivacyDue: noon.Add(71 * hour)}, "privacy_due : a privacy request is due in 2 days"},
		{"a privacy request is overdue", alert.Facts{Privacy: alert.Count{1, noon}, PrivacyDue: ago(hour)}, "privacy_due : a privacy request is overdue"},
		{"a privacy request has time", alert.Facts{Privacy: alert.Count{1, noon}, PrivacyDue: noon.Add(72 * hour)}, ""},
		{"a privacy request came", alert.Facts{Privacy: alert.Count{1, ago(day)}, PrivacyDue: noon.Add(9 * day)}, ""},
		{"requests fail", machine(alert.Machine{"web1", 3, -1}), "intake_errors web1: requests fail on web1"},
		{"two requests failed", machine(alert.Machine{"web1", 2, 10}), ""},
		{"the disk is nearly full", machine(alert.Machine{"web1", 0, 9}), "disk_full web1: the disk of web1 is nearly full"},
		{"the database is elsewhere", machine(alert.Machine{"web1", 0, -1}), ""},
		{"the backup is old", alert.Facts{Backup: ago(50 * hour)}, "backup_old : the newest backup is 2 days old"},
		{"a backup was made", alert.Facts{Backup: ago(47 * hour)}, ""},
		{"the certificate ends", alert.Facts{Certificate: noon.Add(13 * day), Host: "foyer.example.com"}, "certificate_ends : the certificate ends in 13 days"},
		{"the certificate has ended", alert.Facts{Certificate: ago(hour), Host: "foyer.example.com"}, "certificate_ends : the certificate has ended"},
		{"the certificate is new", alert.Facts{Certificate: noon.Add(14 * day)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, f := range alert.Evaluate(c.facts, nil, noon) {
				fired[f.Rule] = true
				got += string(f.Rule) + " " + f.Subject + ": " + f.Title
				if f.Text == "" || !strings.HasSuffix(f.Text, ".") || !strings.HasPrefix(f.Path, "/") {
					t.Errorf("it says %q, and links to %q", f.Text, f.Path)
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	for _, r := range alert.Rules {
		if !fired[r.Name] {
			t.Errorf("nothing here makes %s fire", r.Name)
		}
	}
}

func TestSettings(t *testing.T) {
	facts := alert.Facts{Errors: alert.Count{N: 3}}
	for threshold, fires := range map[int]bool{1: true, 3: true, 4: false} {
		s := alert.Settings{alert.ErrorLeads: {On: true, Threshold: threshold, Cooldown: hour}}
		if got := len(alert.Evaluate(facts, s, noon)) > 0; got != fires {
			t.Errorf("with the threshold %d it fires: %v", threshold, got)
		}
	}
	if found := alert.Evaluate(facts, alert.Settings{alert.ErrorLeads: {Threshold: 1}}, noon); len(found) > 0 {
		t.Errorf("a rule that is off fires: %+v", found)
	}
	for _, r := range alert.Rules {
		if r.Check(r.Threshold) != nil || r.Check(r.Min-1) == nil || r.Check(r.Max+1) == nil || alert.CheckCooldown(r.Cooldown) != nil {
			t.Errorf("%s: its own threshold, or its bounds, are wrong", r.Name)
		}
		if text := r.Fires(42); !strings.Contains(text, "42 ") || strings.Contains(text, "N ") {
			t.Errorf("%s fires when %s", r.Name, text)
		}
	}
}

// TestWordsOfRules wants words that fit the number.
func TestWordsOfRules(t *testing.T) {
	for _, c := range []struct {
		rule          alert.Name
		threshold     int
		amount, fires string
	}{
		{alert.BuyerDown, 5, "5 minutes", "an active buyer has failed to answer several times in a row, for 5 minutes"},
		{alert.BuyerDown, 1, "1 minute", "an active buyer has failed to answer several times in a row, for 1 minute"},
		{alert.BuyerDown, 0, "0 minutes", "an active buyer has failed to answer several times in a row"},
		{alert.ErrorLeads, 1, "1 lead", "the number of leads in error is 1 or more"},
		{alert.IntakeErrors, 1, "1 request", "1 request or more could not be taken in within the last ten minutes, on one machine"},
		{alert.DiskFull, 1, "1 percent", "less than 1 percent of the disk with the database is free"},
	} {
		r, _ := alert.Find(c.rule)
		if amount, fires := r.Amount(c.threshold), r.Fires(c.threshold); amount != c.amount || fires != c.fires {
			t.Errorf("%s with %d: %q, fires when %q", c.rule, c.threshold, amount, fires)
		}
	}
	for n, want := range map[int]string{1: "1 lead in error. It is not sent", 2: "2 leads in error. They are not sent", 100: "100 or more leads in error. They"} {
		found := alert.Evaluate(alert.Facts{Errors: alert.Count{N: n}}, nil, noon)
		if len(found) != 1 || !strings.HasPrefix(found[0].Title+". "+found[0].Text, want) {
			t.Errorf("%d leads in error: %+v", n, found)
		}
	}
}

// TestHostileNames wants names on one line, without signs that turn the text around, and not too long.
func TestHostileNames(t *testing.T) {
	name := "Acme\r\nBcc: all@example.com\x00\u202egnp.exe\u2066 <b>&\xff" + strings.Repeat("x", 10_000)
	facts := acme(func(b *alert.Buyer) { b.Name, b.Down = name, true })
	found := alert.Evaluate(facts, nil, noon)
	want := "Acme Bcc: all@example.com gnp.exe <b>&xxxxxxxxxxxxxxxxxxxxx… does not answer"
	if len(found) != 1 || found[0].Title != want {
		t.Errorf("got %+v, want the title %q", found, want)
	}
	facts.Buyers[0].Name = "\u202e\r\n"
	if found := alert.Evaluate(facts, nil, noon); found[0].Title != "buyer_1 does not answer" {
		t.Errorf("a name without a letter: %q", found[0].Title)
	}
}

func TestWaysAreShownWithoutSecrets(t *testing.T) {
	for address, want := range map[alert.Way]string{
		{Kind: alert.Mail, Address: "operations@example.com"}:                 "op…@example.com",
		{Kind: alert.Mail, Address: "me@example.com"}:                         "me@example.com",
		{Kind: alert.Slack, Address: "https://hooks.example.com/services/T0"}: "https://hooks.example.com/…",
		{Kind: alert.Event, Address: ":"}:                                     "…",
	} {
		if got := address.Shown(); got != want {
			t.Errorf("%s is shown as %s, want %s", address.Address, got, want)
		}
	}
}

// TestRetry wants an hour between attempts at most, and none after a day.
func TestRetry(t *testing.T) {
	at, attempts, longest := noon, 0, time.Duration(0)
	for {
		attempts++
		wait, again := alert.Retry(attempts, noon, at)
		if longest = max(longest, wait); !again {
			break
		}
		at = at.Add(wait)
	}
	if longest != hour || at.Sub(noon) < 22*hour || at.Sub(noon) > day || attempts < 25 || attempts > 40 {
		t.Errorf("%d attempts until %v, %v apart at most", attempts, at.Sub(noon), longest)
	}
}
