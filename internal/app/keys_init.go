package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/keyring"
	"foyer/internal/store"
)

// KeysReady says what InitKeys did to make a database and a key file match.
type KeysReady struct {
	File       string
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
	return KeysReady{File: d.KeyFile(), Made: k.created != "", Registered: firstMissing(have, before) != "", Replaced: firstMissing(before, have) != ""}, nil
}

// replaceKeys switches a database to the keys of the file, whatever it was used with before. It refuses while a service runs: that
// service would keep writing with the old keys.
func replaceKeys(ctx context.Context, by audit.Actor, st *store.Store, d config.Data, before []string) (k databaseKeys, err error) {
	k.Ring, err = keyring.Open(d.KeyFile())
	lost := errors.Is(err, fs.ErrNotExist)
	if err != nil && !lost || err == nil && slices.Equal(before, slices.Sorted(slices.Values(keyIDs(k.Ring)))) {
		return k, err
	}
	alone, err := st.OnlyInstance(ctx)
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
