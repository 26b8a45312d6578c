package web

import (
	"flag"
	"os"
	"strings"
	"testing"

	"foyer/internal/lead"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestLLMsGolden(t *testing.T) {
	const golden = "testdata/llms.txt"
	answer, body := ask(t, serve(t, newSite(t)), "GET", "/llms.txt")
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("got %d %v", answer.StatusCode, answer.Header)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if body != string(want) {
		t.Errorf("llms.txt changed; look at it, then run go test ./internal/web -update\n%s", body)
	}
}

func TestDocsNameEverything(t *testing.T) {
	_, docs := ask(t, serve(t, newSite(t)), "GET", "/docs")
	var names []string
	for i := range lead.Fields {
		names = append(names, lead.Fields[i].Name)
	}
	for _, s := range lead.Statuses {
		names = append(names, string(s))
	}
	for _, k := range []lead.Kind{
		lead.Invalid, lead.Refused, lead.KeyReused, lead.TooLarge, lead.UnsupportedMedia, lead.NotAcceptable, lead.Unauthorized, lead.Forbidden,
		lead.NotFound, lead.MethodNotAllowed, lead.RateLimited, lead.Unavailable, lead.Internal,
	} {
		names = append(names, string(k))
	}
	for _, name := range names {
		if !strings.Contains(docs, "<code>"+name+"</code>") {
			t.Errorf("the docs do not name %s", name)
		}
	}
	for _, want := range []string{"curl &#39;" + origin + "/v1/intake?dry_run=true&#39;", "mcpServers", "Idempotency-Key", "<td>422</td>"} {
		if !strings.Contains(docs, want) {
			t.Errorf("the docs do not hold %s", want)
		}
	}
	if strings.Contains(docs, "<td></td>") || strings.Contains(docs, "<td>0</td>") {
		t.Error("a cell of a table is empty")
	}
}
