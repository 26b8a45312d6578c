// Package app builds, starts and stops the service. It is the only package that connects the parts of the service; demo connects some of
// them in its own way, without doors.
package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"foyer/internal/alerter"
	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/forward"
	"foyer/internal/keyring"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// App is a running service.
type App struct {
	brand        catalog.Brand
	store        *store.Store
	keys         *keyring.Ring
	forward      *forward.Forwarder
	sender       *webhook.Sender
	public       endpoint
	console      *endpoint // of the operator's door; nil if that is reached like the others
	log          *slog.Logger
	database     string
	owner        string        // identifies this process in its leases
	hold         time.Duration // how long a lead that no buyer takes is held (status collected)
	surges       surgeDetector
	alerter      *alerter.Alerter
	disk         string // the folder of the database; "" if that is on a server
	sources      *sourceList
	zone         *time.Location // of days and months in reports
	operator     *operator.Operator
	intakeErrors recentCount   // requests that could not be taken in
	stopping     chan struct{} // closed when the service stops: responses without an end, end
	hasPages     bool          // of the console
	consoleURL   string        // what links to the console begin with

	// Announce tells whoever started the service where it is reached. The first link is a secret: leave it nil where others can read
	// what is shown, and the log says what to do.
	Announce func(Addresses)
}

// consoleConnections is how many connections an operator's own listener has. The public one has as many less.
const consoleConnections = 64

// New opens the store, listens on the address and builds the handlers. Nothing is served before Run.
func New(ctx context.Context, s config.Settings, addr string, log *slog.Logger) (*App, error) {
	listener, err := openListener("addr", addr)
	if err != nil {
		return nil, err
	}
	brand := s.Brand.Catalog(listener.Addr().String())
	a := &App{
		brand: brand, log: log, database: store.Redacted(string(s.Database)), hold: time.Duration(s.HoldDays) * 24 * time.Hour, owner: newID("proc_"), stopping: make(chan struct{}), zone: cmp.Or(s.TimeZone.Location, time.UTC), hasPages: s.Console != "off",
	}
	if s.ConsoleURL != "" && s.ConsoleAddr == "" {
		return nil, errors.Join(errors.New("console-url is the address of a listener of its own: set console-addr, too, or base-url instead"), listener.Close())
	}
	slots, clients := maxConnections(), peerClients(countedIn(s))
	if s.ConsoleAddr != "" {
		own, err := openListener("console-addr", string(s.ConsoleAddr))
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		slots = max(slots-consoleConnections, consoleConnections)
		a.console = &endpoint{listener: newLimitListener(own, consoleConnections, clients, a.warnClientRefused)}
		s.ConsoleAddr = config.Addr(own.Addr().String())
	}
	a.consoleURL = ConsoleURL(brand, s.ConsoleListener)
	a.public.listener = newLimitListener(listener, slots, clients, a.warnClientRefused)
	if a.store, err = store.Open(ctx, string(s.Database), log); err != nil {
		return nil, errors.Join(err, a.closeListeners())
	}
	a.sender, a.surges.leadsBefore = newSender(s.AllowPrivate), a.store.LeadsBefore
	public, own, err := a.setUp(ctx, s)
	if err != nil {
		a.sender.Close()
		return nil, errors.Join(err, a.closeListeners(), a.store.Close())
	}
	a.public.server = newServer(public, log)
	if a.console != nil {
		a.console.server = newServer(own, log)
	}
	return a, nil
}

// endpoints are the listeners with their servers.
func (a *App) endpoints() []*endpoint {
	if a.console == nil {
		return []*endpoint{&a.public}
	}
	return []*endpoint{&a.public, a.console}
}

func (a *App) closeListeners() (err error) {
	for _, e := range a.endpoints() {
		err = errors.Join(err, e.listener.Close())
	}
	return err
}

