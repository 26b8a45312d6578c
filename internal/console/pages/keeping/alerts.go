package keeping

import (
	"fmt"
	"strconv"
	"time"

	"foyer/internal/alert"
	"foyer/internal/console/pages/page"
	"foyer/internal/operator/alerts"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// messagesOnPage is how many messages are listed.
const messagesOnPage = 30

// Alerts shows what fires now, how operators hear about it, and what they hear about.
func Alerts(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Alerts", Above: []page.Link{{Text: "Settings", Href: v.Address("/settings")}}, Wide: true}
	firing, err := v.Operator.Alerts().Firing(v.Ctx)
	if err != nil {
		return shown, err
	}
	ways, err := v.Operator.Alerts().Ways(v.Ctx)
	if err != nil {
		return shown, err
	}
	messages, err := v.Operator.Alerts().Messages(v.Ctx, messagesOnPage)
	if err != nil {
		return shown, err
	}
	rules, err := rulesPanel(v)
	if err != nil {
		return shown, err
	}
	shown.Lede = "Nothing fires."
	if n := len(firing); n > 0 {
		shown.Lede = terminal.Count(int64(n), "alert") + " now."
	}
	if len(ways) == 0 {
		shown.Parts = append(shown.Parts, page.Notice{Tone: "wait", Text: noWays(v.May(store.RoleOwner))})
	}
	if v.Result != nil {
		shown.Parts = append(shown.Parts, testedNotice(page.MemberOf(v.Result, "failure")))
	}
	shown.Parts = append(shown.Parts, firingPanel(v, firing), waysPanel(v, ways), messagesPanel(v, messages, ways), rules)
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
func firingPanel(v *page.Visit, firing []alert.State) page.Part {
	t := page.Table{Caption: "Alerts now", Keys: true, Head: page.Heads("Since", "What", "Why", "Last told"), Empty: "No alert now. The service looks every minute."}
	for _, s := range firing {
		href := v.Address(s.Path)
		told := page.When(s.SentAt)
		if s.SentAt.IsZero() {
			told = page.Soft("not yet")
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(s.Since), page.To(alert.Sentence(s.Title), href), page.Soft(s.Text), told}, Href: href})
	}
	return page.Panel{Title: "Fires now", Broad: true, Parts: []page.Part{t}}
}

// watchedPanel says what alerts about the machines look at, for the page that they link to.
func watchedPanel(v *page.Visit) (page.Part, error) {
	var reported []store.AlertFact
	if err := v.Read(func(tx *store.Tx) (err error) { reported, err = tx.Alerts().Facts(); return err }); err != nil {
		return nil, err
	}
	list := page.Facts{{Name: "When something breaks", Text: "Alerts tell you: by mail, in a chat, or to a program", Href: v.Address("/settings/alerts")}}
	for _, f := range reported {
		current := v.Now().Sub(f.At) < store.FactMaxAge
		switch {
		case f.Name == store.FactIntakeErrors && current:
			list = append(list, page.Fact{Name: "Failed requests in ten minutes, " + alert.Clean(f.Subject), Text: terminal.Number(f.Value)})
		case f.Name == store.FactDiskFree && current:
			list = append(list, page.Fact{Name: "Free disk space, " + alert.Clean(f.Subject), Text: fmt.Sprint(f.Value, " %")})
		case f.Name == store.FactBackup:
			list = append(list, page.Fact{Name: "Newest foyer backup", At: f.At})
		case f.Name == store.FactCertificate && f.Value > 0:
			list = append(list, page.Fact{Name: "Certificate ends, " + alert.Clean(f.Subject), At: time.Unix(f.Value, 0)})
		}
	}
	return page.Panel{Title: "What alerts look at", Parts: []page.Part{list}}, nil
}

// testedNotice says what became of a test.
func testedNotice(failure any) page.Part {
	if text, failed := failure.(*string); failed && text != nil {
		return page.Notice{Tone: "stop", Text: "The test was not sent: " + page.Short(*text) + "."}
	}
	return page.Notice{Tone: "good", Text: "The test was sent. Look whether it arrived."}
}

var wayNames = map[alert.WayKind]string{alert.Mail: "Mail", alert.Slack: "Chat", alert.Event: "Signed events"}

