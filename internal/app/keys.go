package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/keyring"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// databaseKeys are the keys of a database, as a process found or created them.
type databaseKeys struct {
	*keyring.Ring
	created string // the new key file, "" if it existed before
}

// keyCaller is the kind of process that opens keys. It decides whether keys may be created.
type keyCaller int

const (
	callerOperator keyCaller = iota // creates keys for an empty database only: the service may keep its file elsewhere
	callerService                   // also for a SQLite database from a version without keys
	callerKeysInit                  // always
)

// checkMayCreate refuses to create keys where they would only look right: in the directory that a command happens to run in, for
// a database server that other machines also use.
func (c keyCaller) checkMayCreate(ctx context.Context, st *store.Store, d config.Data) error {
	if c == callerKeysInit || c == callerService && strings.HasPrefix(string(d.Database), "sqlite:") {
		return nil
	}
	empty, err := st.Empty(ctx)
	if err == nil && !empty {
		err = fmt.Errorf("keys: %s has leads and no keys yet, and %s is missing: make them once with foyer keys init, and copy the file to every machine", store.Redacted(string(d.Database)), d.KeyFile())
	}
	return err
}

// openKeys opens the keys that belong to a database, and creates them if it has none yet. With other keys the same person
// would get another index and the same lead another id, so a process with other keys, or none, is refused. Fingerprints that an
// older version stored without a key get theirs here, before anything is compared with them.
func openKeys(ctx context.Context, st *store.Store, d config.Data, c keyCaller, by audit.Actor) (databaseKeys, error) {
	var k databaseKeys
	for range 10 { // retries if another process changed the ids in between
		known, err := st.Keys(ctx)
		if err != nil {
			return k, err
		}
		if err := k.open(ctx, st, d, known, c); err != nil {
			return k, err
		}
		if err := checkKeys(d, k.Ring, known); err != nil {
			return k, err
		}
		have := keyIDs(k.Ring)
		if firstMissing(have, known) == "" {
			key := k.Key(keyring.Index)
			return k, st.RekeyFingerprints(ctx, func(r lead.Request) string { return r.Fingerprint(key) })
		}
		if err := registerKeys(ctx, st, known, have, by, audit.KeysRegister); err != nil && !errors.Is(err, errKeysChanged) {
			return k, err
		}
	}
	return k, fmt.Errorf("keys: other processes keep changing the keys of %s", store.Redacted(string(d.Database)))
}

// registerKeys replaces the key ids of a database. If another process changed them meanwhile, it returns errKeysChanged.
func registerKeys(ctx context.Context, st *store.Store, known, ids []string, by audit.Actor, action audit.Action) error {
	now := clock()
	done, err := st.RegisterKeys(ctx, known, ids, now, audit.Entry{
		At: now, Actor: by, Action: action, Detail: audit.Detail{"before": append([]string{}, known...), "after": ids},
	})
	if err == nil && !done {
		err = errKeysChanged
	}
	return err
}

var errKeysChanged = errors.New("another process has changed the keys")

// open reads the key file. It creates the file only for a database that was never used with keys, and adds the keys that this
// version needs and the file lacks.
func (k *databaseKeys) open(ctx context.Context, st *store.Store, d config.Data, known []string, c keyCaller) (err error) {
	k.Ring, err = keyring.Open(d.KeyFile())
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(known) > 0:
		return fmt.Errorf("keys: %s is missing; %s needs the file with the key %s: copy it there from %s, or name it with --keys; if it is lost, foyer keys init --replace makes new keys",
			d.KeyFile(), store.Redacted(string(d.Database)), known[0], keyFileSource(d))
	case errors.Is(err, fs.ErrNotExist):
		if err := c.checkMayCreate(ctx, st, d); err != nil {
			return err
		}
		return k.create(d)
	case err != nil || checkKeys(d, k.Ring, known) != nil:
		return err
	}
	return k.complete(d)
}

func (k *databaseKeys) create(d config.Data) (err error) {
	if k.Ring, err = keyring.Create(d.KeyFile(), time.Now()); err != nil {
		return fmt.Errorf("%w; --keys names another place for them", err)
	}
	k.created = d.KeyFile()
	return nil
}

