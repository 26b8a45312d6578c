package app

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"foyer/internal/api"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/console"
	"foyer/internal/console/pages"
	"foyer/internal/console/pages/page"
	"foyer/internal/edge"
	"foyer/internal/forward"
	"foyer/internal/intake"
	"foyer/internal/keyring"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/mcp"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/web"
)

// routes builds the handler of everything a client can reach, and that of the operator's listener, if it has one of its own.
func (a *App) routes(s config.Settings, texts *consentTexts) (public, own http.Handler, err error) {
	brand, st, forwarder, formTokenKey := a.brand, a.store, a.forward, a.keys.Key(keyring.FormToken)
	log := edge.NewLog(a.log)
	service, err := newIntake(s, brand, st, texts, forwarder)
	if err != nil {
		return nil, nil, err
	}
	service.FormTokenKey, service.Sources, service.Failed = formTokenKey, a.sources.find, a.intakeErrors.add
	tools := mcp.New(brand, service, s.AllowedOrigins, log)
	site, err := newSite(brand, int(s.HoldDays), tools)
	if err != nil {
		return nil, nil, err
	}
	site.Intake, site.FormTokenKey, site.Now = service, formTokenKey, clock
	frame := &edge.Frame{
		Log: log, ClientOf: edge.Clients(s.TrustedProxies, a.log), NewID: newID, ErrorPage: site.ErrorPage,
		Counted: countedIn(s), Trusted: s.TrustedProxies, Secure: brand.HTTPS(),
	}
	rest := &api.API{Brand: brand, Intake: service, Returns: newReturnHandler(st, a.log), Ping: st.Ping, FormAgain: site.FormAgain}
	ownBrand := brand
	ownBrand.BaseURL = a.consoleURL
	operators, err := a.operatorRoutes(s, ownBrand, site, service)
	if err != nil {
		return nil, nil, err
	}
	groups := [][]edge.Resource{site.Routes(), rest.Routes(), tools.Routes()}
	if s.ConsoleAddr == "" {
		groups = append(groups, operators)
	} else {
		ownFrame := *frame
		ownFrame.Secure = ownBrand.HTTPS()
		own = underPath(ownBrand.Path(), ownFrame.Serve(site.Missing(), operators))
	}
	publishCoverage(forwarder, site.SetCoverage, rest.SetCoverage, tools.SetCoverage)
	return underPath(brand.Path(), frame.Serve(site.Missing(), groups...)), own, nil
}

// operatorRoutes builds the operator's door: the API, and the pages unless they are off. Wrong tokens and passwords have a limiter of their
// own: they are limited even if nothing else is, and nobody who looks for unknown leads locks a program out. No network may try passwords
// without a limit: a token cannot be guessed, but a password can.
func (a *App) operatorRoutes(s config.Settings, brand catalog.Brand, site console.Pages, service *intake.Service) ([]edge.Resource, error) {
	wrong := limit.Rate{Count: 60, Per: time.Minute, Burst: 120}
	limiter, err := limit.New(wrong, s.RateExempt)
	if err != nil {
		return nil, err
	}
	passwords, err := limit.New(wrong, nil)
	if err != nil {
		return nil, err
	}
	recorded, err := limit.New(limit.Rate{Count: 1, Per: time.Minute, Burst: 1}, nil)
	if err != nil {
		return nil, err
	}
	operators := &console.Console{
		Brand: brand, Operator: a.operator, SearchKey: a.operator.Persons.Key, Zone: a.zone,
		Limiter: limiter, AllowPlainHTTP: s.ConsoleAddr != "", Pages: site,
	}
	routes := operators.Routes()
	if s.Console == "off" {
		return routes, nil
	}
	shown := &pages.Pages{
		Site: page.Site{
			Brand: brand, API: operators, Operator: a.operator, Zone: a.zone, Now: clock, Stopping: a.stopping, Health: a.consoleHealth(),
			SendTestLead: a.sendTestLead(service),
		},
		Limiter: passwords, Recorded: recorded, DeviceKey: a.keys.Key(keyring.FormToken),
	}
	return append(routes, shown.Routes()...), nil
}

