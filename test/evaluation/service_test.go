package evaluation_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	_ "foyer/internal/app" // is in the binary: go test must not use a cached result after a change there
	"foyer/test/binary"
	"foyer/test/evaluation"
)

func TestMain(m *testing.M) { binary.MainUnlessShort(m.Run) }

// service is the running program, as an assistant's host sees it.
type service struct {
	*mcp.ClientSession
	inputs map[string][]string // argument names by tool
	blanks evaluation.Blanks
}

// serve starts the program on its own store, and asks it for what the tasks leave open.
func serve(t *testing.T) *service {
	t.Helper()
	p := binary.Serve(t, t.TempDir(), "--rate-limit", "off")
	host := mcp.NewClient(&mcp.Implementation{Name: "evaluation", Version: "1"}, nil)
	session, err := host.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: p.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	s := &service{ClientSession: session, inputs: inputs(t, session)}
	number, _ := s.call(t, "get_plumbing_call_number", nil)
	services, _ := s.call(t, "list_supported_services", nil)
	s.blanks = evaluation.Blanks{Today: time.Now(), Number: number["call_to_connect_display"].(string), Contact: services["contact"].(string)}
	return s
}

// inputs returns the names of the arguments that each tool declares.
func inputs(t *testing.T, session *mcp.ClientSession) map[string][]string {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string][]string)
	for _, tool := range list.Tools {
		text, _ := json.Marshal(tool.InputSchema)
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		names[tool.Name] = slices.Collect(maps.Keys(schema.Properties))
	}
	return names
}

// call calls a tool and returns its result, and whether it refused.
func (s *service) call(t *testing.T, tool string, arguments map[string]any) (result map[string]any, refused bool) {
	t.Helper()
	answer, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if err := json.Unmarshal([]byte(answer.StructuredContent.(map[string]any)["result"].(string)), &result); err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result, answer.IsError
}

// task returns a task as it is tested here: earlier calls are made, and every blank is filled in.
func (s *service) task(t *testing.T, id string) evaluation.Task {
	t.Helper()
	blanks := s.blanks
	read := func() evaluation.Task {
		file, err := evaluation.Read(path, blanks)
		if err != nil {
			t.Fatal(err)
		}
		task, _ := file.Task(id)
		return task
	}
	task := read()
	if task.Before == nil {
		return task
	}
	receipt, refused := s.call(t, task.Before.Tool, task.Before.Arguments)
	if refused {
		t.Fatalf("what comes before is refused: %v", receipt)
	}
	blanks.LeadID = receipt["lead_id"].(string)
	return read()
}

func TestAgainstTheService(t *testing.T) {
	s := serve(t)
	for _, task := range filledTasks(t).Tasks {
		t.Run(task.ID, func(t *testing.T) {
			task := s.task(t, task.ID)
			if task.Before != nil {
				s.wantServed(t, task.Before.Tool, task.Before.Arguments)
			}
			for _, step := range task.Steps {
				for _, e := range step.AnyOf {
					s.wantServed(t, e.Tool, e.Arguments)
					s.wantServed(t, e.Tool, e.Example)
					s.wantAccepted(t, e.Tool, e.Example)
				}
			}
			for _, w := range task.Wrong {
				s.wantServed(t, w.Tool, w.Arguments)
				if w.Accepted() {
					s.wantServed(t, w.Tool, w.Example)
					s.wantAccepted(t, w.Tool, w.Example)
				} else {
					s.wantRefused(t, w)
				}
			}
		})
	}
}

// wantServed wants a tool that is served, and arguments that it declares.
func (s *service) wantServed(t *testing.T, tool string, arguments any) {
	t.Helper()
	served, known := s.inputs[tool]
	if !known {
		t.Errorf("there is no tool %s", tool)
	}
	for _, name := range names(arguments) {
		if !slices.Contains(served, name) {
			t.Errorf("%s has no argument %s", tool, name)
		}
	}
}

func names(arguments any) []string {
	switch arguments := arguments.(type) {
	case map[string]any:
		return slices.Collect(maps.Keys(arguments))
	case map[string]evaluation.Matcher:
		return slices.Collect(maps.Keys(arguments))
	}
	return nil
}

// wantAccepted makes a call, first as a dry run if the tool has one.
func (s *service) wantAccepted(t *testing.T, tool string, example map[string]any) {
	t.Helper()
	if slices.Contains(s.inputs[tool], "dry_run") {
		checked := maps.Clone(example)
		checked["dry_run"] = true
		s.wantLead(t, tool, checked)
	}
	s.wantLead(t, tool, example)
}

// wantLead wants a call to be accepted, with a well-formed lead_id.
func (s *service) wantLead(t *testing.T, tool string, arguments map[string]any) {
	t.Helper()
	result, refused := s.call(t, tool, arguments)
	if refused {
		t.Errorf("%s refuses %v: %v", tool, arguments, result["message"])
		return
	}
	if !strings.HasPrefix(tool, "request_") {
		return
	}
	prefix := "lead_"
	if arguments["dry_run"] == true {
		prefix = "dry_"
	}
	if id, _ := result["lead_id"].(string); !strings.HasPrefix(id, prefix) {
		t.Errorf("%s answers the id %q, want one that begins with %s", tool, id, prefix)
	}
}

// wantRefused wants a wrong call to be refused with the code and the fields that the file names.
func (s *service) wantRefused(t *testing.T, w evaluation.Wrong) {
	t.Helper()
	result, refused := s.call(t, w.Tool, w.Example)
	if !refused {
		t.Errorf("%s accepts %v, but the file says that it refuses", w.Tool, w.Example)
		return
	}
	fields, _ := result["fields"].(map[string]any)
	if diff := cmp.Diff(slices.Sorted(slices.Values(w.Fields)), slices.Sorted(maps.Keys(fields))); diff != "" || result["error"] != w.Error {
		t.Errorf("%s refuses with %v, want %s; fields -want +got:\n%s", w.Tool, result["error"], w.Error, diff)
	}
}
