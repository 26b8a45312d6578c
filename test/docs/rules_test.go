package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/sim"
)

func TestCodes(t *testing.T) {
	var codes []string
	for _, c := range buyer.Codes {
		codes = append(codes, string(c))
	}
	rows := table(t, "code")
	if got := column(rows, 0); !slices.Equal(got, codes) {
		t.Errorf("the page has %s, the contract %s", got, codes)
	}
	if !slices.Equal(sim.Codes, codes) {
		t.Errorf("the simulated buyer has %s, the contract %s", sim.Codes, codes)
	}
	for _, row := range rows {
		if never := row[2] == "never"; never != buyer.Code(row[0]).ForGood() {
			t.Errorf("%s: asked again %q", row[0], row[2])
		}
	}
}

// meanings are what the page calls them.
var meanings = map[string]buyer.Meaning{
	"accepted": buyer.Accepts, "taken": buyer.Accepts, "declined": buyer.Declines, "refused": buyer.Declines,
	"failed": buyer.Fails, "paused": buyer.PauseBuyer, "switched": buyer.SwitchOff,
}

// TestAnswers interprets every possible answer by the rules, and by the table.
func TestAnswers(t *testing.T) {
	rows := table(t, "your answer")
	for status := 200; status < 600; status++ {
		for _, decision := range []string{"accept", "reject", ""} {
			a := buyer.Answer{Status: status}
			if decision != "" {
				a.Body = fmt.Appendf(nil, `{"decision":%q}`, decision)
			}
			row := rowFor(t, rows, status, decision)
			for i, got := range []buyer.Meaning{buyer.Read(a, false).Meaning, buyer.Read(a, false).Meaning, buyer.ReadDelivery(a).Meaning} {
				word := strings.FieldsFunc(row[i+1], func(r rune) bool { return r < 'a' || r > 'z' })[0]
				if meanings[word] != got {
					t.Errorf("%d %s: the rules say %s, the page %q", status, decision, got, row[i+1])
				}
			}
		}
	}
	none := rows[len(rows)-1]
	silence := buyer.Answer{}
	if !slices.Equal(none[1:], []string{"failed", "failed", "failed"}) || buyer.Read(silence, true).Meaning != buyer.Fails || buyer.ReadDelivery(silence).Meaning != buyer.Fails {
		t.Errorf("no answer: %q", none)
	}
	if buyer.Read(buyer.Answer{Status: 204}, true).Meaning != buyer.Accepts {
		t.Error("a plain 2xx does not accept where that was agreed on")
	}
}

// rowFor finds the row of an answer.
func rowFor(t *testing.T, rows [][]string, status int, decision string) []string {
	t.Helper()
	var found, rest []string
	for _, row := range rows {
		text, condition, _ := strings.Cut(row[0], " with")
		if conditional := map[string]string{"": "out a decision", "accept": " accept", "reject": " reject"}[decision]; condition != "" && condition != conditional {
			continue
		}
		for _, word := range strings.Split(text, ", ") {
			switch {
			case word == "any other":
				rest = row
			case word == strconv.Itoa(status), word == fmt.Sprintf("%dxx", status/100):
				found = row
			}
		}
	}
	if found == nil {
		found = rest
	}
	if found == nil {
		t.Fatalf("no row for %d", status)
	}
	return found
}

func TestWaits(t *testing.T) {
	rows, sum := table(t, "attempt"), time.Duration(0)
	for attempts := 0; ; attempts++ {
		wait, more := buyer.DeliveryRetry(attempts, 0, 0.5)
		if !more {
			if len(rows) != attempts || attempts != 10 || sum.Round(time.Hour) != 16*time.Hour { // both pages say ten, docs/operations.md the hours
				t.Errorf("the page has %d attempts, the rules %d in %s", len(rows), attempts, sum)
			}
			break
		}
		sum += wait
		if row := rows[attempts]; row[0] != strconv.Itoa(attempts+1) || row[1] != inWords(wait) {
			t.Errorf("attempt %d comes after %s, the page says %s", attempts+1, inWords(wait), row)
		}
	}
	for chance, want := range map[float64]time.Duration{0: 24 * time.Second, 1: 36 * time.Second} { // a fifth of 30 seconds
		if wait, _ := buyer.DeliveryRetry(2, 0, chance); wait != want {
			t.Errorf("with the chance %v the wait is %s, want %s", chance, wait, want)
		}
	}
	longest, _ := buyer.DeliveryRetry(1, 1000*time.Hour, 0)
	wantSentences(t, "Each wait is up to a fifth shorter or longer. If Retry-After asks for more, you get it, up to 24 hours.")
	if longest != 24*time.Hour {
		t.Errorf("Retry-After is heeded for %s", longest)
	}
}

