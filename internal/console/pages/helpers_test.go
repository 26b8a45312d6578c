package pages_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/store"
)

const password = "a few plain words"

// person uses the console as a browser without script does.
type person struct {
	t      *testing.T
	s      *apptest.Service
	cookie string
}

// signIn adds a user, opens their link and chooses a password.
func signIn(t *testing.T, s *apptest.Service, name string, role store.Role) *person {
	t.Helper()
	op, err := app.OpenOperator(t.Context(), s.Data, false, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	_, link, err := op.Access().AddUser(t.Context(), "cli:test", name, role)
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, s: s}
	r := p.post("/link/"+link, "password", password)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("the link: %d %s", r.Status, r.Body)
	}
	p.cookie = cookieOf(r, "foyer-session")
	return p
}

// cookieOf is the value of a cookie that an answer sets.
func cookieOf(r apptest.Reply, name string) string {
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if strings.TrimPrefix(c.Name, "__Host-") == name {
			return c.Value
		}
	}
	return ""
}

// get asks for a page.
func (p *person) get(path string, headers ...string) apptest.Reply {
	p.t.Helper()
	return p.send(http.MethodGet, path, "", headers...)
}

// post sends a form, as a page of the console does. Its values come in pairs.
func (p *person) post(path string, values ...string) apptest.Reply {
	p.t.Helper()
	return p.send(http.MethodPost, path, form(values...), "Sec-Fetch-Site", "same-origin")
}

func form(values ...string) string {
	f := url.Values{}
	for i := 0; i+1 < len(values); i += 2 {
		f.Add(values[i], values[i+1])
	}
	return f.Encode()
}

func (p *person) send(method, path, body string, headers ...string) apptest.Reply {
	p.t.Helper()
	if p.cookie != "" {
		headers = append(headers, "Cookie", "foyer-session="+p.cookie)
	}
	if method == http.MethodPost {
		headers = append(headers, "Content-Type", apptest.FormType)
	}
	return p.s.Send(p.t, method, "/console"+path, body, headers...)
}

// shows gets a page and wants texts on it.
func (p *person) shows(path string, texts ...string) string {
	p.t.Helper()
	r := p.get(path)
	if r.Status != http.StatusOK {
		p.t.Fatalf("%s: %d\n%s", path, r.Status, plain(r.Body))
	}
	for _, text := range texts {
		if !strings.Contains(plain(r.Body), text) {
			p.t.Errorf("%s does not say %q:\n%s", path, text, plain(r.Body))
		}
	}
	return string(r.Body)
}

// does sends a form and wants it to be done: the person is led to a page.
func (p *person) does(path string, values ...string) (to string) {
	p.t.Helper()
	r := p.post(path, values...)
	if r.Status != http.StatusSeeOther {
		p.t.Fatalf("%s %v: %d\n%s", path, values, r.Status, plain(r.Body))
	}
	return r.Header.Get("Location")
}

// answers sends a form and wants its page to show something at once.
func (p *person) answers(path string, texts []string, values ...string) string {
	p.t.Helper()
	r := p.post(path, values...)
	for _, text := range texts {
		if r.Status != http.StatusOK || !strings.Contains(plain(r.Body), text) {
			p.t.Errorf("%s: %d does not say %q:\n%s", path, r.Status, text, plain(r.Body))
		}
	}
	return string(r.Body)
}

// refuses sends a form and wants it to be refused with a text.
func (p *person) refuses(status int, path, text string, values ...string) {
	p.t.Helper()
	if r := p.post(path, values...); r.Status != status || !strings.Contains(plain(r.Body), text) {
		p.t.Errorf("%s %v: got %d, want %d with %q:\n%s", path, values, r.Status, status, text, plain(r.Body))
	}
}

var (
	tags   = regexp.MustCompile(`(?s)<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// plain is what a person reads on a page.
func plain(page []byte) string {
	text := tags.ReplaceAllString(string(page), " ")
	return spaces.ReplaceAllString(strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">", "&#43;", "+").Replace(text), " ")
}

// newEndpoint is a buyer that accepts everything.
func newEndpoint(t *testing.T, answer string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// find returns the first match of a pattern on a page.
func find(t *testing.T, page, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no %s on the page:\n%s", pattern, plain([]byte(page)))
	}
	return m[len(m)-1]
}
