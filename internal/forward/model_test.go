package forward_test

import (
	"flag"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/operator"
)

// seeds is how many are tried beside all other tests. make model tries ten thousand.
var seeds = 300

// asked says whether somebody wants another number of seeds. It has to be known before a test sets one.
var asked = sync.OnceValue(func() bool {
	_, found := os.LookupEnv("RAPID_CHECKS")
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == "rapid.checks" })
	return found
})

// TestModel lets several processes take leads to buyers on a real store: random buyers, leads, answers, crashes and clock
// steps. Beside it runs a model that is simple because it keeps everything in memory and never crashes. After every step
// the books must say what the model says, and at the end every lead must be where the model has it.
//
// The model comes in files: what is on the wire (model_wire), what answers mean (model_answers), who is asked
// (model_asking) and asked again (model_again), which leads of a person are on the market (model_market), what becomes of it
// (model_settling), what operators do (model_desk), who looks through what is held (model_walks), what the books say
// (model_books) and tell of messages (model_attempts), and how it ends (model_end).
//
// A failure names its seed. To see it again:
//
//	go test ./internal/forward -run '^TestModel$' -rapid.seed=SEED
//	go test ./internal/forward -run '^TestModel$/^0$' -rapid.failfile=FILE
//
// The first repeats it as it was found, the second as it was shortened. -rapid.checks says how many seeds, -v what
// happened in all of them, and -rapid.v prints every step of each.
func TestModel(t *testing.T) { play(t, seeds, openSQLite) }

// play plays stories on the ground of an engine: so many, where nobody asked for another number.
func play(t *testing.T, checks int, open func(*testing.T) *ground) {
	t.Helper()
	halves := 2 // one for each core of a small machine
	if flag.Lookup("rapid.seed").Value.String() != "0" || flag.Lookup("rapid.failfile").Value.String() != "" {
		halves = 1
	}
	before := flag.Lookup("rapid.checks").Value.String()
	if asked() {
		checks, _ = strconv.Atoi(before)
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(max(1, checks/halves))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set("rapid.checks", before) })
	collect := debug.SetGCPercent(400) // coverage is worked out again and again, and is large
	t.Cleanup(func() { debug.SetGCPercent(collect) })
	for half := range halves {
		t.Run(strconv.Itoa(half), func(t *testing.T) {
			t.Parallel()
			g, seen := open(t), make(sights)
			rapid.Check(t, func(r *rapid.T) {
				w := g.world(r, seen)
				defer w.endWalks(func(*scanBatch) bool { return true }) // of a seed that failed
				w.act(r)
				w.end(r)
			})
			t.Log(seen)
		})
	}
}

// act does random things, of those that can be done.
func (w *world) act(r *rapid.T) {
	deeds := w.deeds()
	r.Repeat(map[string]func(*rapid.T){"act": func(r *rapid.T) {
		w.tick(time.Millisecond)
		d := pick(w, "deed", possible(deeds))
		r.Logf("%s %s", w.now.Format(time.DateTime), d.name)
		d.do()
		w.compare(d.name)
	}})
}

// deed is something that happens.
type deed struct {
	name   string
	weight int
	can    func() bool
	do     func()
}

// possible lists the deeds that can be done, each as often as it weighs, but not behind each other: rapid draws what comes
// first more often.
func possible(deeds []deed) []deed {
	var list []deed
	can := slices.DeleteFunc(slices.Clone(deeds), func(d deed) bool { return d.can != nil && !d.can() })
	for round := 0; len(can) > 0; round++ {
		can = slices.DeleteFunc(can, func(d deed) bool { return d.weight <= round })
		list = append(list, can...)
	}
	return list
}