func TestOffersAreTriedTwice(t *testing.T) {
	wait, more := buyer.OfferRetry(1, 0)
	_, third := buyer.OfferRetry(2, 0)
	_, longer := buyer.OfferRetry(1, wait+time.Second)
	if !more || third || longer {
		t.Errorf("tried again: %v, a third time: %v, after a long Retry-After: %v", more, third, longer)
	}
	wantSentences(t, "An offer** is tried twice, the second time "+inWords(wait)+" after the first failed.", "with more than "+inWords(wait)+", the next buyer is asked at once")
}

func TestBreaker(t *testing.T) {
	now := receivedAt
	var s buyer.Health
	for range 4 {
		s = s.Fail(now)
	}
	if !s.MayBeAsked(now) {
		t.Error("four failures open the breaker")
	}
	s = s.Fail(now)
	first := s.OpenUntil.Sub(now)
	for range 20 {
		now = s.OpenUntil
		before := s.OpenUntil
		s = s.Ask(now).Fail(now)
		if pause := s.OpenUntil.Sub(now); pause > 15*time.Minute || s.OpenUntil.Equal(before) {
			t.Fatalf("the pause is %s", pause)
		}
	}
	wantSentences(t, "Five failed attempts in a row** and you get no new leads for "+inWords(first)+".", "the pause doubles each time, up to "+inWords(s.OpenUntil.Sub(now))+".")
}

// TestNumbers compares the numbers in the text with those in the code, some of which must be read from the source.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ file, constant, value, sentence string }{
		{"webhook/sender.go", "attemptTimeout", "15 * time.Second", "Answer within 15 seconds."},
		{"webhook/sender.go", "maxAnswer", "16 << 10", "we read the first 16 KiB"},
		{"webhook/verify.go", "tolerance", "5 * time.Minute", "must not be more than five minutes off"},
		{"webhook/verify.go", "MaxAge", "2 * tolerance", "came with another body in the last ten minutes"},
		{"buyer/buyer.go", "DefaultMaxInFlight", "8", "At most eight messages are on their way to you at a time from each process of Foyer."},
		{"buyer/answer.go", "maxRef", "200", "up to 200 bytes, and may be left out"},
		{"buyer/delivery.go", "MaxAnswer", "1 << 10", "The first 1 KiB of each answer is kept"},
		{"lead/repeat.go", "RepeatWindow", "30 * 24 * time.Hour", "the same work within 30 days"},
		{"buyer/retry.go", "OfferLifetime", "time.Minute", "how long the offer can be answered: one minute"},
		{"lead/reason.go", "ReturnWindow", "7 * 24 * time.Hour", "Within 7 days of its delivery"},
	} {
		if got := constant(t, "../../internal/"+c.file, c.constant); got != c.value {
			t.Errorf("%s is %s, not %s: mend the page and this test", c.constant, got, c.value)
		}
		wantSentences(t, c.sentence)
	}
	wantSentences(t, fmt.Sprintf("(up to %d characters, nothing about the person)", lead.ReasonField.Max))
}

// TestWaysOnThePage wants every behavior on the page to be valid.
func TestWaysOnThePage(t *testing.T) {
	ways := regexp.MustCompile(`--(?:behavior|on-delivery) (\S+)`).FindAllStringSubmatch(page(t), -1)
	for _, way := range ways {
		if _, err := sim.ParseBehaviour(way[1]); err != nil {
			t.Error(err)
		}
	}
	if len(ways) == 0 {
		t.Error("the page shows none")
	}
}

// constant returns the value of a constant in a source file.
func constant(t *testing.T, file, name string) (value string) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 && spec.Names[0].Name == name {
			value = types.ExprString(spec.Values[0])
		}
		return true
	})
	return value
}

// inWords formats a duration as the page does.
func inWords(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if n := int(d / unit.length); n > 1 {
			return fmt.Sprintf("%d %ss", n, unit.name)
		} else if n == 1 && d == unit.length {
			return "1 " + unit.name
		}
	}
	return "none"
}
