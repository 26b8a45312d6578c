package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store"
)

// AddUser adds a user with a link, a session and a passkey.
func AddUser(tx *store.Tx, a store.User) error {
	return errors.Join(
		tx.Users().Add(a),
		tx.Users().AddLink(store.UserLink{Hash: hashOf("link", a.ID), UserID: a.ID, CreatedAt: a.CreatedAt, ExpiresAt: a.CreatedAt.Add(time.Hour)}),
		tx.Users().AddSession(sessionOf(a, "1")),
		tx.Users().AddPasskey(passkeyOf(a, "1")),
	)
}

// hashOf is as long as a hash.
func hashOf(words ...string) string {
	text := strings.Join(words, "")
	return text + strings.Repeat("0", 64-len(text))
}

// sessionOf is a session of a user.
func sessionOf(a store.User, n string) store.Session {
	return store.Session{
		ID: "ses_" + a.ID + n, Hash: hashOf("session", a.ID, n), UserID: a.ID, Device: "Browser " + n,
		CreatedAt: a.CreatedAt, SeenAt: a.CreatedAt, ExpiresAt: a.CreatedAt.Add(time.Hour),
	}
}

// passkeyOf is a passkey of a user.
func passkeyOf(a store.User, n string) store.Passkey {
	return store.Passkey{ID: "key_" + a.ID + n, UserID: a.ID, CredentialID: "credential-" + a.ID + n, Credential: `{"n":` + n + `}`, Name: "Laptop " + n, CreatedAt: a.CreatedAt}
}

func (c Contract) users(t *testing.T) {
	t.Run("they are found by id and name", c.findUsers)
	t.Run("links", c.userLinks)
	t.Run("sessions", c.sessions)
	t.Run("passkeys", c.passkeys)
	t.Run("what belongs to a user goes with it", c.removeUser)
}

// usersStore has the users ada and bob.
func (c Contract) usersStore(t *testing.T) (s *store.Store, ada, bob store.User) {
	s = c.store(t)
	ada = store.User{ID: "usr_1", Name: "ada", Role: store.RoleOwner, Password: "hash", CreatedAt: Noon, CreatedBy: "cli:ada", SignedInAt: Noon.Add(time.Hour)}
	bob = store.User{ID: "usr_2", Name: "bob", Role: store.RoleViewer, CreatedAt: Noon, CreatedBy: "cli:ada"}
	update(t, s, func(tx *store.Tx) error { return errors.Join(AddUser(tx, bob), AddUser(tx, ada)) })
	return s, ada, bob
}

func (c Contract) findUsers(t *testing.T) {
	s, ada, bob := c.usersStore(t)
	ada.Role, bob.Password, bob.SignedInAt = store.RoleOperator, "other", Noon.Add(time.Minute)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Users().SetRole("usr_1", store.RoleOperator), tx.Users().SetPassword("usr_2", "other"), tx.Users().SignIn("usr_2", Noon.Add(time.Minute)))
	})
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Users().List()
		if diff := cmp.Diff([]store.User{ada, bob}, list); err != nil || diff != "" {
			t.Errorf("%v: the list (-want +got):\n%s", err, diff)
		}
		byID, found, err := tx.Users().Find("usr_1")
		if err != nil || !found || byID != ada {
			t.Errorf("by id: %+v, %v, %v", byID, found, err)
		}
		byName, found, err := tx.Users().FindName("bob")
		if err != nil || !found || byName != bob {
			t.Errorf("by name: %+v, %v, %v", byName, found, err)
		}
		if _, found, err := tx.Users().FindName("Bob"); found || err != nil {
			t.Errorf("names are lower-case: %v, %v", found, err)
		}
		return nil
	})
	for name, do := range map[string]func(*store.Tx) error{
		"a name twice":   func(tx *store.Tx) error { ada.ID = "usr_9"; return tx.Users().Add(ada) },
		"no such role":   func(tx *store.Tx) error { return tx.Users().SetRole("usr_1", "boss") },
		"nobody's role":  func(tx *store.Tx) error { return tx.Users().SetRole("usr_9", store.RoleOwner) },
		"nobody's hash":  func(tx *store.Tx) error { return tx.Users().SetPassword("usr_9", "x") },
		"remove nobody":  func(tx *store.Tx) error { return tx.Users().Remove("usr_9") },
		"sign nobody in": func(tx *store.Tx) error { return tx.Users().SignIn("usr_9", Noon) },
	} {
		if err := s.Update(t.Context(), do); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func (c Contract) userLinks(t *testing.T) {
	s, _, _ := c.usersStore(t)
	update(t, s, func(tx *store.Tx) error {
		l, found, err := tx.Users().FindLink(hashOf("link", "usr_1"))
		want := store.UserLink{Hash: hashOf("link", "usr_1"), UserID: "usr_1", CreatedAt: Noon, ExpiresAt: Noon.Add(time.Hour)}
		if err != nil || !found || l != want {
			t.Errorf("%+v, %v, %v", l, found, err)
		}
		return tx.Users().RemoveLinks("usr_1")
	})
	update(t, s, func(tx *store.Tx) error {
		_, gone, err := tx.Users().FindLink(hashOf("link", "usr_1"))
		_, stays, otherErr := tx.Users().FindLink(hashOf("link", "usr_2"))
		if gone || !stays {
			t.Errorf("found %v, the other one %v", gone, stays)
		}
		return errors.Join(err, otherErr)
	})
}

func (c Contract) sessions(t *testing.T) {
	s, ada, bob := c.usersStore(t)
	second := sessionOf(ada, "2")
	second.CreatedAt = Noon.Add(time.Minute)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Users().AddSession(second), tx.Users().SeeSession(second.ID, Noon.Add(2*time.Minute)), tx.Users().SeeSession(second.ID, Noon))
	})
	second.SeenAt = Noon.Add(2 * time.Minute) // it never goes back
	ids := func(tx *store.Tx, a store.User) []string {
		list, err := tx.Users().Sessions(a.ID)
		if err != nil {
			t.Error(err)
		}
		var ids []string
		for _, x := range list {
			ids = append(ids, x.ID)
		}
		return ids
	}
	update(t, s, func(tx *store.Tx) error {
		if x, found, err := tx.Users().FindSession(second.Hash); err != nil || !found || x != second {
			t.Errorf("%+v, %v, %v; want %+v", x, found, err, second)
		}
		if list := ids(tx, ada); !slices.Equal(list, []string{second.ID, "ses_usr_11"}) {
			t.Errorf("newest first: %v", list)
		}
		ended, err := tx.Users().EndSession(bob.ID, second.ID)
		if err != nil || ended {
			t.Errorf("another's session: %v, %v", ended, err)
		}
		n, err := tx.Users().EndSessions(ada.ID, second.ID)
		if err != nil || n != 1 {
			t.Errorf("ended %d, %v", n, err)
		}
		if ended, err = tx.Users().EndSession(ada.ID, second.ID); err != nil || !ended {
			t.Errorf("the own session: %v, %v", ended, err)
		}
		if of := fmt.Sprint(ids(tx, ada), ids(tx, bob)); of != "[] [ses_usr_21]" {
			t.Errorf("left: %s", of)
		}
		return nil
	})
}

