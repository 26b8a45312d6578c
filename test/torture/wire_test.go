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

// wire is what lies between the service and its PostgreSQL server. It can be cut, slowed down and made to swallow things.
// Toxiproxy does that: a program of tools/go.mod, which is told over HTTP what to do.
type wire struct {
	t    *testing.T
	api  string
	host string // where the service connects to
}

// toxiproxy builds the program.
var toxiproxy = sync.OnceValues(func() (string, error) {
	path := filepath.Join(workshop, "toxiproxy")
	build := exec.Command("go", "build", "-modfile=tools/go.mod", "-o", path, "github.com/Shopify/toxiproxy/v2/cmd/server")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// lay lays a wire to a server.
func lay(t *testing.T, g *ground) *wire {
	t.Helper()
	program, err := toxiproxy()
	if err != nil {
		cannot(t, "toxiproxy cannot be built: %v", err)
	}
	port := freePort(t)
	p := exec.Command(program, "-host", "127.0.0.1", "-port", port)
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	w := &wire{t: t, api: "http://127.0.0.1:" + port}
	w.await()
	server, err := url.Parse(g.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Listen string }
	answer := w.ask(http.MethodPost, "/proxies", map[string]any{"name": "wire", "listen": "127.0.0.1:0", "upstream": server.Host, "enabled": true})
	if err := json.Unmarshal(answer, &made); err != nil {
		t.Fatal(err)
	}
	w.host = made.Listen
	return w
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

func (w *wire) await() {
	w.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		res, err := visitor.Get(w.api + "/version")
		if err == nil {
			res.Body.Close()
			return
		}
		if time.Since(began) > 10*time.Second {
			w.t.Fatal(err)
		}
	}
}

// ask tells the proxy something.
func (w *wire) ask(method, path string, body any) []byte {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	req, err := http.NewRequest(method, w.api+path, bytes.NewReader(text))
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := visitor.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		w.t.Fatalf("toxiproxy: %s %v", answer, err)
	}
	return answer
}

// through is the address of a database at the other end.
func (w *wire) through(at string) string {
	u, err := url.Parse(at)
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.Replace(at, u.Host, w.host, 1)
}

// The directions in which a wire can be spoiled.
const (
	questions = "upstream"
	answers   = "downstream"
)

// spoil does something to all that goes in a direction.
func (w *wire) spoil(direction, how string, with map[string]int) {
	w.t.Helper()
	w.ask(http.MethodPost, "/proxies/wire/toxics", map[string]any{"type": how, "stream": direction, "attributes": with})
}

// cut ends all connections and lets none through.
func (w *wire) cut() {
	w.t.Helper()
	w.ask(http.MethodPost, "/proxies/wire", map[string]any{"enabled": false})
}

// mend undoes everything.
func (w *wire) mend() {
	w.t.Helper()
	w.ask(http.MethodPost, "/reset", nil)
}
