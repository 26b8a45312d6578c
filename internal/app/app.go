// Package app builds, starts and stops the service. It is the only package that connects the others.
package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/forward"
	"foyer/internal/keyring"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// App is a running service.
type App struct {
	brand    catalog.Brand
	store    *store.Store
	keys     *keyring.Ring
	forward  *forward.Forwarder
	sender   *webhook.Sender
	listener *limitListener
	server   *http.Server
	log      *slog.Logger
	database string
	owner    string        // identifies this process in its leases
	hold     time.Duration // how long a lead that no buyer covers is held
	surges   surgeDetector
	sources  *sourceList
	zone     *time.Location // of days and months in reports
}

// New opens the store, listens on the address and builds the handlers. Nothing is served before Run.
func New(ctx context.Context, s config.Settings, addr string, log *slog.Logger) (*App, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	brand := s.Brand.Catalog(listener.Addr().String())
	a := &App{
		brand: brand, log: log, database: store.Redacted(string(s.Database)), hold: time.Duration(s.HoldDays) * 24 * time.Hour, owner: newID("proc_"), zone: cmp.Or(s.TimeZone.Location, time.UTC),
	}
	a.listener = newLimitListener(listener.(*net.TCPListener), maxConnections(), countedClients(slices.Concat(s.TrustedProxies, s.RateExempt)...), a.warnClientRefused)
	if a.store, err = store.Open(ctx, string(s.Database), log); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	a.sender, a.surges.leadsBefore = newSender(s.AllowPrivate), a.store.LeadsBefore
	handler, err := a.setUp(ctx, s)
	if err != nil {
		a.sender.Close()
		return nil, errors.Join(err, listener.Close(), a.store.Close())
	}
	a.server = newServer(handler, log)
	return a, nil
}

// setUp registers this process with the database and builds the handler. A process with the wrong keys is not registered.
func (a *App) setUp(ctx context.Context, s config.Settings) (http.Handler, error) {
	keys, err := openKeys(ctx, a.store, s.Data, callerService, audit.System)
	if err != nil {
		return nil, err
	}
	a.keys = keys.Ring
	if keys.created != "" {
		a.log.Warn("key file created: keep a copy of it, apart from the database and its backups", "file", keys.created)
	}
	alone, err := a.store.OnlyInstance(ctx)
	if err != nil {
		return nil, err
	}
	if alone { // leases of an earlier process have no owner now; once other processes start, their leases do
		if err := a.store.ReleaseLeases(ctx, clock()); err != nil {
			a.log.Warn("could not release leases at the start; messages are sent when they expire", "cause", err)
		}
	}
	return a.buildHandler(ctx, s)
}

// buildHandler builds the forwarder and the HTTP handler.
func (a *App) buildHandler(ctx context.Context, s config.Settings) (http.Handler, error) {
	if err := a.store.KeepConsentTexts(ctx, clock(), a.brand.ConsentShown(), a.brand.ConsentStated()); err != nil {
		return nil, err
	}
	texts, err := newConsentTexts(ctx, a.store.ConsentTexts)
	if err != nil {
		return nil, err
	}
	if a.sources, err = newSourceList(ctx, a.store.View); err != nil {
		return nil, err
	}
	a.forward = &forward.Forwarder{
		Store: a.store, Send: sendNow(a.sender), Suppressed: a.store.Suppressed, Consent: texts.text,
		LeadIDKey: a.keys.Key(keyring.BuyerLeadID),
		Persons:   forward.PersonRules{Key: a.keys.Key(keyring.Index), Rules: s.Repeats.Rules(), HoldAutomated: s.HoldAutomated},
		Now:       clock, NewID: newLeadID, Chance: rand.Float64, Owner: a.owner, Log: a.log,
	}
	if err := a.forward.Start(ctx); err != nil {
		return nil, err
	}
	a.warnBuyerURLs(s.AllowPrivate)
	if s.Logo.MissingPNG != "" {
		a.log.Warn("the share card, favicon.ico and phone icons do not show the logo, which is an SVG: add the same logo as a PNG", "file", s.Logo.MissingPNG)
	}
	return routes(s, a.brand, a.store, texts, a.sources, a.forward, a.keys.Key(keyring.FormToken), a.log)
}

// warnClientRefused logs how many connections were closed because their client had its share. It does not log the address.
func (a *App) warnClientRefused(closed int) {
	a.log.Warn("closing connections: one client address holds a quarter of all connections", "closed", closed)
}

// shutdownGrace is how long requests in progress may take to end.
const shutdownGrace = 20 * time.Second

// Addr is the address that the service listens on.
func (a *App) Addr() string { return a.listener.Addr().String() }

// Run serves until the context ends, then finishes the requests that were accepted.
func (a *App) Run(ctx context.Context) error {
	a.log.Info("foyer is listening", "address", a.Addr(), "base_url", a.brand.BaseURL, "database", a.database, "version", catalog.Version, "revision", Revision())
	if a.brand.Number == catalog.DefaultNumber {
		a.log.Warn("plumbing-number is the default, which is reserved for fiction: callers reach nobody", "number", catalog.DefaultNumber)
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, j := range a.jobs() {
		running.Go(func() { a.runJob(background, j) })
	}
	running.Go(func() {
		defer a.sender.Close()
		a.forward.Run(background) // until the deliveries in progress have ended
	})
	served := make(chan error, 1)
	go func() { served <- a.server.Serve(a.listener) }()

	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		err = a.drain()
	}
	stop()
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	err = errors.Join(err, a.store.Close())
	a.log.Info("foyer stopped")
	return err
}

func (a *App) drain() error {
	a.log.Info("shutting down: finishing what is in progress")
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if err := a.server.Shutdown(ctx); err != nil {
		a.log.Warn("shutdown timed out; some requests were cut off", "cause", err)
		return a.server.Close()
	}
	return nil
}