func (w *world) deeds() []deed {
	unsent := func() bool { return slices.ContainsFunc(w.flights, func(f *flight) bool { return f.said == nil }) }
	sent := func() bool { return slices.ContainsFunc(w.flights, func(f *flight) bool { return f.said != nil }) }
	flying := func() bool { return len(w.flights) > 0 }
	due := func() bool { return len(w.lanes()) > 0 }
	there := func() bool { return len(w.present()) > 0 }
	taken := func() bool { return len(w.leads) > 0 }
	return []deed{
		{"submit", 6, func() bool { return len(w.leads) < 8 }, w.submit},
		{"take", 9, due, w.takeSome},
		{"repeat", 3, func() bool { return taken() && len(w.leads) < 8 }, w.repeat},
		{"send", 6, unsent, w.sendOne},
		{"settle", 5, sent, w.settleOne},
		{"wait", 4, taken, w.wait},
		{"answer", 3, flying, w.answerOne},
		{"wake", 5, w.alarmed, w.wakeOne},
		{"walk", 6, w.walking, w.walkOn},
		{"follow", 4, w.followable, w.followOne},
		{"overtake", 1, w.walking, w.overtake},
		{"pass", 2, due, w.pass},
		{"wait long", 3, taken, w.waitLong},
		{"crash", 2, flying, w.crash},
		{"fail amid", 2, taken, w.failAmid},
		{"lose", 2, flying, w.loseOne},
		{"restart", 1, flying, w.restart},
		{"refresh", 1, there, w.refreshOne},
		{"busy", 1, nil, w.busy},
		{"burst", 1, func() bool { return len(w.leads) < 2 }, w.burst},
		{"add buyer", 2, func() bool { return len(w.buyers) < 6 }, w.addBuyer},
		{"edit buyer", 2, there, w.editBuyer},
		{"pause", 1, there, w.pause},
		{"resume", 1, there, w.resume},
		{"remove", 1, there, w.remove},
		{"rotate", 1, there, w.rotate},
		{"switch off", 1, func() bool { return there() && flying() }, w.switchOff},
		{"suppress", 1, taken, w.suppress},
		{"erase", 1, taken, w.erase},
		{"release", 2, func() bool { return slices.ContainsFunc(w.leads, w.releasable) }, w.release},
		{"replay", 2, func() bool { return slices.ContainsFunc(w.leads, w.replayable) }, w.replay},
		{"close", 1, func() bool { return slices.ContainsFunc(w.leads, forSale) }, w.closeOne},
		{"close held", 1, taken, w.closeHeld},
	}
}

// world is one seed: what really runs, and the model of it.
type world struct {
	*ground
	t        *rapid.T
	seen     sights
	operator *operator.Operator
	now      time.Time
	step     int
	ids      int // of offers, as the forwarder makes them

	processes []*process
	newest    *process // the last that read the buyers
	flights   []*flight
	leads     []*request
	buyers    []*party
	version   int // of the buyers
	offers    int // as the model makes them
	asked     int // counts who was asked
	messages  map[string]letter
	sold      map[fingerprint]map[string]time.Time
	forgot    map[fingerprint]bool // by an erasure: who accepted such a lead is known no more
	barred    map[string]int       // suppressed numbers, and in which step
	people    forward.PersonRules
	listed    map[string]buyer.Buyer // the buyers
	listedAs  int                    // and in which version
	aliases   map[string]string      // the ids by which buyers know leads
	edition   int                    // of the books, as they were looked at last
	said      int                    // how far history was read
	walks     []*scanBatch           // through what is held
	walker    *scanBatch             // the one that may have released leads
	alarm     time.Time              // when the next walk is due
	weather   []*answer              // what buyers may answer
	script    *answer                // what every buyer answers, or nil for chance
}

// beginning is the noon before the night in which New York's clocks change.
var beginning = time.Date(2026, time.March, 7, 17, 0, 0, 0, time.UTC)

func (g *ground) world(r *rapid.T, seen sights) *world {
	w := &world{
		ground: g, t: r, seen: seen, now: beginning,
		messages: make(map[string]letter), sold: make(map[fingerprint]map[string]time.Time), forgot: make(map[fingerprint]bool), barred: make(map[string]int),
		people: pick(&world{t: r}, "people", somePeople), aliases: make(map[string]string),
	}
	if _, err := g.raw.Exec(g.wipe); err != nil {
		r.Fatal(err)
	}
	w.must(g.st.Refresh(r.Context()))
	if g.houses != nil {
		g.houses.moveAllOut(w) // of a seed that failed
		w.refreshStores()
	}
	w.operator = &operator.Operator{
		Store: instantStore{operatorStore{g.st}}, Now: w.clock, Suppressed: g.st.Suppressed,
		CheckURL: func(string) error { return nil }, CheckSecret: func(string) error { return nil }, Persons: w.people,
	}
	if w.weather = answers; rapid.IntRange(0, 3).Draw(r, "weather") == 3 {
		w.weather = stormy
	}
	for range rapid.IntRange(0, 3).Draw(r, "buyers") {
		w.addBuyer()
	}
	w.processes = []*process{w.process(), w.process()}
	return w
}

func (w *world) clock() time.Time { return w.now }

func (w *world) must(err error) {
	if err != nil {
		w.t.Helper()
		w.t.Fatal(err)
	}
}

// tick moves the clock.
func (w *world) tick(by time.Duration) {
	w.step++
	w.now = w.now.Add(by)
}

// pick draws one of a list. It draws its place, so that the log stays short.
func pick[T any](w *world, what string, from []T) T {
	return from[rapid.IntRange(0, len(from)-1).Draw(w.t, what)]
}
