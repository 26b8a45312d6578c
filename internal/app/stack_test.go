package app_test

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// A connection's goroutine needs no more than 8 KB of stack. One that needs more gets 16 KB, and the garbage collector shrinks it
// again whenever it finds the goroutine waiting: that made 4,000 clients a quarter slower, and took 45 MB more.
func TestConnectionsNeedSmallStacks(t *testing.T) {
	s := apptest.StartWithLog(t, storetest.Database(t), slog.New(lineHandler{slog.DiscardHandler}), "--rate-limit", "off")
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector would shrink stacks
	tool := func(name, arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
	}
	for _, c := range []struct {
		name, path, mediaType, body string
		status                      int
	}{
		{"intake", "/v1/intake", "application/json", benchLead, 202},
		{"form", "/v1/intake", apptest.FormType, apptest.GoodForm, 202},
		{"refused", "/v1/intake", "application/json", "{}", 422},
		{"reading tool", "/mcp", "application/json", tool("get_plumbing_call_number", "{}"), 200},
		{"writing tool", "/mcp", "application/json", tool("request_home_service", benchLead), 200},
	} {
		const clients = 300
		keepOpen(t, s, c.path, c.mediaType, c.body, c.status) // the goroutines behind the connections have their stacks after this
		before := stackBytes()
		for range clients {
			keepOpen(t, s, c.path, c.mediaType, c.body, c.status)
		}
		if each := float64(stackBytes()-before) / clients; each > 10<<10 {
			t.Errorf("%s: a connection has %.1f KB of stack", c.name, each/1024)
		}
	}
}

// lineHandler takes ready-made log lines, as the program's handler does: the standard handler needs more stack than all other
// code.
type lineHandler struct{ slog.Handler }

func (lineHandler) Lines() io.Writer { return io.Discard }

// keepOpen posts a body and leaves the connection open.
func keepOpen(t *testing.T, s *apptest.Service, path, mediaType, body string, status int) {
	t.Helper()
	conn := startPost(t, s, path, mediaType, body)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != status {
		t.Fatal(answer, err)
	}
	io.Copy(io.Discard, answer.Body)
}

func stackBytes() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