// consoleHealth returns what tells the console's health page how this process does.
func (a *App) consoleHealth() func(ctx context.Context) (page.Health, error) {
	started := clock()
	return func(ctx context.Context) (page.Health, error) {
		h := page.Health{Database: a.database, Version: catalog.Version, Revision: Revision(), Started: started}
		now := clock()
		pending, err := a.store.Pending(ctx, now)
		for _, queue := range append(pending.Queues, "") {
			if err == nil {
				var n int
				n, err = a.store.Waiting(ctx, queue, now, page.MostDue)
				h.Due += n
			}
		}
		return h, err
	}
}

// ConsoleURL is what links to the console begin with: the base URL, unless the console listens on an address of its own. Without a URL of its own,
// that has the same path.
func ConsoleURL(brand catalog.Brand, c config.ConsoleListener) string {
	addr := string(c.ConsoleAddr)
	switch {
	case c.ConsoleURL != "":
		return string(c.ConsoleURL)
	case addr == "":
		return brand.BaseURL
	}
	if host, port, err := net.SplitHostPort(addr); err == nil && (host == "" || net.ParseIP(host).IsUnspecified()) {
		addr = "localhost:" + port
	}
	return "http://" + addr + brand.Path()
}

// publishCoverage tells the doors which services at least one buyer covers, now and whenever that changes. They are not told which
// buyers, how many, or where. Call it before the forwarder runs.
func publishCoverage(f *forward.Forwarder, doors ...func(covered ...lead.Service)) {
	var mu sync.Mutex
	var last []lead.Service // a new door says that nothing is covered
	f.Changed = func() {    // it reads the coverage itself: of two concurrent changes the older one may be reported last
		mu.Lock()
		defer mu.Unlock()
		covered := f.Coverage().Services()
		if slices.Equal(covered, last) {
			return
		}
		last = covered
		for _, setCoverage := range doors {
			setCoverage(covered...)
		}
	}
	f.Changed()
}

// newSite builds the pages, with the descriptions of the JSON API and the MCP tools.
func newSite(brand catalog.Brand, holdDays int, tools *mcp.Server) (*web.Site, error) {
	return web.New(brand, holdDays, web.Interfaces{OpenAPI: api.OpenAPI(brand), Tools: tools.List(), Now: time.Now()})
}

// Discovery returns the files that describe a service to programs before they use it.
func Discovery(brand catalog.Brand, holdDays int) ([]web.File, error) {
	site, err := newSite(brand, holdDays, mcp.New(brand, nil, nil, nil))
	if err != nil {
		return nil, err
	}
	return site.Discovery(), nil
}

// underPath serves every route with and without the path of the base URL: some proxies strip it, some do not.
func underPath(prefix string, next http.Handler) http.Handler {
	if prefix == "" {
		return next
	}
	stripped := http.StripPrefix(prefix, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, prefix+"/"):
			stripped.ServeHTTP(w, r)
			return
		case r.URL.Path == prefix: // the base URL itself, as people type it
			r = r.Clone(r.Context())
			r.URL.Path, r.URL.RawPath = "/", ""
		}
		next.ServeHTTP(w, r)
	})
}

func newIntake(s config.Settings, brand catalog.Brand, st *store.Store, texts *consentTexts, forwarder *forward.Forwarder) (*intake.Service, error) {
	limiter, err := newLimiter(s, st)
	if err != nil {
		return nil, err
	}
	return &intake.Service{
		Brand: brand, Store: st, Privacy: &operator.Operator{Store: st, Now: clock, Persons: forwarder.Persons}, Limiter: limiter, ConsentLookup: texts.find, Stated: brand.ConsentStated().Ref(), Now: clock, NewID: newLeadID,
		Covers: func(s lead.Service, zip, phone string) bool { return forwarder.Coverage().Covers(s, zip, phone) },
		Payout: func(s lead.Service, zip string) *string { return forwarder.Coverage().PayoutShown(s, zip) },
		Queued: forwarder.Notify, HoldAutomated: s.HoldAutomated,
	}, nil
}

func newLimiter(s config.Settings, st *store.Store) (intake.Limiter, error) {
	if s.RateLimit.Off {
		return limit.Off{}, nil
	}
	limiter, err := limit.New(s.RateLimit.Rate, s.RateExempt)
	if shared := st.Counts(); err == nil && shared != nil {
		limiter.Shared = shared.Count
	}
	return limiter, err
}
