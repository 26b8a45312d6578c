// Package demo fills a fresh database with a made-up month of a lead business: requests, buyers that accept, decline, fail and return
// leads, and an operator who looks after them every morning. `foyer sim month` runs it, for demonstrations and for trying things out.
//
// Everything in the month goes the way of the real service, through intake, forward and operator, with a clock of its own; only the buyers'
// answers are made up, and nothing leaves the machine. The same seed gives the same month. Nobody in it exists: phone numbers are
// reserved for fiction, and addresses are those of documentation.
package demo

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/forward"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/operator"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/search"
	"foyer/internal/webhook"
)

// Month is what to make up.
type Month struct {
	Until    time.Time // the month ends here
	Leads    int
	Seed     uint64
	Progress func(day int) // is called before each day; nil for none
}

// Days is how long a month is.
const Days = 30

// Database is where the month is stored, with its keys.
type Database struct {
	Store                             *store.Store
	IndexKey, LeadIDKey, FormTokenKey []byte
	NewSecret                         func() string
	CheckURL                          func(raw string) error
	By                                audit.Actor // who does what the operator does
}

// month is a month in the making.
type month struct {
	Database
	begin, until, now time.Time
	events            []event // those to come, the next one last
	progress          func(day int)

	intake   *intake.Service
	forward  *forward.Forwarder
	operator *operator.Operator
	returns  *forward.ReturnService
	indexer  *search.Indexer
	counter  *leadcounts.Counter
	sources  map[string]*source.Source // by name
	networks map[string]network        // by URL
	kept     []keptRequest
	stuck    map[string]bool // by offer: whether its buyer cannot take the contact

	ids, answers, decisions *rand.Rand // apart, so that one more answer does not change all later ids
}

// event is something that happens.
type event struct {
	at time.Time
	do func(context.Context) error
}

// keptRequest is a request that somebody may take back.
type keptRequest struct{ leadID, phone string }

// Fill makes up a month. The database must be fresh.
func Fill(ctx context.Context, d Database, m Month) error {
	until := m.Until.UTC().Truncate(time.Second)
	run := &month{
		Database: d, begin: until.AddDate(0, 0, -Days), until: until, now: until.AddDate(0, 0, -Days), progress: m.Progress,
		sources: make(map[string]*source.Source), networks: make(map[string]network), stuck: make(map[string]bool),
		ids: rand.New(rand.NewPCG(m.Seed, 1)), answers: rand.New(rand.NewPCG(m.Seed, 2)), decisions: rand.New(rand.NewPCG(m.Seed, 3)),
	}
	if err := run.build(ctx); err != nil {
		return err
	}
	if err := run.open(ctx); err != nil {
		return err
	}
	for _, r := range requests(rand.New(rand.NewPCG(m.Seed, 4)), run.begin, run.until, m.Leads) {
		run.plan(r.At, func(ctx context.Context) error { return run.submit(ctx, r) })
	}
	run.planMornings()
	return run.play(ctx)
}

// build connects the parts of the service, with the clock of the month.
func (m *month) build(ctx context.Context) error {
	brand := catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: "https://foyer.example.com", Number: catalog.DefaultNumber}
	shown, stated := brand.ConsentShown(), brand.ConsentStated()
	if err := m.Store.KeepConsentTexts(ctx, m.begin, shown, stated); err != nil {
		return err
	}
	texts := map[string]lead.ConsentText{shown.Ref().Hash: shown, stated.Ref().Hash: stated}
	now, quiet := func() time.Time { return m.now }, slog.New(slog.DiscardHandler)
	persons := forward.PersonRules{Key: m.IndexKey, Rules: lead.RepeatRules{Window: 7 * 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}}
	m.forward = &forward.Forwarder{
		Store: m.Store, Send: m.answer, Suppressed: m.Store.Suppressed, Persons: persons, LeadIDKey: m.LeadIDKey,
		Consent: func(_ context.Context, hash string) (string, error) { return texts[hash].Text, nil },
		Now:     now, NewID: m.newLeadID, Chance: m.decisions.Float64, Owner: "proc_demo", Log: quiet,
	}
	m.operator = &operator.Operator{
		Store: m.Store, Now: now, NewID: m.newID, NewSecret: m.NewSecret, CheckURL: m.CheckURL, CheckSecret: webhook.CheckSecret,
		Send: m.answer, Suppressed: m.Store.Suppressed, Persons: persons,
	}
	m.returns = &forward.ReturnService{Secrets: m.Store.OfferSecrets, Update: m.Store.Update, MaxAge: webhook.MaxAge, Now: now, Log: quiet}
	m.intake = &intake.Service{
		Brand: brand, Store: m.Store, Privacy: m.operator, Limiter: limit.Off{}, Stated: stated.Ref(), Now: now, NewID: m.newLeadID, FormTokenKey: m.FormTokenKey,
		Covers:  func(s lead.Service, zip, phone string) bool { return m.forward.Coverage().Covers(s, zip, phone) },
		Payout:  func(s lead.Service, zip string) *string { return m.forward.Coverage().PayoutShown(s, zip) },
		Queued:  func() {},
		Sources: m.sourceByKey,
		ConsentLookup: func(_ context.Context, hash string) (lead.ConsentText, bool, error) {
			text, found := texts[hash]
			return text, found, nil
		},
	}
	m.indexer, m.counter = m.Store.NewIndexer(m.IndexKey), m.Store.NewCounter(time.UTC)
	m.counter.Paused = func(s lead.Service, zip string) bool { return m.forward.Coverage().CoversPaused(s, zip) }
	return m.forward.Start(ctx)
}

