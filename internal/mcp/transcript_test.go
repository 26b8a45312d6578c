package mcp_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestTranscripts replays the sessions in testdata/transcripts. Lines that begin with ">" are sent: a request line, headers, and
// after an empty line the body. Lines that begin with "<" are the expected response. All other lines are comments.
func TestTranscripts(t *testing.T) {
	storetest.Parallel(t)
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := apptest.Start(t, flagsOf(string(text))...)
			apptest.Golden(t, strings.TrimPrefix(file, "testdata/"), replay(t, s, string(text)))
		})
	}
}

// flagsOf reads the settings a transcript asks for in a line such as "$ foyer --allowed-origins https://app.example.com".
func flagsOf(text string) []string {
	flags := []string{"--base-url", apptest.PublicURL, "--rate-limit", "off"}
	for line := range strings.Lines(text) {
		if command, found := strings.CutPrefix(line, "$ foyer "); found {
			flags = append(flags, strings.Fields(command)...)
		}
	}
	return flags
}

// replay sends every request and returns the session with the actual responses.
func replay(t *testing.T, s *apptest.Service, text string) []byte {
	t.Helper()
	var out strings.Builder
	var request []string
	flush := func() {
		if request != nil {
			out.WriteString(exchange(t, s, request))
			request = nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, ">"):
			out.WriteString(line + "\n")
			request = append(request, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
		case strings.HasPrefix(line, "<"):
			flush()
		default:
			flush()
			out.WriteString(line + "\n")
		}
	}
	flush()
	return []byte(out.String())
}

func exchange(t *testing.T, s *apptest.Service, lines []string) string {
	t.Helper()
	method, path, _ := strings.Cut(lines[0], " ")
	var headers []string
	rest := lines[1:]
	for len(rest) > 0 && rest[0] != "" {
		name, value, _ := strings.Cut(rest[0], ": ")
		headers = append(headers, name, value)
		rest = rest[1:]
	}
	r := s.Send(t, method, path, strings.TrimPrefix(strings.Join(rest, "\n"), "\n"), headers...)
	var out strings.Builder
	fmt.Fprintf(&out, "< %d %s\n", r.Status, http.StatusText(r.Status))
	for _, name := range []string{"Allow", "Location", "Access-Control-Allow-Origin", "Access-Control-Allow-Headers", "Mcp-Session-Id"} {
		if v := r.Header.Get(name); v != "" && !(name == "Access-Control-Allow-Origin" && v == "*") {
			fmt.Fprintf(&out, "< %s: %s\n", name, v)
		}
	}
	if len(r.Body) > 0 {
		fmt.Fprintf(&out, "< %s\n", strings.ReplaceAll(string(r.Body), "\n", "\n< "))
	}
	return string(apptest.Normalize([]byte(out.String())))
}
