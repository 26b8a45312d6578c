package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTranscripts replays the sessions in testdata/transcripts. Lines that begin with ">" are sent: a request line, headers, and
// after an empty line the body. Lines that begin with "<" are the expected response. All other lines are comments.
func TestTranscripts(t *testing.T) {
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
			s := start(t, flagsOf(string(text))...)
			golden(t, strings.TrimPrefix(file, "testdata/"), s.replay(t, string(text)))
		})
	}
}

// flagsOf reads the settings a transcript asks for in a line such as "$ foyer --allowed-origins https://app.example.com".
func flagsOf(text string) []string {
	flags := []string{"--base-url", publicURL, "--rate-limit", "off"}
	for line := range strings.Lines(text) {
		if command, found := strings.CutPrefix(line, "$ foyer "); found {
			flags = append(flags, strings.Fields(command)...)
		}
	}
	return flags
}

// replay sends every request and returns the session with the actual responses.
func (s *service) replay(t *testing.T, text string) []byte {
	t.Helper()
	var out strings.Builder
	var request []string
	flush := func() {
		if request != nil {
			out.WriteString(s.exchange(t, request))
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

func (s *service) exchange(t *testing.T, lines []string) string {
	t.Helper()
	method, path, _ := strings.Cut(lines[0], " ")
	var headers []string
	rest := lines[1:]
	for len(rest) > 0 && rest[0] != "" {
		name, value, _ := strings.Cut(rest[0], ": ")
		headers = append(headers, name, value)
		rest = rest[1:]
	}
	r := s.send(t, method, path, strings.TrimPrefix(strings.Join(rest, "\n"), "\n"), headers...)
	var out strings.Builder
	fmt.Fprintf(&out, "< %d %s\n", r.status, http.StatusText(r.status))
	for _, name := range []string{"Allow", "Location", "Access-Control-Allow-Origin", "Access-Control-Allow-Headers", "Mcp-Session-Id"} {
		if v := r.header.Get(name); v != "" && !(name == "Access-Control-Allow-Origin" && v == "*") {
			fmt.Fprintf(&out, "< %s: %s\n", name, v)
		}
	}
	if len(r.body) > 0 {
		fmt.Fprintf(&out, "< %s\n", strings.ReplaceAll(string(r.body), "\n", "\n< "))
	}
	return string(normalize([]byte(out.String())))
}
