package access_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/access"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

var laptop = access.From{Address: netip.MustParseAddr("192.0.2.7"), Device: "Browser 1.0"}

// user adds a user with a password, and returns it with a session.
func (o *testAccess) user(name string, role store.Role) (session string, s access.Signed) {
	o.t.Helper()
	_, link, err := o.AddUser(o.t.Context(), ada, name, role)
	if err != nil {
		o.t.Fatal(err)
	}
	if session, s, err = o.UseLink(o.t.Context(), laptop, link, "", goodPassword); err != nil {
		o.t.Fatal(err)
	}
	return session, s
}

// valid uses a session, and reports whether it is valid.
func (o *testAccess) valid(session string) bool {
	o.t.Helper()
	_, valid, err := o.UseSession(o.t.Context(), session)
	if err != nil {
		o.t.Fatal(err)
	}
	return valid
}

// newest is the newest entry of the audit trail: who, what, about what, and how.
func (o *testAccess) newest() string {
	o.t.Helper()
	e := storetest.Audit(o.t, o.database)[0]
	detail, err := e.Detail.JSON()
	if err != nil {
		o.t.Fatal(err)
	}
	return fmt.Sprintf("%s %s %q %s", e.Actor, e.Action, e.Subject, detail)
}

// TestFirstOwner makes the first owner by a link, which then works for nobody.
func TestFirstOwner(t *testing.T) {
	o := newTestAccess(t)
	older, err := o.FirstLink(t.Context())
	if err != nil || older == "" {
		t.Fatal(older, err)
	}
	if got := o.newest(); got != `system user.link "" {"role":"owner"}` {
		t.Error(got)
	}
	_, link, err := o.LinkUser(t.Context(), ada, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, valid, err := o.Link(t.Context(), older); valid || err != nil {
		t.Errorf("the older link: %v, %v", valid, err)
	}
	if l, valid, err := o.Link(t.Context(), link); !valid || err != nil || l != (access.UserLink{Role: store.RoleOwner, First: true}) {
		t.Errorf("the link: %+v, %v, %v", l, valid, err)
	}
	if _, _, err := o.UseLink(t.Context(), laptop, link, "Ada Lovelace", "short"); err == nil || !strings.Contains(err.Error(), "--name: the name cannot be used") || !strings.Contains(err.Error(), "--password: the password is too short") {
		t.Errorf("both problems: %v", err)
	}
	session, s, err := o.UseLink(t.Context(), laptop, link, " Ada@Example.com ", goodPassword)
	if err != nil || s.User.Name != "ada@example.com" || s.User.Role != store.RoleOwner || s.Actor() != "user:ada@example.com" || !o.valid(session) {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, used := range []string{link, older, "fl_wrong", "", "fs_x"} {
		if _, _, err := o.UseLink(t.Context(), laptop, used, "eve", goodPassword); !errors.Is(err, access.ErrLinkUsed) {
			t.Errorf("%q again: %v", used, err)
		}
	}
	if link, err := o.FirstLink(t.Context()); link != "" || err != nil {
		t.Errorf("there is a user: %q, %v", link, err)
	}
	if _, _, err := o.LinkUser(t.Context(), ada, ""); err == nil || !strings.Contains(err.Error(), "write the name of one of them: ada@example.com") {
		t.Errorf("a first link after that: %v", err)
	}
	var actions []string
	for _, e := range storetest.Audit(t, o.database)[:3] {
		actions = append(actions, fmt.Sprint(e.Actor, " ", e.Action, " ", e.Detail["address"], " ", e.Detail["device"]))
	}
	const who, where = "user:ada@example.com ", " 192.0.2.7 Browser 1.0"
	if want := []string{who + "user.sign_in" + where, who + "user.password" + where, who + "user.add" + where}; strings.Join(actions, "\n") != strings.Join(want, "\n") {
		t.Errorf("the entries are %q", actions)
	}
}

// TestFirstLinkEndsWithTheFirstUser adds a user on the command line while a first link is out.
func TestFirstLinkEndsWithTheFirstUser(t *testing.T) {
	o := newTestAccess(t)
	link, err := o.FirstLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o.user("ada", store.RoleViewer)
	if _, _, err := o.UseLink(t.Context(), laptop, link, "eve", goodPassword); !errors.Is(err, access.ErrLinkUsed) {
		t.Error(err)
	}
}

// TestLinkIsUsedOnce uses a link in several processes at once, on both engines: one wins.
func TestLinkIsUsedOnce(t *testing.T) {
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		var ids atomic.Int64
		open := func() *access.Access {
			return (&operator.Operator{Store: storetest.Open(t, database), Now: func() time.Time { return storetest.Noon }, NewID: func(prefix string) string { return fmt.Sprint(prefix, ids.Add(1)) }}).Access()
		}
		processes := []*access.Access{open(), open()}
		link, err := processes[0].FirstLink(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var won atomic.Int64
		for i := range 6 {
			all.Go(func() {
				_, _, err := processes[i%2].UseLink(t.Context(), laptop, link, fmt.Sprint("name", i), goodPassword)
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, access.ErrLinkUsed) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if list, err := processes[1].Users(t.Context()); err != nil || won.Load() != 1 || len(list) != 1 {
			t.Errorf("%d won, the users are %+v, %v", won.Load(), list, err)
		}
	})
}

func TestLinkExpires(t *testing.T) {
	o := newTestAccess(t)
	_, link, err := o.AddUser(t.Context(), ada, "bob", store.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	o.now = o.now.Add(30*time.Minute - time.Second)
	if l, valid, err := o.Link(t.Context(), link); !valid || err != nil || l != (access.UserLink{Name: "bob", Role: store.RoleViewer}) {
		t.Errorf("after 29 minutes: %+v, %v, %v", l, valid, err)
	}
	o.now = o.now.Add(time.Second)
	if _, valid, err := o.Link(t.Context(), link); valid || err != nil {
		t.Errorf("after 30 minutes: %v, %v", valid, err)
	}
	if _, _, err := o.UseLink(t.Context(), laptop, link, "", goodPassword); !errors.Is(err, access.ErrLinkUsed) {
		t.Errorf("after 30 minutes: %v", err)
	}
}

// TestSignIn wants the same answer and the same work for a wrong password, an unknown name, and a user without a password.
func TestSignIn(t *testing.T) {
	o := newTestAccess(t)
	_, s := o.user("ada", store.RoleOwner)
	fresh, _, err := o.AddUser(t.Context(), ada, "new", store.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	hashes := access.CountHashes(t)
	for _, c := range []struct{ name, password, subject string }{
		{"ada", "wrong", s.User.ID},
		{"ada", "", s.User.ID},
		{"new", "", fresh.ID},
		{"new", goodPassword, fresh.ID},
		{"nobody", goodPassword, ""},
		{goodPassword, "", ""}, // typed into the wrong field
		{"\x00\xff", goodPassword, ""},
		{"", "", ""},
	} {
		before := hashes.All.Load()
		session, _, err := o.SignIn(t.Context(), laptop, c.name, c.password)
		if !errors.Is(err, access.ErrWrongPassword) || session != "" {
			t.Errorf("%q: %q, %v", c.name, session, err)
		}
		if n := hashes.All.Load() - before; n != 1 {
			t.Errorf("%q: %d hashes", c.name, n)
		}
		if got, want := o.newest(), fmt.Sprintf(`visitor user.sign_in_failed %q {"address":"192.0.2.7","device":"Browser 1.0"}`, c.subject); got != want {
			t.Errorf("%q: %s, want %s", c.name, got, want)
		}
	}
	session, s, err := o.SignIn(t.Context(), laptop, " ADA", goodPassword)
	if err != nil || s.User.Name != "ada" || !s.User.SignedInAt.Equal(o.now) || s.Session.Device != "Browser 1.0" || !o.valid(session) {
		t.Errorf("%+v, %v", s, err)
	}
	if got := o.newest(); !strings.HasPrefix(got, `user:ada user.sign_in "`+s.User.ID+`" {"address":"192.0.2.7","device":"Browser 1.0","session":"ses_`) {
		t.Error(got)
	}
	for _, e := range storetest.Audit(t, o.database) {
		if text := fmt.Sprintf("%+v", e); strings.Contains(text, goodPassword) || strings.Contains(text, "argon2") || strings.Contains(text, session) {
			t.Errorf("an entry holds a secret: %s", text)
		}
	}
}

// TestOldHashIsReplaced signs in with a hash of other parameters, and finds a current one after it.
func TestOldHashIsReplaced(t *testing.T) {
	o := newTestAccess(t)
	_, s := o.user("ada", store.RoleOwner)
	o.update(func(tx *store.Tx) error {
		return tx.Users().SetPassword(s.User.ID, foreignHash(goodPassword, 8<<10, 1, 1))
	})
	for range 2 {
		if _, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword); err != nil {
			t.Fatal(err)
		}
	}
	list, err := o.Users(t.Context())
	if err != nil || !strings.HasPrefix(list[0].Password, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("%+v, %v", list, err)
	}
	o.update(func(tx *store.Tx) error { return tx.Users().SetPassword(s.User.ID, "$argon2id$broken") })
	if _, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword); !errors.Is(err, access.ErrWrongPassword) {
		t.Errorf("a broken hash: %v", err)
	}
}

// TestPasswordChangesDuringSignIn resets a user while its old password is being checked.
func TestPasswordChangesDuringSignIn(t *testing.T) {
	o := newTestAccess(t)
	o.user("ada", store.RoleOwner)
	hashes := access.CountHashes(t)
	hashes.During = func() {
		if _, _, err := o.ResetUser(t.Context(), ada, "ada"); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword); !errors.Is(err, access.ErrWrongPassword) {
		t.Error(err)
	}
}

// TestSessionsExpire uses a session for a month by a clock of the test's.
func TestSessionsExpire(t *testing.T) {
	o := newTestAccess(t)
	began := o.now
	idle, s := o.user("ada", store.RoleOwner)
	used, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	o.now = began.Add(12*time.Hour - time.Minute)
	if _, valid, err := o.FindSession(t.Context(), idle); err != nil || !valid { // a page that was left open
		t.Fatalf("one that was not used is not valid before 12 hours: %v", err)
	}
	if !o.valid(used) {
		t.Fatal("it is not valid before 12 hours")
	}
	o.now = began.Add(12 * time.Hour)
	if o.valid(idle) || !o.valid(used) {
		t.Error("after 12 hours, the one that was not used is valid, or the other one is not")
	}
	if list, err := o.Sessions(t.Context(), s.User.ID); err != nil || len(list) != 1 || !list[0].SeenAt.Equal(o.now.Truncate(time.Minute)) {
		t.Errorf("%+v, %v", list, err)
	}
	for o.now = began; o.now.Before(began.Add(30 * 24 * time.Hour)); o.now = o.now.Add(11 * time.Hour) {
		if o.now.After(began.Add(12*time.Hour)) && !o.valid(used) {
			t.Fatalf("it ended after %s", o.now.Sub(began))
		}
	}
	if o.now = began.Add(30 * 24 * time.Hour); o.valid(used) {
		t.Error("it is valid after 30 days")
	}
	for _, text := range []string{"", "fs_", "fs_wrong", "foy_wrong", used + "x", strings.ToUpper(used)} {
		if o.valid(text) {
			t.Errorf("%q is valid", text)
		}
	}
}

// TestSeenOnceAMinute wants one write in a minute, however often a session is used.
func TestSeenOnceAMinute(t *testing.T) {
	o := newTestAccess(t)
	session, _ := o.user("ada", store.RoleOwner)
	counting := &countingStore{Store: o.Store}
	o.Access.Store = counting
	for range 5 {
		o.now = o.now.Add(10 * time.Second)
		o.valid(session)
	}
	if counting.updates != 0 {
		t.Errorf("%d updates within the first minute", counting.updates)
	}
	o.now = o.now.Add(time.Minute)
	for range 5 {
		o.valid(session)
	}
	if counting.updates != 1 {
		t.Errorf("%d updates in the next", counting.updates)
	}
}

// TestEndSessions ends sessions one by one and together.
func TestEndSessions(t *testing.T) {
	o := newTestAccess(t)
	first, here := o.user("ada", store.RoleOwner)
	other, there := o.user("bob", store.RoleViewer)
	second, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.EndSession(t.Context(), here, laptop, there.Session.ID); lead.KindOf(err) != lead.NotFound || !o.valid(other) {
		t.Errorf("another's: %v", err)
	}
	list, err := o.Sessions(t.Context(), here.User.ID)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, x := range list {
		if x.ID == here.Session.ID {
			continue
		}
		if err := o.EndSession(t.Context(), here, laptop, x.ID); err != nil || o.valid(second) || !o.valid(first) {
			t.Errorf("one of two: %v", err)
		}
		if got := o.newest(); !strings.HasPrefix(got, `user:ada session.end "`+here.User.ID+`"`) || !strings.Contains(got, x.ID) {
			t.Error(got)
		}
	}
	if err := o.EndSession(t.Context(), here, laptop, here.Session.ID); err != nil || o.valid(first) || !strings.HasPrefix(o.newest(), "user:ada user.sign_out") {
		t.Errorf("sign out: %v, %s", err, o.newest())
	}
	var sessions []string
	for range 2 {
		session, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword)
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, session)
	}
	if err := o.EndAllSessions(t.Context(), here, laptop); err != nil || o.valid(sessions[0]) || o.valid(sessions[1]) || !o.valid(other) || !strings.Contains(o.newest(), `"sessions":2`) {
		t.Errorf("everywhere: %v, %s", err, o.newest())
	}
}

func TestChangePassword(t *testing.T) {
	o := newTestAccess(t)
	session, s := o.user("ada", store.RoleOwner)
	other, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword)
	if err != nil {
		t.Fatal(err)
	}
	const next = "another few words"
	if err := o.ChangePassword(t.Context(), s, laptop, "wrong", next); !errors.Is(err, access.ErrWrongPassword) || !strings.HasPrefix(o.newest(), "user:ada user.sign_in_failed") {
		t.Errorf("wrong: %v, %s", err, o.newest())
	}
	if err := o.ChangePassword(t.Context(), s, laptop, goodPassword, "short"); err == nil || !strings.Contains(err.Error(), "too short") {
		t.Errorf("short: %v", err)
	}
	if err := o.ChangePassword(t.Context(), s, laptop, goodPassword, next); err != nil {
		t.Fatal(err)
	}
	if !o.valid(session) || o.valid(other) || !strings.HasPrefix(o.newest(), "user:ada user.password") {
		t.Errorf("the session is valid: %v, the other one: %v; %s", o.valid(session), o.valid(other), o.newest())
	}
	if _, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword); !errors.Is(err, access.ErrWrongPassword) {
		t.Errorf("the old one: %v", err)
	}
	if _, _, err := o.SignIn(t.Context(), laptop, "ada", next); err != nil {
		t.Error(err)
	}
}

// TestDevice stores what a browser calls itself, whatever it sends.
func TestDevice(t *testing.T) {
	o := newTestAccess(t)
	_, link, err := o.AddUser(t.Context(), ada, "ada", store.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	_, s, err := o.UseLink(t.Context(), access.From{Device: "a\x00b\x1b[31m\xff" + strings.Repeat("é", 500)}, link, "", goodPassword)
	if err != nil || !strings.HasPrefix(s.Session.Device, "a b [31m?é") || len([]rune(s.Session.Device)) != 200 {
		t.Errorf("%q, %v", s.Session.Device, err)
	}
}
