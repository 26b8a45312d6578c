package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/follow"
)

func (c Contract) search(t *testing.T) {
	t.Run("random filters find what a look at every lead finds", c.searchRandomly)
	t.Run("an erased person is found by nothing", c.searchErased)
	t.Run("with other keys the index is filled anew", c.searchWithOtherKeys)
}

// SearchKey is the key of the search index in tests.
var SearchKey = []byte("the key of the search index")

// Index brings the search index up to date.
func Index(t *testing.T, s *store.Store, key []byte) {
	t.Helper()
	catchUp(t, s, s.NewIndexer(key))
}

// follower is a job that follows tables.
type follower interface {
	Run(ctx context.Context, job follow.Job) (int64, error)
	BacklogQuery() string
}

// catchUp runs a follower until it has read everything. On a server that takes several runs: each only trusts what an earlier one has
// seen, and waits for transactions of other tests.
func catchUp(t *testing.T, s *store.Store, f follower) {
	t.Helper()
	job := Job(t, s)
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
		_, err := job.Follow(t.Context(), f)
		left, leftErr := s.Backlog(t.Context(), f)
		switch {
		case err != nil || leftErr != nil:
			t.Fatal(err, leftErr)
		case left == 0:
			return
		case time.Now().After(deadline):
			t.Fatalf("%d rows are still not read", left)
		}
	}
}

// searchable is a lead as the test knows it.
type searchable struct {
	lead.Lead
	seq    int64
	asked  []string
	sold   string
	soldAt time.Time
}

// searchWorld has few values of each kind, so that every filter matches some leads.
type searchWorld struct {
	t     *testing.T
	rng   *rand.Rand
	store *store.Store
	leads []*searchable // oldest first
}

var (
	searchPhones   = []string{"+13055550101", "+13055550102", "+14045550103"}
	searchEmails   = []string{"", "pat@example.com", "Sam@Example.com"}
	searchNames    = []string{"Pat Example", "Sam Sample", "PATRICIA Exempla"}
	searchZIPs     = []string{"33139", "30303", "30310", "10001"}
	searchServices = []lead.Service{lead.HVAC, lead.Plumbing, lead.Handyman}
	searchSources  = []string{"", "", "src_a", "src_b"}
	searchBuyers   = []string{"buyer_1", "buyer_2", "buyer_3"}
)

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

func (c Contract) searchRandomly(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := &searchWorld{t: t, rng: rand.New(rand.NewPCG(seed, 1)), store: c.store(t)}
	for _, part := range []struct {
		name  string
		leads int
		index bool
	}{
		{"no index yet", 40, false}, {"all leads in the index", 200, true}, {"some leads are newer than the index", 60, false}, {"the index has caught up", 0, true},
	} {
		w.add(part.leads)
		if part.index {
			Index(t, w.store, SearchKey)
		}
		t.Run(part.name, func(t *testing.T) {
			for range 150 {
				w.searchOnce(t)
			}
		})
	}
}

// add adds leads, a minute apart. Some of them are sold later than others that came after them.
func (w *searchWorld) add(n int) {
	var late []*searchable
	for range n {
		l := Lead(fmt.Sprintf("lead_%03d", len(w.leads)))
		l.CreatedAt = w.now().Add(time.Minute)
		l.Status = pick(w.rng, kept)
		l.Request.Service, l.Request.ZIP = pick(w.rng, searchServices), pick(w.rng, searchZIPs)
		l.Source = pick(w.rng, searchSources)
		l.Request.Contact = lead.Contact{Name: pick(w.rng, searchNames), Phone: pick(w.rng, searchPhones), Email: pick(w.rng, searchEmails)}
		for _, m := range lead.Marks {
			if w.rng.IntN(4) == 0 {
				l.Marks = append(l.Marks, m)
			}
		}
		Save(w.t, w.store, l)
		s := &searchable{Lead: l}
		if w.leads = append(w.leads, s); w.rng.IntN(4) == 0 {
			late = append(late, s)
			continue
		}
		w.offer(s)
	}
	for _, s := range late {
		w.offer(s)
	}
}

// now is when the newest lead came.
func (w *searchWorld) now() time.Time {
	if len(w.leads) == 0 {
		return Noon
	}
	return w.leads[len(w.leads)-1].CreatedAt
}