// setUp registers this process with the database and builds the handlers. A process with the wrong keys is not registered.
func (a *App) setUp(ctx context.Context, s config.Settings) (public, own http.Handler, err error) {
	keys, err := openKeys(ctx, a.store, s.Data, callerService, audit.System)
	if err != nil {
		return nil, nil, err
	}
	a.keys = keys.Ring
	if keys.created != "" {
		a.log.Warn("key file created: keep a copy of it, apart from the database and its backups", "file", keys.created)
	}
	alone, err := a.store.AcquireInstance(ctx)
	if err != nil {
		return nil, nil, err
	}
	if alone { // leases of an earlier process have no owner now; once other processes start, their leases do
		if err := a.store.ReleaseLeases(ctx, clock()); err != nil {
			a.log.Warn("could not release leases at the start; messages are sent when they expire", "cause", err)
		}
	}
	return a.buildHandlers(ctx, s)
}

// buildHandlers builds the forwarder and the HTTP handlers.
func (a *App) buildHandlers(ctx context.Context, s config.Settings) (public, own http.Handler, err error) {
	if err := a.store.KeepConsentTexts(ctx, clock(), a.brand.ConsentShown(), a.brand.ConsentStated()); err != nil {
		return nil, nil, err
	}
	texts, err := newConsentTexts(ctx, a.store.ConsentTexts)
	if err != nil {
		return nil, nil, err
	}
	if a.sources, err = newSourceList(ctx, a.store.View); err != nil {
		return nil, nil, err
	}
	a.forward = &forward.Forwarder{
		Store: a.store, Send: sendNow(a.sender), Suppressed: a.store.Suppressed, Consent: texts.text,
		LeadIDKey: a.keys.Key(keyring.BuyerLeadID),
		Persons:   forward.PersonRules{Key: a.keys.Key(keyring.Index), Rules: s.Repeats.Rules(), HoldAutomated: s.HoldAutomated},
		Now:       clock, NewID: newLeadID, Chance: rand.Float64, Owner: a.owner, Log: a.log,
	}
	if err := a.forward.Start(ctx); err != nil {
		return nil, nil, err
	}
	a.warnBuyerURLs(s.AllowPrivate)
	if s.Logo.MissingPNG != "" {
		a.log.Warn("the share card, favicon.ico and phone icons do not show the logo, which is an SVG: add the same logo as a PNG", "file", s.Logo.MissingPNG)
	}
	a.operator = newOperatorOf(a.store, a.keys, a.sender, s.AllowPrivate)
	a.setUpAlerts(s)
	return a.routes(s, texts)
}

// warnClientRefused logs how many connections were closed because their client had its share. It does not log the address.
func (a *App) warnClientRefused(closed int) {
	a.log.Warn("closing connections: one client address holds a quarter of all connections", "closed", closed)
}

// shutdownGrace is how long requests in progress may take to end: a graceful shutdown.
const shutdownGrace = 20 * time.Second

// Addr is the address that the service listens on.
func (a *App) Addr() string { return a.public.listener.Addr().String() }

// Run serves until the context ends, then finishes the requests that were accepted.
func (a *App) Run(ctx context.Context) error {
	if a.console != nil {
		a.log.Info("the operator's API is listening", "console_address", a.console.listener.Addr().String())
	}
	a.log.Info("foyer is listening", "address", a.Addr(), "base_url", a.brand.BaseURL, "database", a.database, "version", catalog.Version, "revision", cmp.Or(Revision(), "unknown"))
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
	running.Go(func() { a.announce(background) })
	served := make(chan error, 2)
	for _, e := range a.endpoints() {
		go func() { served <- e.serve() }()
	}

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
	close(a.stopping)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	var failed error
	for _, e := range a.endpoints() {
		if err := e.server.Shutdown(ctx); err != nil {
			a.log.Warn("shutdown timed out; some requests were cut off", "cause", err)
			failed = errors.Join(failed, e.server.Close())
		}
	}
	return failed
}
