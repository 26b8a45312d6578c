package console_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/console"
	"foyer/internal/operator/access"
	"foyer/internal/store/storetest"
)

// client uses the operator's API with a token.
type client struct {
	t     *testing.T
	s     *apptest.Service
	token string
}

func newClient(t *testing.T, s *apptest.Service, write, personal bool) *client {
	t.Helper()
	name := fmt.Sprintf("write %v, personal data %v", write, personal)
	return &client{t, s, s.Token(t, access.NewToken{Name: name, Write: write, PersonalData: personal})}
}

// send sends a request. Every answer is held against the OpenAPI document.
func (c *client) send(method, path, body string, headers ...string) apptest.Reply {
	c.t.Helper()
	headers = append(headers, "Authorization", "Bearer "+c.token)
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return c.s.Send(c.t, method, console.Prefix+path, body, headers...)
}

// answer is a JSON object of an answer.
type answer map[string]any

func (a answer) text(name string) string { s, _ := a[name].(string); return s }

func (a answer) list(name string) (list []answer) {
	for _, x := range a[name].([]any) {
		list = append(list, x.(map[string]any))
	}
	return list
}

// want sends a request and fails unless it has this status.
func (c *client) want(status int, method, path, body string, headers ...string) answer {
	c.t.Helper()
	r := c.send(method, path, body, headers...)
	if r.Status != status {
		c.t.Fatalf("%s %s: %d, want %d: %s", method, path, r.Status, status, r.Body)
	}
	var a answer
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(r.Body, &a); err != nil {
			c.t.Fatal(err)
		}
	}
	return a
}

func (c *client) get(path string) answer {
	c.t.Helper()
	return c.want(http.StatusOK, http.MethodGet, path, "")
}

func (c *client) post(path, body string) answer {
	c.t.Helper()
	return c.want(http.StatusOK, http.MethodPost, path, body)
}

// await polls until a condition holds.
func (c *client) await(what string, ready func() bool) {
	c.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !ready(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("it never happened: %s", what)
		}
	}
}

// awaitStatus waits until a lead has a status.
func (c *client) awaitStatus(id, status string) answer {
	c.t.Helper()
	var l answer
	c.await(id+" is "+status, func() bool { l = c.get("/leads/" + id); return l.text("status") == status })
	return l
}

// newEndpoint is a buyer that accepts everything, and repeats the name that it was sent, as careless ones do.
func newEndpoint(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, `{"decision":"accept","ref":"ref-1","echo":`+quote(regexp.MustCompile(`"customer_name":"[^"]*"`).FindString(string(body)))+`}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// newDeliveryEndpoint is a buyer that accepts every offer, and answers deliveries as told, or takes them.
func newDeliveryEndpoint(t *testing.T, deliveries chan int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "lead.delivered") {
			select {
			case status := <-deliveries:
				w.WriteHeader(status)
				return
			default:
			}
		}
		_, _ = io.WriteString(w, `{"decision":"accept"}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// exec changes a database behind the service's back.
func exec(t *testing.T, s *apptest.Service, statement string) {
	t.Helper()
	if _, err := storetest.Raw(t, s.Database).Exec(statement); err != nil {
		t.Fatal(err)
	}
}
