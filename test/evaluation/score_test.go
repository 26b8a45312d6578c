package evaluation_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/test/evaluation"
)

// idealEvents is how a good assistant completes a task: the person says everything, then every call is made, then the
// reply.
func idealEvents(task evaluation.Task) []evaluation.Event {
	var events []evaluation.Event
	for _, turn := range task.Turns {
		events = append(events, evaluation.Event{Person: turn.Says, Consents: turn.Consents})
	}
	for _, answer := range task.IfAsked {
		events = append(events, evaluation.Event{Person: answer.Says, Consents: answer.Consents})
	}
	for _, step := range task.Steps {
		if !step.Optional {
			events = append(events, call(step.AnyOf[0].Tool, step.AnyOf[0].Example))
		}
	}
	return append(events, evaluation.Event{Assistant: task.Reply.Good})
}

func call(tool string, arguments map[string]any) evaluation.Event {
	return evaluation.Event{Call: &evaluation.Call{Tool: tool, Arguments: arguments}}
}

func TestIdealConversationPasses(t *testing.T) {
	file := filledTasks(t)
	for _, task := range file.Tasks {
		if found := evaluation.Score(file, task, idealEvents(task)); len(found) != 0 {
			t.Errorf("%s: %v", task.ID, found)
		}
	}
}

func TestWrongCallsAreFound(t *testing.T) {
	file := filledTasks(t)
	for _, task := range file.Tasks {
		for _, w := range task.Wrong {
			want := evaluation.Slip
			if w.Accepted() {
				want = evaluation.Fault
			}
			found := evaluation.Score(file, task, append(idealEvents(task), call(w.Tool, w.Example)))
			if len(found) != 1 || found[0].Weight != want {
				t.Errorf("%s: want one %s for %q, got %v", task.ID, want, w.Why, found)
			}
		}
		if found := evaluation.Score(file, task, append(idealEvents(task), evaluation.Event{Assistant: task.Reply.Bad})); len(found) == 0 {
			t.Errorf("%s: the bad reply is not found", task.ID)
		}
	}
}

func TestScore(t *testing.T) {
	file := filledTasks(t)
	task := func(id string) evaluation.Task {
		task, known := file.Task(id)
		if !known {
			t.Fatal("there is no task", id)
		}
		return task
	}
	ants, sink, check := task("consent-was-not-asked"), task("leaking-sink"), task("only-check-it")
	request := func(task evaluation.Task) evaluation.Event {
		return call(task.Steps[0].AnyOf[0].Tool, task.Steps[0].AnyOf[0].Example)
	}
	dry := func(task evaluation.Task) evaluation.Event {
		e := call(task.Steps[0].AnyOf[0].Tool, map[string]any{"dry_run": true})
		for name, value := range task.Steps[0].AnyOf[0].Example {
			e.Call.Arguments[name] = value
		}
		return e
	}
	for _, c := range []struct {
		name   string
		task   evaluation.Task
		events []evaluation.Event
		want   []string // how each finding begins, or what it contains
	}{
		{"nothing is done", ants, nil, []string{"fault: request_home_service was not called"}},
		{"a request before consent", ants, slices.Concat([]evaluation.Event{request(ants)}, idealEvents(ants)), []string{"fault: request_home_service was called before"}},
		{"the same request twice", ants, append(idealEvents(ants), request(ants)), []string{"or made it twice"}},
		{"a check before the request is fine", ants, slices.Insert(idealEvents(ants), 2, dry(ants)), nil},
		{"a check is not the request", ants, append(idealEvents(ants)[:2], dry(ants)), []string{"fault: request_home_service was not called"}},
		{"a check twice is fine", check, append(idealEvents(check), request(check)), nil},
		{"reading is free", ants, append(idealEvents(ants), call("list_supported_services", nil)), nil},
		{"a tool of somebody else", sink, append(idealEvents(sink), call("place_phone_call", map[string]any{"to": "+18005550199"})), []string{"look: place_phone_call is no tool of this service"}},
		{"another ZIP code", sink, []evaluation.Event{call("get_plumbing_call_number", map[string]any{"zip_code": "90210"})}, []string{"fault: get_plumbing_call_number was not called"}},
	} {
		found := evaluation.Score(file, c.task, c.events)
		if len(found) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, found, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(found[i].String(), want) {
				t.Errorf("%s: got %q, want %q", c.name, found[i], want)
			}
		}
	}
}