// complete adds the keys that an older file lacks.
func (k *databaseKeys) complete(d config.Data) error {
	missing := k.Missing()
	if len(missing) == 0 {
		return nil
	}
	ring, err := keyring.Add(d.KeyFile(), time.Now())
	if err != nil {
		return fmt.Errorf("keys: %s lacks the key %s, which this version needs, and it could not be added: %w", d.KeyFile(), missing[0], errors.Unwrap(err))
	}
	k.Ring = ring
	return nil
}

// checkKeys refuses a ring that lacks a key of the database, or that has another key under a name that the database knows.
func checkKeys(d config.Data, ring *keyring.Ring, known []string) error {
	have := keyIDs(ring)
	if id := firstMissing(known, have); id != "" {
		return wrongKeysError(d, "lacks the key "+id)
	}
	for _, id := range have {
		if !slices.Contains(known, id) && slices.ContainsFunc(known, func(other string) bool { return keyring.NameOf(other) == keyring.NameOf(id) }) {
			return wrongKeysError(d, "has the key "+id+", which the database does not know")
		}
	}
	return nil
}

// firstMissing returns the first of want that is not in have, or "".
func firstMissing(want, have []string) string {
	for _, id := range want {
		if !slices.Contains(have, id) {
			return id
		}
	}
	return ""
}

func wrongKeysError(d config.Data, how string) error {
	return fmt.Errorf("keys: %s is not the key file of %s: it %s; copy the right one there from %s, or name it with --keys; if it is lost, foyer keys init --replace goes on with the keys in this file",
		d.KeyFile(), store.Redacted(string(d.Database)), how, keyFileSource(d))
}

// keyFileSource says where to find the right file.
func keyFileSource(d config.Data) string {
	if strings.HasPrefix(string(d.Database), "sqlite:") {
		return "your copy of it, or from where this database was before"
	}
	return "a machine where foyer runs on this database, or from your copy of it"
}

func keyIDs(ring *keyring.Ring) []string {
	list := make([]string, 0, len(ring.Keys()))
	for _, k := range ring.Keys() {
		list = append(list, k.ID)
	}
	return list
}

// KeysReady says what InitKeys did to make a database and a key file match.
type KeysReady struct {
	Made       bool // the file is new
	Registered bool // the database did not know all the keys before
	Replaced   bool // the database knew other keys, which it no longer does
}

// InitKeys creates keys if there are none, and registers them with a database, which it also creates. If the database was used
// with other keys, only replace switches it to those of the file.
func InitKeys(ctx context.Context, by audit.Actor, d config.Data, replace bool) (ready KeysReady, err error) {
	st, err := store.Open(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return ready, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	before, err := st.Keys(ctx)
	if err != nil {
		return ready, err
	}
	var k databaseKeys
	if replace {
		k, err = replaceKeys(ctx, by, st, d, before)
	} else {
		k, err = openKeys(ctx, st, d, callerKeysInit, by)
	}
	if err != nil {
		return ready, err
	}
	have := keyIDs(k.Ring)
	return KeysReady{Made: k.created != "", Registered: firstMissing(have, before) != "", Replaced: firstMissing(before, have) != ""}, nil
}

// replaceKeys switches a database to the keys of the file, whatever it was used with before. It refuses while a service runs: that
// service would keep writing with the old keys.
func replaceKeys(ctx context.Context, by audit.Actor, st *store.Store, d config.Data, before []string) (k databaseKeys, err error) {
	k.Ring, err = keyring.Open(d.KeyFile())
	lost := errors.Is(err, fs.ErrNotExist)
	if err != nil && !lost || err == nil && slices.Equal(before, slices.Sorted(slices.Values(keyIDs(k.Ring)))) {
		return k, err
	}
	alone, err := st.AcquireInstance(ctx)
	switch {
	case err != nil:
		return k, err
	case !alone:
		return k, fmt.Errorf("a service is on %s: stop it first, on every machine", store.Redacted(string(d.Database)))
	case lost:
		err = k.create(d)
	default:
		err = k.complete(d)
	}
	if err != nil {
		return k, err
	}
	err = registerKeys(ctx, st, before, keyIDs(k.Ring), by, audit.KeysReplace)
	if errors.Is(err, errKeysChanged) {
		err = fmt.Errorf("another process has changed the keys of %s meanwhile: look at foyer keys list", store.Redacted(string(d.Database)))
	}
	return k, err
}
