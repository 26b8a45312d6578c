package pages

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"foyer/internal/alert"
	"foyer/internal/buyer"
	"foyer/internal/operator/alerts"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// messagesOnPage is how many messages are listed.
const messagesOnPage = 30

// alerts shows what fires now, how operators hear about it, and what they hear about.
func (v *visit) alerts() (view, error) {
	shown := view{Title: "Alerts", Above: []link{{"Settings", v.address("/settings")}}, Wide: true}
	firing, err := v.Operator.Alerts().Firing(v.ctx)
	if err != nil {
		return shown, err
	}
	ways, err := v.Operator.Alerts().Ways(v.ctx)
	if err != nil {
		return shown, err
	}
	messages, err := v.Operator.Alerts().Messages(v.ctx, messagesOnPage)
	if err != nil {
		return shown, err
	}
	rules, err := v.rulesPanel()
	if err != nil {
		return shown, err
	}
	shown.Lede = "Nothing fires."
	if n := len(firing); n > 0 {
		shown.Lede = terminal.Count(int64(n), "alert") + " now."
	}
	if len(ways) == 0 {
		shown.Parts = append(shown.Parts, notice{Tone: "wait", Text: noWays(v.may(owner))})
	}
	if v.result != nil {
		shown.Parts = append(shown.Parts, testedNotice(member(v.result, "failure")))
	}
	shown.Parts = append(shown.Parts, v.firingPanel(firing), v.waysPanel(ways), v.messagesPanel(messages, ways), rules)
	return shown, nil
}

// noWays says what to do so that somebody hears of alerts.
func noWays(mayAdd bool) string {
	if !mayAdd {
		return "Nobody hears of alerts yet: they only appear here and on Today. An owner can add a way, such as a mail address."
	}
	return "Nobody hears of alerts yet: they only appear here and on Today. Add a way below, such as your mail, and send a test. Mail needs a mail server: start the service with --smtp and --mail-from."
}

// firingPanel lists what fires, with links to what causes it.
func (v *visit) firingPanel(firing []alert.State) part {
	t := table{Caption: "Alerts now", Keys: true, Head: heads("Since", "What", "Why", "Last told"), Empty: "No alert now. The service looks every minute."}
	for _, s := range firing {
		href := v.address(s.Path)
		told := when(s.SentAt)
		if s.SentAt.IsZero() {
			told = soft("not yet")
		}
		t.Rows = append(t.Rows, row{[]cell{when(s.Since), to(alert.Sentence(s.Title), href), soft(s.Text), told}, href})
	}
	return panel{Title: "Fires now", Broad: true, Parts: []part{t}}
}

// todayKinds are the rules that Today shows, with their tags. It has lines of its own for leads in error, returns, privacy, and buyers that
// are not asked.
var todayKinds = map[alert.Name]string{
	alert.NoSale: "no sale", alert.AcceptanceDropped: "accepts less", alert.CapNear: "cap", alert.BalanceNear: "money", alert.IntakeErrors: "requests fail",
	alert.DiskFull: "disk", alert.BackupOld: "backup", alert.CertificateEnds: "certificate",
}

// onToday returns the tag of an alert on Today, or "" if that says the same already.
func onToday(s alert.State, buyers []query.Summary) string {
	listed := slices.ContainsFunc(buyers, func(b query.Summary) bool { return b.ID == s.Subject && b.NoRoom.Rule == buyer.RuleBalance })
	if s.Rule == alert.BalanceNear && listed {
		return ""
	}
	return todayKinds[s.Rule]
}

// watched says what alerts about the machines look at, for the page that they link to.
func (v *visit) watched() (part, error) {
	var reported []store.AlertFact
	if err := v.read(func(tx *store.Tx) (err error) { reported, err = tx.Alerts().Facts(); return err }); err != nil {
		return nil, err
	}
	list := facts{{Name: "When something breaks", Text: "Alerts tell you: by mail, in a chat, or to a program", Href: v.address("/settings/alerts")}}
	for _, f := range reported {
		current := v.Now().Sub(f.At) < store.FactCounts
		switch {
		case f.Name == store.FactIntakeErrors && current:
			list = append(list, fact{Name: "Failed requests in ten minutes, " + alert.Clean(f.Subject), Text: terminal.Number(f.Value)})
		case f.Name == store.FactDiskFree && current:
			list = append(list, fact{Name: "Free disk space, " + alert.Clean(f.Subject), Text: fmt.Sprint(f.Value, " %")})
		case f.Name == store.FactBackup:
			list = append(list, fact{Name: "Newest foyer backup", At: f.At})
		case f.Name == store.FactCertificate && f.Value > 0:
			list = append(list, fact{Name: "Certificate ends, " + alert.Clean(f.Subject), At: time.Unix(f.Value, 0)})
		}
	}
	return panel{Title: "What alerts look at", Parts: []part{list}}, nil
}

