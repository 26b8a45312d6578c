package alert_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/buyer"
)

// story plays minutes: which buyers are down in each. It returns what was said, with the minute.
func story(states []alert.State, s alert.Settings, minutes int, down func(minute int) (ids string)) (said []string) {
	for minute := range minutes {
		now := noon.Add(time.Duration(minute) * time.Minute)
		facts := alert.Facts{}
		for _, id := range []string{"a", "b"} {
			facts.Buyers = append(facts.Buyers, alert.Buyer{ID: id, Name: "Buyer " + id, State: buyer.Active, Down: strings.Contains(down(minute), id)})
		}
		var say []alert.Message
		states, say = alert.Plan(states, alert.Evaluate(facts, s, now), facts, s, now)
		for _, m := range say {
			said = append(said, fmt.Sprintf("%d %s %s", minute, m.Kind, m.Subject))
		}
	}
	return said
}

// TestPlan plays stories with a rule that waits for two minutes, and a cooldown of an hour.
func TestPlan(t *testing.T) {
	settings := alert.Settings{alert.BuyerDown: {On: true, Threshold: 2, Cooldown: time.Hour}}
	between := func(minute, from, to int) bool { return from <= minute && minute < to }
	for _, c := range []struct {
		name string
		down func(minute int) string
		want []string
	}{
		{"all is well", func(int) string { return "" }, nil},
		{"it is over before anybody heard of it", func(m int) string { return only("a", between(m, 10, 12)) }, nil},
		{"it fires, and is over", func(m int) string { return only("a", between(m, 10, 30)) }, []string{"12 fired a", "32 recovered a"}},
		{"it goes on: a reminder after each cooldown", func(m int) string { return only("a", between(m, 0, 150)) }, []string{"2 fired a", "62 reminder a", "122 reminder a", "152 recovered a"}},
		{"it comes and goes: nobody hears that it is over", func(m int) string { return only("a", between(m, 0, 50) && m%2 == 0 || m < 3) }, []string{"2 fired a", "51 recovered a"}},
		{"it comes back within the cooldown: silence until that ends", func(m int) string { return only("a", between(m, 0, 10) || between(m, 20, 100)) }, []string{"2 fired a", "12 recovered a", "62 fired a", "102 recovered a"}},
		{"it comes back within the cooldown, and goes again", func(m int) string { return only("a", between(m, 0, 10) || between(m, 20, 40)) }, []string{"2 fired a", "12 recovered a"}},
		{"it comes back after the cooldown", func(m int) string { return only("a", between(m, 0, 10) || between(m, 90, 100)) }, []string{"2 fired a", "12 recovered a", "92 fired a", "102 recovered a"}},
		{"two buyers have a cooldown each", func(m int) string { return only("a", between(m, 0, 40)) + only("b", between(m, 30, 100)) }, []string{"2 fired a", "32 fired b", "42 recovered a", "92 reminder b", "102 recovered b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := story(nil, settings, 180, c.down); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func only(id string, is bool) string {
	if is {
		return id
	}
	return ""
}

// TestFastClock remembers times that a clock wrote which was a year ahead: nothing stays silent for a year.
func TestFastClock(t *testing.T) {
	settings := alert.Settings{alert.BuyerDown: {On: true, Threshold: 2, Cooldown: time.Hour}}
	ahead := noon.Add(365 * day)
	for _, c := range []struct {
		name  string
		state alert.State
		down  string
		want  []string
	}{
		{"a message was sent, and it goes on", alert.State{Since: ago(hour), Told: true, SentAt: ahead}, "a", []string{"60 reminder a"}},
		{"all of it was ahead, and it goes on", alert.State{Since: ahead, Told: true, SentAt: ahead}, "a", []string{"60 reminder a"}},
		{"it came back within the cooldown", alert.State{Since: ago(hour), SentAt: ahead}, "a", []string{"60 fired a"}},
		{"nobody heard of it yet", alert.State{Since: ahead}, "a", []string{"2 fired a"}},
		{"it is over", alert.State{Since: ago(hour), Cleared: ahead, Told: true, SentAt: ago(hour)}, "", []string{"2 recovered a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.state.Rule, c.state.Subject = alert.BuyerDown, "a"
			if got := story([]alert.State{c.state}, settings, 61, func(int) string { return c.down }); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestNothingRecoversUnseen wants no good news about what nobody looks at any more: a buyer that was paused, a rule that was switched off.
func TestNothingRecoversUnseen(t *testing.T) {
	down := acme(func(b *alert.Buyer) { b.Down = true })
	quick := alert.Settings{alert.BuyerDown: {On: true, Cooldown: time.Hour}}
	states, say := alert.Plan(nil, alert.Evaluate(down, quick, noon), down, quick, noon)
	if len(states) != 1 || len(say) != 1 || !states[0].Firing() {
		t.Fatalf("it fires: %+v, %+v", states, say)
	}
	for name, then := range map[string]struct {
		facts    alert.Facts
		settings alert.Settings
	}{
		"paused":  {acme(func(b *alert.Buyer) { b.State, b.StoppedAt = buyer.Paused, noon }), quick},
		"removed": {alert.Facts{}, quick},
		"off":     {acme(func(*alert.Buyer) {}), alert.Settings{alert.BuyerDown: {Cooldown: time.Hour}}},
	} {
		later := noon.Add(10 * time.Minute)
		next, say := alert.Plan(states, alert.Evaluate(then.facts, then.settings, later), then.facts, then.settings, later)
		if len(next) != 0 || len(say) != 0 {
			t.Errorf("%s: %+v, %+v", name, next, say)
		}
	}
}

// TestEveryRuleRecovers wants a sentence of its own for each rule.
func TestEveryRuleRecovers(t *testing.T) {
	seen := map[string]bool{}
	all := acme(func(*alert.Buyer) {})
	all.Machines, all.Backup, all.Certificate = []alert.Machine{{"web1", 0, 50}}, noon, noon.Add(365*day)
	for _, r := range alert.Rules {
		subject := map[alert.Name]string{alert.IntakeErrors: "web1", alert.DiskFull: "web1"}[r.Name]
		if strings.Contains(string(r.Name), "buyer") || r.Name == alert.AcceptanceDropped || r.Name == alert.CapNear || r.Name == alert.BalanceNear {
			subject = "buyer_1"
		}
		before := []alert.State{{Rule: r.Name, Subject: subject, Name: "Acme", Since: ago(day), Cleared: ago(hour), Told: true, SentAt: ago(day)}}
		_, say := alert.Plan(before, nil, all, nil, noon)
		if len(say) != 1 || say[0].Kind != alert.Recovered || say[0].Title == "it is over" || seen[say[0].Title] || say[0].Text != "It lasted for 23 hours." {
			t.Errorf("%s: %+v", r.Name, say)
			continue
		}
		seen[say[0].Title] = true
	}
}
