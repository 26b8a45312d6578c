package app

import (
	"cmp"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"foyer/internal/api"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/console"
	"foyer/internal/edge"
	"foyer/internal/forward"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/mcp"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/web"
)

// routes builds the handler of everything a client can reach, and that of the operator's listener, if it has one of its own.
func routes(s config.Settings, brand catalog.Brand, st *store.Store, op *operator.Operator, texts *consentTexts, sources *sourceList, forwarder *forward.Forwarder, formTokenKey []byte, logger *slog.Logger) (public, own http.Handler, err error) {
	log := edge.NewLog(logger)
	service, err := newIntake(s, brand, st, texts, forwarder)
	if err != nil {
		return nil, nil, err
	}
	service.FormTokenKey, service.Sources = formTokenKey, sources.find
	tools := mcp.New(brand, service, s.AllowedOrigins, log)
	site, err := newSite(brand, int(s.HoldDays), tools)
	if err != nil {
		return nil, nil, err
	}
	site.Intake, site.FormTokenKey, site.Now = service, formTokenKey, clock
	frame := &edge.Frame{
		Log: log, ClientOf: edge.Clients(s.TrustedProxies, logger), NewID: newID, ErrorPage: site.ErrorPage,
		Secure: strings.HasPrefix(strings.ToLower(brand.BaseURL), "https://"),
	}
	rest := &api.API{Brand: brand, Intake: service, Returns: newReturnHandler(st, logger), Ping: st.Ping, FormAgain: site.FormAgain}
	console, err := newConsole(s, brand, op, site)
	if err != nil {
		return nil, nil, err
	}
	groups := [][]edge.Resource{site.Routes(), rest.Routes(), tools.Routes()}
	if s.ConsoleAddr == "" {
		groups = append(groups, console.Routes())
	} else {
		own = underPath(brand.Path(), frame.Serve(site.Missing(), console.Routes()))
	}
	publishCoverage(forwarder, site.SetCoverage, rest.SetCoverage, tools.SetCoverage)
	return underPath(brand.Path(), frame.Serve(site.Missing(), groups...)), own, nil
}

// newConsole builds the operator's door. Wrong tokens have a limiter of their own: they are limited even if nothing else is, and nobody who
// looks for unknown leads locks a program out.
func newConsole(s config.Settings, brand catalog.Brand, op *operator.Operator, pages console.Pages) (*console.Console, error) {
	limiter, err := limit.New(limit.Rate{Count: 60, Per: time.Minute, Burst: 120}, s.RateExempt)
	if err != nil {
		return nil, err
	}
	if s.ConsoleAddr != "" {
		brand.BaseURL = ownURL(string(s.ConsoleAddr))
	}
	return &console.Console{
		Brand: brand, Operator: op, SearchKey: op.Persons.Key, Zone: cmp.Or(s.TimeZone.Location, time.UTC),
		Limiter: limiter, AllowPlainHTTP: s.ConsoleAddr != "", Pages: pages,
	}, nil
}

// ownURL is the address of a listener, for links to it.
func ownURL(addr string) string {
	if host, port, err := net.SplitHostPort(addr); err == nil && (host == "" || net.ParseIP(host).IsUnspecified()) {
		addr = "localhost:" + port
	}
	return "http://" + addr
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
		Covers: func(s lead.Service, zip string) bool { return forwarder.Coverage().Covers(s, zip) },
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

// newID makes an id of 130 random bits.
func newID(prefix string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	var random [26]byte
	_, _ = rand.Read(random[:]) // never fails
	id := append(make([]byte, 0, 48), prefix...)
	for _, b := range random {
		id = append(id, letters[b&31])
	}
	return string(id)
}

// newLeadID makes an id of a time and 130 random bits. The time comes first, so that leads created together are neighbors in
// the index: a group commit writes one index page instead of one for each lead.
func newLeadID(prefix string, at time.Time) string {
	const nineDigits = 1 << 40 // milliseconds, to base 32: a time from 2004 to 3084, whatever a clock says
	id := append(make([]byte, 0, 16), prefix...)
	return newID(string(strconv.AppendInt(id, max(nineDigits, at.UnixMilli()), 32)))
}