// testedNotice says what became of a test.
func testedNotice(failure any) part {
	if text, failed := failure.(*string); failed && text != nil {
		return notice{Tone: "stop", Text: "The test was not sent: " + short(*text) + "."}
	}
	return notice{Tone: "good", Text: "The test was sent. Look whether it arrived."}
}

var wayNames = map[alert.WayKind]string{alert.Mail: "Mail", alert.Slack: "Chat", alert.Event: "Signed events"}

// waysPanel lists the ways, each with a test.
func (v *visit) waysPanel(ways []alert.Way) part {
	t := table{Caption: "Ways", Head: heads("Way", "Kind", "Address", "Added", "By"), Empty: "Alerts are sent to nobody yet."}
	names := namesOf(ways)
	parts := []part{}
	asked := v.r.PathValue("way_id")
	for _, w := range ways {
		t.Rows = append(t.Rows, row{Cells: []cell{tight(text(w.ID)), text(wayNames[w.Kind]), text(w.Shown()), when(w.CreatedAt), soft(w.CreatedBy)}})
		v.r.SetPathValue("way_id", w.ID)
		if v.may(operates) {
			parts = append(parts, v.ownForm(w.ID, asked, "/settings/alerts/ways/{way_id}/test", form{Submit: "Send a test to " + names[w.ID], Row: true, Plain: true, Inputs: []input{}}, nil))
		}
	}
	for _, w := range ways {
		v.r.SetPathValue("way_id", w.ID)
		if v.may(owner) {
			parts = append(parts, v.ownForm(w.ID, asked, "/settings/alerts/ways/{way_id}/remove", form{Title: "Remove " + names[w.ID], Submit: "Remove", Danger: true, What: "Nothing is sent there any more.", Confirm: "Remove " + names[w.ID] + ". It has to be added again to be used.", Inputs: []input{}}, nil))
		}
	}
	if v.may(owner) {
		f := v.formFor("/settings/alerts/ways/add", form{Title: "Add a way", Submit: "Add", What: "Alerts hold no personal data. A webhook of Slack or Mattermost is slack; event is for a program, and signed.", Open: len(ways) == 0}, map[string]string{"kind": string(alert.Mail)})
		f.Open = f.Open || len(ways) == 0
		parts = append(parts, f)
	}
	return panel{Title: "How you hear about it", Broad: true, Parts: append([]part{t}, parts...)}
}

// namesOf tells ways apart: several to one host look the same, because the rest of their addresses is a secret.
func namesOf(ways []alert.Way) map[string]string {
	shown, names := make(map[string]int), make(map[string]string)
	for _, w := range ways {
		shown[w.Shown()]++
	}
	for _, w := range ways {
		if names[w.ID] = w.Shown(); shown[w.Shown()] > 1 {
			names[w.ID] += " (" + w.ID + ")"
		}
	}
	return names
}

// ownForm is the form of one of several things on a page: what was refused is shown with the thing that it was sent for.
func (v *visit) ownForm(id, asked, path string, f form, values map[string]string) form {
	refused := v.refused
	if id != asked {
		v.refused = ""
	}
	f = v.formFor(path, f, values)
	v.refused = refused
	for i := range f.Inputs {
		f.Inputs[i].ID += "-" + id
	}
	return f
}

