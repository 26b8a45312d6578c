package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/audit"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// visitor is somebody who is signed in.
type visitor struct {
	t       *testing.T
	s       *apptest.Service
	session string
}

// visitAs adds a user with a role and signs in.
func visitAs(t *testing.T, s *apptest.Service, role store.Role) visitor {
	t.Helper()
	var link string
	operate(t, s, func(op *operator.Operator) (err error) {
		_, link, err = op.Access().AddUser(t.Context(), "cli:test", "pat-"+string(role), role)
		return err
	})
	r := visitor{t, s, ""}.post("/link/"+link, "password", "a long password")
	session, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
	if r.Status != http.StatusSeeOther || !strings.HasPrefix(session, "foyer-session=") {
		t.Fatalf("signing in: %d, %s", r.Status, session)
	}
	return visitor{t, s, session}
}

func operate(t *testing.T, s *apptest.Service, do func(*operator.Operator) error) {
	t.Helper()
	op, err := app.OpenOperator(t.Context(), s.Data, false, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	if err := do(op.Operator); err != nil {
		t.Fatal(err)
	}
}

func (v visitor) get(path string) string {
	v.t.Helper()
	return string(v.s.Send(v.t, http.MethodGet, path, "", "Cookie", v.session).Body)
}

func (v visitor) post(path string, pairs ...string) apptest.Reply {
	v.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return v.s.Send(v.t, http.MethodPost, "/console"+path, form.Encode(), "Content-Type", apptest.FormType, "Sec-Fetch-Site", "same-origin", "Cookie", v.session)
}

// wants checks a status, and that the body contains all texts.
func (v visitor) wants(what string, r apptest.Reply, status int, texts ...string) {
	v.t.Helper()
	for _, text := range texts {
		if !strings.Contains(string(r.Body), text) {
			v.t.Errorf("%s: the page has no %q", what, text)
		}
	}
	if r.Status != status {
		v.t.Errorf("%s: status %d, want %d", what, r.Status, status)
	}
}

// TestPractice presses the two buttons of a fresh service: first in the wrong order, then in the right one.
func TestPractice(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	v, viewer := visitAs(t, s, store.RoleOwner), visitAs(t, s, store.RoleViewer)
	const start, send = "Start a practice buyer</button>", "Send a test lead</button>"
	if today := v.get("/console"); !strings.Contains(today, start) || strings.Contains(today, send) {
		t.Error("Today does not offer a practice buyer, and only that")
	}
	if today := viewer.get("/console"); strings.Contains(today, start) || strings.Contains(today, send) {
		t.Error("Today offers practice to a viewer")
	}
	viewer.wants("a viewer", viewer.post("/practice/start"), http.StatusForbidden)
	viewer.wants("a viewer", viewer.post("/practice/lead"), http.StatusForbidden)
	v.wants("too early", v.post("/practice/lead"), http.StatusConflict, "Nothing was sent: no active practice buyer", send)
	if r := v.post("/practice/start"); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/console?done=practice-start" {
		t.Fatalf("started: %d to %s", r.Status, r.Header.Get("Location"))
	}
	v.wants("twice", v.post("/practice/start"), http.StatusConflict, "There is a practice buyer already", send)
	if today := v.get("/console?done=practice-start"); !strings.Contains(today, "The practice buyer is active.") || strings.Contains(today, start) || !strings.Contains(today, send) {
		t.Error("Today does not offer to send a test lead")
	}
	r := v.post("/practice/lead")
	path, done, _ := strings.Cut(r.Header.Get("Location"), "?")
	id, atLead := strings.CutPrefix(path, "/console/leads/")
	if r.Status != http.StatusSeeOther || !atLead || done != "done=practice-lead" {
		t.Fatalf("sent: %d to %s", r.Status, r.Header.Get("Location"))
	}
	if page := v.get(path); !strings.Contains(page, "Sold to Practice buyer, ") {
		t.Errorf("the lead was not sold at once:\n%s", page)
	}
	if list := storetest.Audit(t, s.Database); list[0].Action != audit.LeadTest || list[0].Subject != id || list[0].Actor != audit.User("pat-owner") {
		t.Errorf("the trail ends with %+v", list[0])
	}
	if page := v.get("/console/buyers"); !strings.Contains(page, "active, practice") {
		t.Error("the list of buyers does not say that it is for practice")
	}
	if today := v.get("/console"); !strings.Contains(today, send) {
		t.Error("after the first test lead there is no way to send another")
	}
	operate(t, s, func(op *operator.Operator) error {
		_, _, err := op.Add(t.Context(), "cli:test", operator.New{Live: true, Terms: entered.Terms{Name: new("Cool Air"), URL: new("https://buyer.example.com/leads"), Services: new("all")}})
		return err
	})
	if today := v.get("/console"); strings.Contains(today, send) {
		t.Error("a test lead is offered beside a real buyer")
	}
	v.wants("beside a real buyer", v.post("/practice/lead"), http.StatusConflict, "that one would get it and pay for it")
}

// TestTestLeadsDoNotRepeat sends many: none is held because it repeats another, or because of the limit of its number.
func TestTestLeadsDoNotRepeat(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	v := visitAs(t, s, store.RoleOperator)
	v.post("/practice/start")
	const many = 12
	for range many {
		if r := v.post("/practice/lead"); r.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	if n := storetest.QueryInt(t, storetest.Raw(t, s.Database), `SELECT COUNT(*) FROM leads WHERE status = 'forwarded'`); n < many-1 { // two are the same once in a hundred runs
		t.Errorf("%d of %d were sold", n, many)
	}
	s.WantAddresses(t, "user:")
}
