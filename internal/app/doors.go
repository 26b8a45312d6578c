package app

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"foyer/internal/api"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/mcp"
	"foyer/internal/store"
	"foyer/internal/web"
)

// doors builds everything a client can reach.
func doors(ctx context.Context, s config.Settings, brand catalog.Brand, st *store.Store, logger *slog.Logger) (http.Handler, error) {
	log := edge.NewLog(logger)
	reception, err := newReception(ctx, s, brand, st)
	if err != nil {
		return nil, err
	}
	site, err := web.New(brand, int(s.HoldDays))
	if err != nil {
		return nil, err
	}
	frame := &edge.Frame{
		Log: log, ClientOf: edge.Clients(s.TrustedProxies, logger), NewID: newID, ErrorPage: site.ErrorPage, Gate: edge.NewGate(),
	}
	programs := &api.API{Brand: brand, Reception: reception, Ping: st.Ping, FormAgain: site.FormAgain}
	assistants := mcp.New(brand, reception, s.AllowedOrigins, log)
	return underPath(brand.Path(), frame.Serve(site.Missing(), site.Menu(), programs.Menu(), assistants.Menu())), nil
}

// underPath serves the same with and without the path of the base URL: some proxies strip it, some do not.
func underPath(prefix string, next http.Handler) http.Handler {
	if prefix == "" {
		return next
	}
	stripped := http.StripPrefix(prefix, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, prefix+"/") {
			stripped.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func newReception(ctx context.Context, s config.Settings, brand catalog.Brand, st *store.Store) (*intake.Reception, error) {
	if err := st.KeepConsentTexts(ctx, time.Now(), brand.ConsentShown(), brand.ConsentStated()); err != nil {
		return nil, err
	}
	consents, err := st.ConsentTexts(ctx)
	if err != nil {
		return nil, err
	}
	limiter, err := newLimiter(s)
	if err != nil {
		return nil, err
	}
	return &intake.Reception{
		Brand: brand, Store: st, Limiter: limiter, Consents: consents, Stated: brand.ConsentStated().Ref(), Now: time.Now, NewID: newLeadID,
		Covers: nobodyCovers,
	}, nil
}

// nobodyCovers is the coverage of a service without buyers: every request is held.
func nobodyCovers(lead.Service, string) bool { return false }

func newLimiter(s config.Settings) (intake.Limiter, error) {
	if s.RateLimit.Off {
		return limit.Off{}, nil
	}
	return limit.New(s.RateLimit.Rate, s.RateExempt)
}
