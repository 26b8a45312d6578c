package evaluation_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"foyer/test/evaluation"
)

const folder = "../../docs/evaluation"

var path = filepath.Join(folder, "tasks.json")

// filledTasks returns the tasks with every blank filled in, for tests without the service.
func filledTasks(t testing.TB) evaluation.File {
	t.Helper()
	file, err := evaluation.Read(path, evaluation.Blanks{Today: time.Now(), Number: "(800) 555-0199", Contact: "hello@example.com", LeadID: "lead_example"})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFileMatchesSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, "tasks.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	document, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Error(err)
	}
}

func TestTaskIDsAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for _, task := range filledTasks(t).Tasks {
		if seen[task.ID] {
			t.Errorf("there are two tasks %s", task.ID)
		}
		seen[task.ID] = true
	}
}

// TestBlanksAreKnown wants no brace left after all blanks are filled in, and no lead_id if no lead was made.
func TestBlanksAreKnown(t *testing.T) {
	blank := regexp.MustCompile(`\{[a-z_]+([+-][0-9]+)?\}`)
	for _, task := range filledTasks(t).Tasks {
		text, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		if left := blank.Find(text); left != nil {
			t.Errorf("%s: nobody fills in %s", task.ID, left)
		}
		if task.Before == nil && strings.Contains(string(text), "lead_example") {
			t.Errorf("%s speaks of {lead_id}, but nothing was sent before", task.ID)
		}
	}
}

// TestPhonesAreReserved wants reserved numbers in the examples, so that no one is called by mistake.
func TestPhonesAreReserved(t *testing.T) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, phone := range regexp.MustCompile(`[2-9][0-9]{2}[ )-]*[0-9]{3}[ -]?[0-9]{3,4}\b`).FindAllString(string(text), -1) {
		if !regexp.MustCompile(`555[ -]?01[0-9]{1,2}$`).MatchString(phone) {
			t.Errorf("%s is not reserved for examples", phone)
		}
	}
}

func TestSigns(t *testing.T) {
	file := filledTasks(t)
	for _, task := range file.Tasks {
		signs := slices.Concat(file.Signs, task.Signs)
		for _, sign := range signs {
			if !sign.In(sign.Caught) {
				t.Errorf("%s: %s does not find %q", task.ID, sign.Pattern, sign.Caught)
			}
			if sign.In(task.Reply.Good) {
				t.Errorf("%s: the good reply looks wrong: %s", task.ID, sign.Why)
			}
		}
		if !slices.ContainsFunc(signs, func(s evaluation.Sign) bool { return s.In(task.Reply.Bad) }) {
			t.Errorf("%s: nothing shows that the bad reply is bad: %s", task.ID, task.Reply.Bad)
		}
	}
}

// TestPatternsArePlain refuses pattern syntax on which programming languages disagree.
func TestPatternsArePlain(t *testing.T) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, special := range []string{`(?`, `\\p`, `[[:`, `\\A`, `\\z`, `\\Q`} {
		if strings.Contains(string(text), special) {
			t.Errorf("a pattern uses %s", special)
		}
	}
}

// TestExamplesMatch compares the examples with the matchers: a right one matches its own step and is no wrong call; a wrong
// one is found and matches no step.
func TestExamplesMatch(t *testing.T) {
	for _, task := range filledTasks(t).Tasks {
		for _, step := range task.Steps {
			for _, e := range step.AnyOf {
				call := evaluation.Call{Tool: e.Tool, Arguments: e.Example}
				if !step.Takes(call) {
					t.Errorf("%s: the example of %s does not fit", task.ID, e.Tool)
				}
				for _, w := range task.Wrong {
					if w.Is(call) {
						t.Errorf("%s: the example of %s is a wrong call: %s", task.ID, e.Tool, w.Why)
					}
				}
			}
		}
		for _, w := range task.Wrong {
			call := evaluation.Call{Tool: w.Tool, Arguments: w.Example}
			if !w.Is(call) {
				t.Errorf("%s: the example of a wrong call is not found: %s", task.ID, w.Why)
			}
			if slices.ContainsFunc(task.Steps, func(s evaluation.Step) bool { return s.Takes(call) }) {
				t.Errorf("%s: the example of a wrong call fits a step: %s", task.ID, w.Why)
			}
		}
	}
}

// TestRequestsHaveConsent wants a person who agrees wherever a request is right.
func TestRequestsHaveConsent(t *testing.T) {
	for _, task := range filledTasks(t).Tasks {
		consents := slices.ContainsFunc(task.Turns, func(turn evaluation.Turn) bool { return turn.Consents }) ||
			slices.ContainsFunc(task.IfAsked, func(a evaluation.Answer) bool { return a.Consents })
		for _, step := range task.Steps {
			for _, e := range step.AnyOf {
				if strings.HasPrefix(e.Tool, "request_") && (!consents || e.Example["consent_to_contact"] != true) {
					t.Errorf("%s sends a request without consent", task.ID)
				}
			}
		}
	}
}

// TestEveryToolIsUsed wants a task for every tool.
func TestEveryToolIsUsed(t *testing.T) {
	used := make(map[string]int)
	for _, task := range filledTasks(t).Tasks {
		for _, step := range task.Steps {
			for _, e := range step.AnyOf {
				used[e.Tool]++
			}
		}
	}
	if len(used) != 5 {
		t.Errorf("the right calls use %v", slices.Sorted(maps.Keys(used)))
	}
}