func (m *month) sourceByKey(key string) *source.Source {
	for _, s := range m.sources {
		if s.Key == key {
			return s
		}
	}
	return nil
}

// newID makes an id like those of the service, from the numbers of the month.
func (m *month) newID(prefix string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	id := []byte(prefix)
	for range 26 {
		id = append(id, letters[m.ids.IntN(len(letters))])
	}
	return string(id)
}

func (m *month) newLeadID(prefix string, at time.Time) string {
	return m.newID(prefix + strconv.FormatInt(at.UnixMilli(), 32))
}

// plan makes something happen at a time. What is planned for the same time happens in the order of planning.
func (m *month) plan(at time.Time, do func(context.Context) error) {
	i, _ := slices.BinarySearchFunc(m.events, at, func(e event, at time.Time) int { return at.Compare(e.at) })
	m.events = slices.Insert(m.events, i, event{at, do})
}

// play lets the month happen.
func (m *month) play(ctx context.Context) error {
	for len(m.events) > 0 {
		next := m.events[len(m.events)-1]
		m.events = m.events[:len(m.events)-1]
		if err := m.advance(ctx, next.at); err != nil {
			return err
		}
		if err := next.do(ctx); err != nil {
			return fmt.Errorf("on %s: %w", m.now.Format(time.DateTime), err)
		}
		if err := m.forward.Step(ctx); err != nil {
			return err
		}
	}
	return m.advance(ctx, m.until)
}

// longestStep is how long the forwarder rests at most.
const longestStep = time.Hour

// advance lets time pass. The forwarder looks for what is due at ever longer intervals: most that happens follows soon after a lead.
func (m *month) advance(ctx context.Context, to time.Time) error {
	for step := 5 * time.Second; m.now.Before(to); step = min(4*step, longestStep) {
		m.now = m.now.Add(min(step, to.Sub(m.now)))
		if err := m.forward.Step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pickUp is how long it takes until the forwarder notices a lead.
const pickUp = 40 * time.Millisecond

// submit sends a request the way its channel would.
func (m *month) submit(ctx context.Context, r request) error {
	spec := lead.IntakeInput
	if r.Channel == lead.ChannelMCP {
		spec = lead.ToolInput
	}
	sub := &intake.Submission{
		Raw: spec.New(), Client: r.Client, Attribution: lead.Attribution{Campaign: r.Campaign, ClickIDs: r.ClickIDs},
		Evidence: lead.Evidence{Channel: r.Channel, Client: r.Client.String(), UserAgent: r.UserAgent, MCPClient: r.MCPClient, RequestID: m.newID("req_")},
	}
	for name, value := range r.Fields {
		sub.Raw.Set(name, value)
	}
	if s := m.sources[r.Source]; s != nil {
		sub.Attribution.Key = s.Key
	}
	if r.Channel == lead.ChannelForm {
		sub.Evidence.Page, sub.Evidence.Origin, sub.Evidence.FetchSite = m.intake.Brand.BaseURL+"/", m.intake.Brand.Origin(), "same-origin"
		sub.ConsentHash = m.intake.ConsentShown(sub.Attribution.Key).Ref().Hash
		sub.FormToken = lead.NewFormToken(m.FormTokenKey, sub.ConsentHash, "0000000000000000", m.now.Add(-r.OnPage))
	}
	receipt, err := m.intake.Submit(ctx, sub)
	switch {
	case lead.KindOf(err) == lead.Refused: // somebody who asked not to be contacted
		return nil
	case err != nil:
		return err
	}
	m.kept = append(m.kept, keptRequest{receipt.LeadID, r.Phone})
	m.now = m.now.Add(around(m.answers, pickUp))
	return nil
}
