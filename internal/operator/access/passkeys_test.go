package access_test

import (
	"errors"
	"fmt"
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

// verified is an answer whose signature is right. The credential after it is made of the one before.
func verified(k store.Passkey, askedAt time.Time) access.PasskeyAnswer {
	return access.PasskeyAnswer{CredentialID: k.CredentialID, UserID: k.UserID, AskedAt: askedAt, Verify: func(_ store.User, k store.Passkey) (string, error) {
		return k.Credential + "+", nil
	}}
}

// passkey adds a passkey.
func (o *testAccess) passkey(s access.Signed, credential string) store.Passkey {
	o.t.Helper()
	k, err := o.AddPasskey(o.t.Context(), s, laptop, access.NewPasskey{CredentialID: credential, Credential: "{}", Name: " Laptop "})
	if err != nil {
		o.t.Fatal(err)
	}
	return k
}

func TestAddPasskey(t *testing.T) {
	o := newTestAccess(t)
	_, s := o.user("ada", store.RoleOwner)
	_, bob := o.user("bob", store.RoleViewer)
	k := o.passkey(s, "one")
	if k.Name != "Laptop" || k.UserID != s.User.ID || !k.CreatedAt.Equal(o.now) || !strings.HasPrefix(k.ID, "key_") {
		t.Errorf("%+v", k)
	}
	if got, want := o.newest(), fmt.Sprintf(`user:ada user.passkey_add %q {"address":"192.0.2.7","device":"Browser 1.0","passkey":%q}`, s.User.ID, k.ID); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if list, err := o.Passkeys(t.Context(), s.User.ID); err != nil || len(list) != 1 || list[0] != k {
		t.Errorf("%+v, %v", list, err)
	}
	if k, err := o.AddPasskey(t.Context(), s, laptop, access.NewPasskey{CredentialID: "two", Credential: "{}"}); err != nil || k.Name != "Browser 1.0" {
		t.Errorf("without a name: %+v, %v", k, err)
	}
	for _, name := range []string{"a\x00b", "a\nb", "\xff", strings.Repeat("é", 61)} {
		if _, err := o.AddPasskey(t.Context(), s, laptop, access.NewPasskey{CredentialID: "bad", Credential: "{}", Name: name}); err == nil || !strings.Contains(err.Error(), "write 1 to 60 characters") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := o.AddPasskey(t.Context(), bob, laptop, access.NewPasskey{CredentialID: "one", Credential: "{}"}); err == nil || !strings.Contains(err.Error(), "added already") {
		t.Errorf("another's: %v", err)
	}
	o.now = o.now.Add(10*time.Minute + time.Second) // the session may have been taken over
	if _, err := o.AddPasskey(t.Context(), s, laptop, access.NewPasskey{CredentialID: "three", Credential: "{}", Password: "a wrong password"}); !errors.Is(err, access.ErrWrongPassword) || !strings.HasPrefix(o.newest(), "user:ada user.sign_in_failed") {
		t.Errorf("a while after signing in: %v, %s", err, o.newest())
	}
	if _, err := o.AddPasskey(t.Context(), s, laptop, access.NewPasskey{CredentialID: "three", Credential: "{}", Password: goodPassword}); err != nil {
		t.Errorf("with the password: %v", err)
	}
	o.now = s.Session.CreatedAt
	for i := range 17 {
		o.passkey(s, fmt.Sprint("more", i))
	}
	if _, err := o.AddPasskey(t.Context(), s, laptop, access.NewPasskey{CredentialID: "last", Credential: "{}"}); err == nil || !strings.Contains(err.Error(), "you have 20 passkeys") {
		t.Errorf("one too many: %v", err)
	}
	if _, _, err := o.ResetUser(t.Context(), ada, "bob"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.AddPasskey(t.Context(), bob, laptop, access.NewPasskey{CredentialID: "late", Credential: "{}"}); err == nil || !strings.Contains(err.Error(), "your session has ended") {
		t.Errorf("after a reset: %v", err)
	}
}

func TestRemovePasskey(t *testing.T) {
	o := newTestAccess(t)
	_, s := o.user("ada", store.RoleOwner)
	_, bob := o.user("bob", store.RoleViewer)
	k := o.passkey(s, "one")
	if err := o.RemovePasskey(t.Context(), bob, laptop, k.ID); lead.KindOf(err) != lead.NotFound {
		t.Errorf("another's: %v", err)
	}
	if err := o.RemovePasskey(t.Context(), s, laptop, k.ID); err != nil {
		t.Fatal(err)
	}
	if got, want := o.newest(), fmt.Sprintf(`user:ada user.passkey_remove %q {"address":"192.0.2.7","device":"Browser 1.0","passkey":%q}`, s.User.ID, k.ID); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if err := o.RemovePasskey(t.Context(), s, laptop, k.ID); lead.KindOf(err) != lead.NotFound {
		t.Errorf("twice: %v", err)
	}
}

// TestSignInWithPasskey signs in, and then refuses what does not fit, with the answer of a wrong password. The audit trail tells why.
func TestSignInWithPasskey(t *testing.T) {
	o := newTestAccess(t)
	_, s := o.user("ada", store.RoleOwner)
	_, bob := o.user("bob", store.RoleViewer)
	k, other := o.passkey(s, "one"), o.passkey(bob, "two")
	asked := o.now
	o.now = o.now.Add(time.Second)
	session, signed, err := o.SignInWithPasskey(t.Context(), laptop, verified(k, asked))
	if err != nil || signed.User.Name != "ada" || !signed.User.SignedInAt.Equal(o.now) || !o.valid(session) {
		t.Fatalf("%+v, %v", signed, err)
	}
	if got, want := o.newest(), fmt.Sprintf(`user:ada user.sign_in %q {"address":"192.0.2.7","device":"Browser 1.0","passkey":%q,"session":%q}`, s.User.ID, k.ID, signed.Session.ID); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if list, err := o.Passkeys(t.Context(), s.User.ID); err != nil || list[0].Credential != "{}+" || !list[0].UsedAt.Equal(o.now) {
		t.Errorf("%+v, %v", list, err)
	}
	later := o.now.Add(time.Second)
	refusal := func(r access.PasskeyRefusal) access.PasskeyAnswer {
		answer := verified(k, later)
		answer.Verify = func(store.User, store.Passkey) (string, error) { return "", r }
		return answer
	}
	with := func(credential, user string) access.PasskeyAnswer {
		answer := verified(k, later)
		answer.CredentialID, answer.UserID = credential, user
		return answer
	}
	for name, c := range map[string]struct {
		answer                   access.PasskeyAnswer
		subject, passkey, reason string
	}{
		"the same answer again":    {verified(k, asked), s.User.ID, k.ID, "answer is not new"},
		"a challenge of that time": {verified(k, o.now), s.User.ID, k.ID, "answer is not new"},
		"a wrong signature":        {refusal(access.PasskeyWrong), s.User.ID, k.ID, "wrong answer"},
		"a copy":                   {refusal(access.PasskeyCounter), s.User.ID, k.ID, "counter went back"},
		"an unknown one":           {with("three", s.User.ID), s.User.ID, "", "unknown"},
		"one of another user":      {with(other.CredentialID, s.User.ID), s.User.ID, "", "unknown"},
		"no user":                  {with(k.CredentialID, "usr_9"), "", "", "unknown"},
		"nothing":                  {with("", ""), "", "", "unknown"},
		"no text":                  {with("one", "\x00\xff"), "", "", "unknown"},
	} {
		session, _, err := o.SignInWithPasskey(t.Context(), laptop, c.answer)
		if !errors.Is(err, access.ErrWrongPassword) || session != "" {
			t.Errorf("%s: %q, %v", name, session, err)
		}
		passkey := ""
		if c.passkey != "" {
			passkey = fmt.Sprintf(`"passkey":%q,`, c.passkey)
		}
		if got, want := o.newest(), fmt.Sprintf(`visitor user.sign_in_failed %q {"address":"192.0.2.7","device":"Browser 1.0",%s"reason":%q}`, c.subject, passkey, c.reason); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	broken := errors.New("broken")
	answer := verified(k, later)
	answer.Verify = func(store.User, store.Passkey) (string, error) { return "", broken }
	if _, _, err := o.SignInWithPasskey(t.Context(), laptop, answer); !errors.Is(err, broken) {
		t.Errorf("a bug: %v", err)
	}
	if _, _, err := o.SignInWithPasskey(t.Context(), laptop, verified(k, later)); err != nil { // by the clock of another process, which is ahead
		t.Errorf("a new answer: %v", err)
	}
	if _, _, err := o.SignInWithPasskey(t.Context(), laptop, verified(k, later)); !errors.Is(err, access.ErrWrongPassword) {
		t.Errorf("and again: %v", err)
	}
}

// TestPasskeyGoesDuringSignIn removes a passkey, or resets its user, while an answer is being verified.
func TestPasskeyGoesDuringSignIn(t *testing.T) {
	for name, do := range map[string]func(o *testAccess, s access.Signed, k store.Passkey) error{
		"removed": func(o *testAccess, s access.Signed, k store.Passkey) error {
			return o.RemovePasskey(t.Context(), s, laptop, k.ID)
		},
		"reset": func(o *testAccess, _ access.Signed, _ store.Passkey) error {
			_, _, err := o.ResetUser(t.Context(), ada, "bob")
			return err
		},
		"user removed": func(o *testAccess, _ access.Signed, _ store.Passkey) error {
			_, err := o.RemoveUser(t.Context(), ada, "bob")
			return err
		},
	} {
		o := newTestAccess(t)
		_, s := o.user("bob", store.RoleViewer)
		k := o.passkey(s, "one")
		answer := verified(k, o.now)
		answer.Verify = func(_ store.User, k store.Passkey) (string, error) { return k.Credential, do(o, s, k) }
		if _, _, err := o.SignInWithPasskey(t.Context(), laptop, answer); !errors.Is(err, access.ErrWrongPassword) {
			t.Errorf("%s: %v", name, err)
		}
		if list, err := o.Passkeys(t.Context(), s.User.ID); err != nil || len(list) != 0 {
			t.Errorf("%s: left %+v, %v", name, list, err)
		}
	}
}

// TestPasskeyAnswerIsUsedOnce sends an answer to several processes at once, on both engines: one signs in.
func TestPasskeyAnswerIsUsedOnce(t *testing.T) {
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
		_, s, err := processes[0].UseLink(t.Context(), laptop, link, "ada", goodPassword)
		if err != nil {
			t.Fatal(err)
		}
		k, err := processes[0].AddPasskey(t.Context(), s, laptop, access.NewPasskey{CredentialID: "one", Credential: "{}"})
		if err != nil {
			t.Fatal(err)
		}
		answer := verified(k, storetest.Noon)
		answer.Verify = func(_ store.User, k store.Passkey) (string, error) { return k.Credential, nil } // a passkey without a counter
		var all sync.WaitGroup
		var won atomic.Int64
		for i := range 6 {
			all.Go(func() {
				_, _, err := processes[i%2].SignInWithPasskey(t.Context(), laptop, answer)
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, access.ErrWrongPassword) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("%d signed in", won.Load())
		}
	})
}
