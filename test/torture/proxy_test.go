package torture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// proxy is what lies between the service and its PostgreSQL server. It can cut, slow down and drop traffic. Toxiproxy does
// that: a program of tools/go.mod, controlled over HTTP.
type proxy struct {
	t    *testing.T
	api  string
	host string // the service connects to this
}

// toxiproxy builds the program.
var toxiproxy = sync.OnceValues(func() (string, error) {
	path := filepath.Join(workFolder, "toxiproxy")
	build := exec.Command("go", "build", "-modfile=tools/go.mod", "-o", path, "github.com/Shopify/toxiproxy/v2/cmd/server")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// newProxy starts a proxy to a server.
func newProxy(t *testing.T, pg *pgServer) *proxy {
	t.Helper()
	program, err := toxiproxy()
	if err != nil {
		skipOrFail(t, "toxiproxy cannot be built: %v", err)
	}
	port := freePort(t)
	p := exec.Command(program, "-host", "127.0.0.1", "-port", port)
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	px := &proxy{t: t, api: "http://127.0.0.1:" + port}
	px.await()
	server, err := url.Parse(pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Listen string }
	answer := px.ask(http.MethodPost, "/proxies", map[string]any{"name": "wire", "listen": "127.0.0.1:0", "upstream": server.Host, "enabled": true})
	if err := json.Unmarshal(answer, &made); err != nil {
		t.Fatal(err)
	}
	px.host = made.Listen
	return px
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func (px *proxy) await() {
	px.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		res, err := httpClient.Get(px.api + "/version")
		if err == nil {
			res.Body.Close()
			return
		}
		if time.Since(began) > 10*time.Second {
			px.t.Fatal(err)
		}
	}
}

// ask sends a command to the proxy.
func (px *proxy) ask(method, path string, body any) []byte {
	px.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		px.t.Fatal(err)
	}
	req, err := http.NewRequest(method, px.api+path, bytes.NewReader(text))
	if err != nil {
		px.t.Fatal(err)
	}
	res, err := httpClient.Do(req)
	if err != nil {
		px.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		px.t.Fatalf("toxiproxy: %s %v", answer, err)
	}
	return answer
}

// databaseURL returns the URL of a database through the proxy.
func (px *proxy) databaseURL(dbURL string) string {
	u, err := url.Parse(dbURL)
	if err != nil {
		px.t.Fatal(err)
	}
	return strings.Replace(dbURL, u.Host, px.host, 1)
}

// The directions that a toxic can affect.
const (
	questions = "upstream"
	answers   = "downstream"
)

// addToxic affects everything that goes in a direction.
func (px *proxy) addToxic(direction, how string, with map[string]int) {
	px.t.Helper()
	px.ask(http.MethodPost, "/proxies/wire/toxics", map[string]any{"type": how, "stream": direction, "attributes": with})
}

// cut ends all connections and lets none through.
func (px *proxy) cut() {
	px.t.Helper()
	px.ask(http.MethodPost, "/proxies/wire", map[string]any{"enabled": false})
}

// reset undoes everything.
func (px *proxy) reset() {
	px.t.Helper()
	px.ask(http.MethodPost, "/reset", nil)
}