// waysPanel lists the ways, each with a test.
func waysPanel(v *page.Visit, ways []alert.Way) page.Part {
	t := page.Table{Caption: "Ways", Head: page.Heads("Way", "Kind", "Address", "Added", "By"), Empty: "Alerts are sent to nobody yet."}
	names := namesOf(ways)
	parts := []page.Part{}
	asked := v.R.PathValue("way_id")
	for _, w := range ways {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Tight(page.Text(w.ID)), page.Text(wayNames[w.Kind]), page.Text(w.Shown()), page.When(w.CreatedAt), page.Soft(w.CreatedBy)}})
		v.R.SetPathValue("way_id", w.ID)
		if v.May(store.RoleOperator) {
			parts = append(parts, v.OwnForm(w.ID, asked, "/settings/alerts/ways/{way_id}/test", page.Form{Submit: "Send a test to " + names[w.ID], Row: true, Plain: true, Inputs: []page.Input{}}, nil))
		}
	}
	for _, w := range ways {
		v.R.SetPathValue("way_id", w.ID)
		if v.May(store.RoleOwner) {
			parts = append(parts, v.OwnForm(w.ID, asked, "/settings/alerts/ways/{way_id}/remove", page.Form{Title: "Remove " + names[w.ID], Submit: "Remove", Danger: true, What: "Nothing is sent there any more.", Confirm: "Remove " + names[w.ID] + ". It has to be added again to be used.", Inputs: []page.Input{}}, nil))
		}
	}
	if v.May(store.RoleOwner) {
		f := v.FormFor("/settings/alerts/ways/add", page.Form{Title: "Add a way", Submit: "Add", What: "Alerts hold no personal data. A webhook of Slack or Mattermost is slack; event is for a program, and signed.", Open: len(ways) == 0}, map[string]string{"kind": string(alert.Mail)})
		f.Open = f.Open || len(ways) == 0
		parts = append(parts, f)
	}
	return page.Panel{Title: "How you hear about it", Broad: true, Parts: append([]page.Part{t}, parts...)}
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

// messagesPanel lists what was said, and whether it was delivered.
func messagesPanel(v *page.Visit, messages []store.AlertMessage, ways []alert.Way) page.Part {
	names := namesOf(ways)
	t := page.Table{Caption: "Messages", Head: page.Heads("When", "What", "To", "State", "Why not"), Empty: "No message was sent yet."}
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
		state := map[string]page.Cell{"sent": page.Tagged("sent", "good"), "waiting": page.Tagged("tried "+terminal.Count(int64(m.Attempts), "time"), "wait"), "given_up": page.Tagged("given up", "stop")}[report.AlertMessageState(m)]
		if m.Attempts == 0 && !m.NextAt.IsZero() {
			state = page.Tagged("waiting", "soft")
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(m.At), page.To(what, v.Address(m.Path)), page.Soft(sentTo), state, page.Soft(m.Failure)}})
	}
	return page.Panel{Title: "Messages", Broad: true, Parts: []page.Part{t}}
}

// rulesPanel lists the rules, each with a form.
func rulesPanel(v *page.Visit) (page.Part, error) {
	rules, err := v.Operator.Alerts().Rules(v.Ctx)
	if err != nil {
		return nil, err
	}
	t := page.Table{Caption: "Rules", Head: page.Heads("Rule", "Fires when", "Silent for", "State")} // for those who cannot change them
	parts := []page.Part{}
	asked := v.R.PathValue("rule")
	for _, r := range rules {
		state := page.Tagged("on", "good")
		if !r.On {
			state = page.Tagged("off", "soft")
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Text(r.Title), {Text: alert.Sentence(r.Fires(r.Setting.Threshold)) + "."}, page.Tight(page.Text(alert.Period(r.Setting.Cooldown))), state}})
		if v.May(store.RoleOperator) {
			parts = append(parts, ruleForm(v, r, asked))
		}
	}
	if len(parts) == 0 {
		parts = []page.Part{t}
	}
	return page.Panel{Title: "What you hear about", Broad: true, Note: "After a message, a rule is silent about the same thing for a while; then it reminds. Once it is over, one message says so.", Parts: parts}, nil
}

func ruleForm(v *page.Visit, r alerts.Rule, asked string) page.Part {
	v.R.SetPathValue("rule", string(r.Name))
	typed := ruleTexts(r)
	f := page.Form{Title: ruleTitle(r), Submit: "Change", What: "It fires when " + r.Fires(r.Setting.Threshold) + ".", Hidden: []page.Pair{{Name: "seen", Value: page.Fingerprint(typed)}}}
	f.Inputs = page.InputsOf("editAlertRule", map[string]string{"on": typed["on"], "threshold": typed["threshold"], "cooldown_minutes": typed["cooldown"]})
	f = v.OwnForm(string(r.Name), asked, "/settings/alerts/rules/{rule}/edit", f, nil)
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

// EditRule changes what differs from the setting that the form showed.
func EditRule(v *page.Visit) error {
	rules, err := v.Operator.Alerts().Rules(v.Ctx)
	if err != nil {
		return err
	}
	name := v.R.PathValue("rule")
	for _, r := range rules {
		if string(r.Name) != name {
			continue
		}
		changed, err := v.Changed("editAlertRule", ruleTexts(r))
		if err != nil {
			return err
		}
		_, err = v.API.Do(v.Ctx, v.Caller(), "editAlertRule", map[string]string{"rule": name}, changed, v.Form.Get("once"))
		return err
	}
	return page.ErrNoPage
}