func (c Contract) passkeys(t *testing.T) {
	s, ada, bob := c.usersStore(t)
	second := passkeyOf(ada, "2")
	second.CreatedAt = Noon.Add(time.Minute)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Users().AddPasskey(second), tx.Users().UsePasskey(second.ID, `{"n":3}`, Noon.Add(time.Hour)))
	})
	second.Credential, second.UsedAt = `{"n":3}`, Noon.Add(time.Hour)
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Users().Passkeys(ada.ID)
		if diff := cmp.Diff([]store.Passkey{second, passkeyOf(ada, "1")}, list); err != nil || diff != "" {
			t.Errorf("%v: the list, newest first (-want +got):\n%s", err, diff)
		}
		if k, found, err := tx.Users().FindPasskey(second.CredentialID); err != nil || !found || k != second {
			t.Errorf("%+v, %v, %v; want %+v", k, found, err, second)
		}
		if _, found, err := tx.Users().FindPasskey("credential-"); err != nil || found {
			t.Errorf("an unknown one: %v, %v", found, err)
		}
		removed, err := tx.Users().RemovePasskey(bob.ID, second.ID)
		if err != nil || removed {
			t.Errorf("another's passkey: %v, %v", removed, err)
		}
		if removed, err = tx.Users().RemovePasskey(ada.ID, second.ID); err != nil || !removed {
			t.Errorf("the own passkey: %v, %v", removed, err)
		}
		return nil
	})
	for name, do := range map[string]func(*store.Tx) error{
		"a credential twice": func(tx *store.Tx) error {
			twice := passkeyOf(ada, "1")
			twice.ID = "key_9"
			return tx.Users().AddPasskey(twice)
		},
		"use a removed one": func(tx *store.Tx) error { return tx.Users().UsePasskey(second.ID, "{}", Noon) },
	} {
		if err := s.Update(t.Context(), do); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func (c Contract) removeUser(t *testing.T) {
	s, _, bob := c.usersStore(t)
	update(t, s, func(tx *store.Tx) error { return tx.Users().Remove("usr_1") })
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Users().List()
		_, link, linkErr := tx.Users().FindLink(hashOf("link", "usr_1"))
		_, session, sessionErr := tx.Users().FindSession(hashOf("session", "usr_1", "1"))
		_, passkey, passkeyErr := tx.Users().FindPasskey("credential-usr_11")
		if len(list) != 1 || list[0] != bob || link || session || passkey {
			t.Errorf("left: %+v, link %v, session %v, passkey %v", list, link, session, passkey)
		}
		return errors.Join(err, linkErr, sessionErr, passkeyErr)
	})
}