// messagesPanel lists what was said, and whether it was delivered.
func (v *visit) messagesPanel(messages []store.AlertMessage, ways []alert.Way) part {
	names := namesOf(ways)
	t := table{Caption: "Messages", Head: heads("When", "What", "To", "State", "Why not"), Empty: "No message was sent yet."}
	for _, m := range messages {
		what := alert.Sentence(m.Title)
		switch m.Kind {
		case alert.Recovered:
			what = "Recovered: " + m.Title
		case alert.Reminder:
			what = "Still: " + m.Title
		}
		sentTo := names[m.Way]
		if sentTo == "" {
			sentTo = "a way that was removed"
		}
		state := map[string]cell{"sent": tagged("sent", "good"), "waiting": tagged("tried "+terminal.Count(int64(m.Attempts), "time"), "wait"), "given_up": tagged("given up", "stop")}[report.AlertMessageState(m)]
		if m.Attempts == 0 && !m.NextAt.IsZero() {
			state = tagged("waiting", "soft")
		}
		t.Rows = append(t.Rows, row{Cells: []cell{when(m.At), to(what, v.address(m.Path)), soft(sentTo), state, soft(m.Failure)}})
	}
	return panel{Title: "Messages", Broad: true, Parts: []part{t}}
}

// rulesPanel lists the rules, each with a form.
func (v *visit) rulesPanel() (part, error) {
	rules, err := v.Operator.Alerts().Rules(v.ctx)
	if err != nil {
		return nil, err
	}
	t := table{Caption: "Rules", Head: heads("Rule", "Fires when", "Silent for", "State")} // for those who cannot change them
	parts := []part{}
	asked := v.r.PathValue("rule")
	for _, r := range rules {
		state := tagged("on", "good")
		if !r.On {
			state = tagged("off", "soft")
		}
		t.Rows = append(t.Rows, row{Cells: []cell{text(r.Title), {Text: alert.Sentence(r.Fires(r.Setting.Threshold)) + "."}, tight(text(alert.Period(r.Setting.Cooldown))), state}})
		if v.may(operates) {
			parts = append(parts, v.ruleForm(r, asked))
		}
	}
	if len(parts) == 0 {
		parts = []part{t}
	}
	return panel{Title: "What you hear about", Broad: true, Note: "After a message, a rule is silent about the same thing for a while; then it reminds. Once it is over, one message says so.", Parts: parts}, nil
}

func (v *visit) ruleForm(r alerts.Rule, asked string) part {
	v.r.SetPathValue("rule", string(r.Name))
	typed := ruleTexts(r)
	f := form{Title: ruleTitle(r), Submit: "Change", What: "It fires when " + r.Fires(r.Setting.Threshold) + ".", Hidden: []pair{{"seen", fingerprint(typed)}}}
	f.Inputs = inputsOf("editAlertRule", map[string]string{"on": typed["on"], "threshold": typed["threshold"], "cooldown_minutes": typed["cooldown"]})
	f = v.ownForm(string(r.Name), asked, "/settings/alerts/rules/{rule}/edit", f, nil)
	for i, in := range f.Inputs {
		switch in.Name {
		case "on":
			f.Inputs[i].Label = "It is on"
			f.Inputs[i].Help = ""
		case "threshold":
			f.Inputs[i].Label = alert.Sentence(r.Unit)
			f.Inputs[i].Help = fmt.Sprintf("%d to %d.", r.Min, r.Max)
		case "cooldown_minutes":
			f.Inputs[i].Label = "Silent for, in minutes"
		}
	}
	return f
}

// ruleTitle is a rule and its setting in a line.
func ruleTitle(r alerts.Rule) string {
	if !r.On {
		return r.Title + ": off"
	}
	return fmt.Sprintf("%s: %s, then silent for %s", r.Title, r.Amount(r.Setting.Threshold), alert.Period(r.Setting.Cooldown))
}

// ruleTexts is the setting of a rule as its form has it.
func ruleTexts(r alerts.Rule) map[string]string {
	return map[string]string{"on": strconv.FormatBool(r.On), "threshold": strconv.Itoa(r.Setting.Threshold), "cooldown": strconv.Itoa(int(r.Setting.Cooldown.Minutes()))}
}

// editRule changes what differs from the setting that the form showed.
func (v *visit) editRule() error {
	rules, err := v.Operator.Alerts().Rules(v.ctx)
	if err != nil {
		return err
	}
	name := v.r.PathValue("rule")
	for _, r := range rules {
		if string(r.Name) != name {
			continue
		}
		changed, err := v.changed("editAlertRule", ruleTexts(r))
		if err != nil {
			return err
		}
		_, err = v.API.Do(v.ctx, v.caller(), "editAlertRule", map[string]string{"rule": name}, changed, v.form.Get("once"))
		return err
	}
	return errNoPage
}
