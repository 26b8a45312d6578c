package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/demo"
	"foyer/internal/keyring"
	"foyer/internal/store"
)

// FillMonth fills a database with a made-up month, and creates it if there is none. A database that has leads or buyers is refused: made-up
// leads would be among real ones for good.
func FillMonth(ctx context.Context, d config.Data, m demo.Month, by audit.Actor) error {
	st, err := store.Open(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(fillMonth(ctx, st, d, m, by), st.Close())
}

func fillMonth(ctx context.Context, st *store.Store, d config.Data, m demo.Month, by audit.Actor) error {
	if err := checkFresh(ctx, st, d); err != nil {
		return err
	}
	keys, err := openKeys(ctx, st, d, callerOperator, by)
	if err != nil {
		return err
	}
	return demo.Fill(ctx, demo.Database{
		Store: st, IndexKey: keys.Key(keyring.Index), LeadIDKey: keys.Key(keyring.BuyerLeadID), FormTokenKey: keys.Key(keyring.FormToken),
		NewSecret: newSecret, CheckURL: BuyerURL(false), By: by,
	}, m)
}

// checkFresh refuses a database that is in use: with leads, with buyers, or with a service that runs on it.
func checkFresh(ctx context.Context, st *store.Store, d config.Data) error {
	empty, err := st.Empty(ctx)
	if err != nil {
		return err
	}
	buyers, _, err := st.Buyers(ctx)
	if err != nil {
		return err
	}
	if !empty || len(buyers) > 0 {
		return fmt.Errorf("%s has leads or buyers already: name a new database, such as --database sqlite:demo2.db", store.Redacted(string(d.Database)))
	}
	alone, err := st.AcquireInstance(ctx)
	if err == nil && !alone {
		err = fmt.Errorf("a service runs on %s: stop it, or name a new database", store.Redacted(string(d.Database)))
	}
	return err
}