// offer asks some buyers about a lead. One has it if it was forwarded.
func (w *searchWorld) offer(s *searchable) {
	forwarded, ask := s.Status == lead.Forwarded, w.rng.Perm(len(searchBuyers))[:w.rng.IntN(3)]
	if forwarded && len(ask) == 0 {
		ask = []int{w.rng.IntN(len(searchBuyers))}
	}
	at := w.now().Add(time.Duration(w.rng.IntN(50)) * time.Second)
	update(w.t, w.store, func(tx *store.Tx) (err error) {
		s.asked, s.sold = nil, ""
		s.seq, err = tx.LeadOf(s.ID)
		errs := []error{err}
		for i, n := range ask {
			o := buyer.Offer{ID: fmt.Sprintf("offer_%s_%d", s.ID, i), Lead: s.seq, Buyer: searchBuyers[n], At: at, State: buyer.OfferOpen, Price: 100}
			errs = append(errs, tx.AddOffer(o), tx.AddAttempt(buyer.Attempt{Offer: o.ID, Lead: s.seq, Kind: "lead.offered", At: at}))
			s.asked = append(s.asked, o.Buyer)
			if o.State = buyer.OfferDeclined; forwarded && i == len(ask)-1 {
				s.sold, s.soldAt, o.State = o.Buyer, at.Add(time.Second), buyer.OfferAccepted
				errs = append(errs, tx.AddHistory(s.seq, lead.Change{At: s.soldAt, Status: lead.Forwarded, Actor: lead.ByService}),
					tx.AddHistory(s.seq, lead.Change{At: s.soldAt.Add(time.Hour), Status: lead.Forwarded, Actor: lead.ByOperator})) // a note of later
			}
			errs = append(errs, tx.PutOffer(o, buyer.OfferOpen))
		}
		return errors.Join(errs...)
	})
}

// searchOnce compares the pages of a random filter with what it should find.
func (w *searchWorld) searchOnce(t *testing.T) {
	t.Helper()
	f, wanted := w.filter()
	var want, got []string
	for _, s := range slices.Backward(w.leads) {
		if wanted(s) {
			want = append(want, s.ID+" "+s.sold)
		}
	}
	key := pick(w.rng, [][]byte{SearchKey, SearchKey, nil})
	page := store.LeadPage{Limit: 1 + w.rng.IntN(60), Ended: func() bool { return w.rng.IntN(3) == 0 }}
	for pages := 0; pages == 0 || page.Before > 0; pages++ {
		var found store.FoundLeads
		if err := w.store.View(t.Context(), func(tx *store.Tx) (err error) { found, err = tx.FindLeads(f, key, page); return err }); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if len(found.Leads) > page.Limit || found.Next != 0 && len(found.Leads) < page.Limit && found.SearchedTo.IsZero() || found.Next == 0 && !found.SearchedTo.IsZero() {
			t.Fatalf("%+v: %d leads of %d, next %d, searched to %v", f, len(found.Leads), page.Limit, found.Next, found.SearchedTo)
		}
		for _, l := range found.Leads {
			got = append(got, l.ID+" "+l.Buyer)
		}
		page.Before = found.Next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%+v, key %v, pages of %d (-want +got):\n%s", f, key != nil, page.Limit, diff)
	}
}

// filter makes up a filter of a few words, with a function that says the same.
func (w *searchWorld) filter() (f store.LeadFilter, wanted func(*searchable) bool) {
	var all []func(*searchable) bool
	add := func(chance int, set func() func(*searchable) bool) {
		if w.rng.IntN(chance) == 0 {
			all = append(all, set())
		}
	}
	add(4, func() func(*searchable) bool {
		f.Phones = some(w.rng, searchPhones)
		return func(s *searchable) bool { return slices.Contains(f.Phones, s.Request.Contact.Phone) }
	})
	add(6, func() func(*searchable) bool {
		f.Emails = []string{pick(w.rng, []string{"PAT@example.com", "sam@example.com"})}
		return func(s *searchable) bool { return strings.EqualFold(s.Request.Contact.Email, f.Emails[0]) }
	})
	add(6, func() func(*searchable) bool {
		f.Name = "pat"
		return func(s *searchable) bool { return s.Request.Contact.Name != "Sam Sample" }
	})
	add(4, func() func(*searchable) bool {
		f.Statuses = some(w.rng, kept)
		return func(s *searchable) bool { return slices.Contains(f.Statuses, s.Status) }
	})
	add(4, func() func(*searchable) bool {
		f.Services = some(w.rng, searchServices)
		return func(s *searchable) bool { return slices.Contains(f.Services, s.Request.Service) }
	})
	add(4, func() func(*searchable) bool {
		f.ZIPs = pick(w.rng, [][]string{{"33139"}, {"303*"}, {"30303", "10001"}, {"3*", "10001"}, {"99999"}})
		return func(s *searchable) bool {
			return slices.ContainsFunc(f.ZIPs, func(zip string) bool {
				begin, _ := strings.CutSuffix(zip, "*")
				return strings.HasPrefix(s.Request.ZIP, begin)
			})
		}
	})
	add(6, func() func(*searchable) bool {
		f.InState = func(zip string) bool { return zip[0] == '3' }
		return func(s *searchable) bool { return f.InState(s.Request.ZIP) }
	})
	add(6, func() func(*searchable) bool {
		f.Marks = some(w.rng, lead.Marks)
		return func(s *searchable) bool {
			return slices.ContainsFunc(f.Marks, func(m lead.Mark) bool { return slices.Contains(s.Marks, m) })
		}
	})
	add(5, func() func(*searchable) bool {
		f.Sources = some(w.rng, searchSources)
		return func(s *searchable) bool { return slices.Contains(f.Sources, s.Source) }
	})
	add(5, func() func(*searchable) bool {
		f.Buyers = some(w.rng, searchBuyers)
		return func(s *searchable) bool { return slices.Contains(f.Buyers, s.sold) }
	})
	add(5, func() func(*searchable) bool {
		f.Offered = some(w.rng, searchBuyers)
		return func(s *searchable) bool {
			return slices.ContainsFunc(f.Offered, func(id string) bool { return slices.Contains(s.asked, id) })
		}
	})
	add(5, func() func(*searchable) bool {
		f.Received = w.span()
		return func(s *searchable) bool { return within(f.Received, s.CreatedAt) }
	})
	add(5, func() func(*searchable) bool {
		f.Sold = w.span()
		return func(s *searchable) bool { return s.sold != "" && within(f.Sold, s.soldAt) }
	})
	return f, func(s *searchable) bool {
		return !slices.ContainsFunc(all, func(matches func(*searchable) bool) bool { return !matches(s) })
	}
}

func some[T any](rng *rand.Rand, from []T) (list []T) {
	for _, i := range rng.Perm(len(from))[:1+rng.IntN(2)] {
		list = append(list, from[i])
	}
	return list
}

// span is a random range of time, open at one end or at none.
func (w *searchWorld) span() store.Span {
	from := Noon.Add(time.Duration(w.rng.IntN(300)) * time.Minute)
	to := from.Add(time.Duration(1+w.rng.IntN(200)) * time.Minute)
	return pick(w.rng, []store.Span{{From: from, To: to}, {From: from}, {To: to}})
}

func within(span store.Span, t time.Time) bool {
	return (span.From.IsZero() || !t.Before(span.From)) && (span.To.IsZero() || t.Before(span.To))
}

// termsOfPersons counts the terms of persons in the index.
func termsOfPersons(t *testing.T, database string) int {
	t.Helper()
	return QueryInt(t, Raw(t, database), "SELECT COUNT(*) FROM search_index WHERE hash < 0")
}

func (c Contract) searchErased(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	for i := range 4 {
		Save(t, s, FullLead(fmt.Sprintf("lead_%d", i)))
	}
	Index(t, s, SearchKey)
	if n := termsOfPersons(t, database); n != 8 {
		t.Fatalf("the index has %d terms of persons, want a phone number and an e-mail address of each of 4", n)
	}
	erase := func(id string, terms []int64) {
		update(t, s, func(tx *store.Tx) error {
			seq, err := tx.LeadOf(id)
			return errors.Join(err, tx.Erase(seq, lead.Evidence{}, "", terms))
		})
	}
	erase("lead_0", store.SearchTerms(SearchKey, FullLead("").Request.Contact))
	if n := termsOfPersons(t, database); n != 6 {
		t.Errorf("after one was erased the index has %d terms of persons, want 6", n)
	}
	erase("lead_1", nil)
	if n := termsOfPersons(t, database); n != 4 {
		t.Errorf("after one was erased without the key the index has %d terms of persons, want 4", n)
	}
	erase("lead_2", store.SearchTerms(SearchKey, lead.Contact{})) // as if it were erased once more
	if n := termsOfPersons(t, database); n != 4 {
		t.Errorf("after one was erased once more the index was searched through, and has %d terms of persons, want 4", n)
	}
	Save(t, s, FullLead("lead_new"))
	erase("lead_new", nil)
	Index(t, s, SearchKey)
	if n := termsOfPersons(t, database); n != 4 {
		t.Errorf("after a lead was indexed that had been erased the index has %d terms of persons, want 4", n)
	}
}

func (c Contract) searchWithOtherKeys(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	Save(t, s, FullLead("lead_1"))
	register := func(known, ids []string) {
		if done, err := s.RegisterKeys(t.Context(), known, ids, Noon); err != nil || !done {
			t.Fatal(done, err)
		}
	}
	register(nil, []string{"index.1"})
	Index(t, s, SearchKey)
	register([]string{"index.1"}, []string{"index.2"})
	other := []byte("another key")
	Index(t, s, other)
	if n := termsOfPersons(t, database); n != 2 {
		t.Errorf("the index has %d terms of persons, want 2: none of the old key", n)
	}
	var found store.FoundLeads
	if err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		found, err = tx.FindLeads(store.LeadFilter{Phones: []string{FullLead("").Request.Contact.Phone}}, other, store.LeadPage{Limit: 5})
		return err
	}); err != nil || len(found.Leads) != 1 {
		t.Errorf("found %d leads with the new key, %v", len(found.Leads), err)
	}
}
