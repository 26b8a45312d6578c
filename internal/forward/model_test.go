package forward_test

import (
	"flag"
	"fmt"
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
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store/storetest"
)

// seeds is how many seeds run with all other tests. make model runs ten thousand.
var seeds = 300

// seedsGiven reports whether the environment or a flag sets the number of seeds. It must be called before a test sets the flag.
var seedsGiven = sync.OnceValue(func() bool {
	_, found := os.LookupEnv("RAPID_CHECKS")
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == "rapid.checks" })
	return found
})

// TestModel runs several processes that forward leads on a real store, with random buyers, leads, answers, crashes and clock
// steps, next to a model that is simple because it keeps everything in memory and never crashes. After every step the tables
// must match the model, and at the end every lead must have the status that the model predicts.
//
// The files of the model: messages (model_wire), what answers mean (model_answers), which buyer is asked (model_asking) and
// asked again (model_reoffer), which leads of a person are on the market (model_market), what happens after an answer
// (model_settling), what operators do (model_operator), money (model_money), scans of held leads (model_scans), crashes (model_crash), comparing the
// tables (model_tables) and the attempts (model_attempts), and the end of a run (model_end).
//
// A failure names its seed. To reproduce it:
//
//	go test ./internal/forward -run '^TestModel$' -rapid.seed=SEED
//	go test ./internal/forward -run '^TestModel$/^0$' -rapid.failfile=FILE
//
// The first runs it as found, the second as shrunk. -rapid.checks sets the number of seeds, -v prints what happened in all of
// them, and -rapid.v prints every step of each.
func TestModel(t *testing.T) {
	if testing.Short() {
		seeds = min(seeds, 60)
	}
	runModel(t, seeds, 2, openSQLite) // one per core of a small machine
}

// runModel runs the model with so many seeds, unless seedsGiven, in parts that run at the same time. Each has a backend.
func runModel(t *testing.T, checks, parts int, open func(*testing.T) *backend) {
	t.Helper()
	if flag.Lookup("rapid.seed").Value.String() != "0" || flag.Lookup("rapid.failfile").Value.String() != "" {
		parts = 1
	}
	before := flag.Lookup("rapid.checks").Value.String()
	if seedsGiven() {
		checks, _ = strconv.Atoi(before)
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(max(1, (checks+parts-1)/parts))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set("rapid.checks", before) })
	collect := debug.SetGCPercent(400) // coverage is computed again and again, and is large
	t.Cleanup(func() { debug.SetGCPercent(collect) })
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			g, seen := open(t), make(tally)
			rapid.Check(t, func(r *rapid.T) {
				w := g.world(r, seen)
				defer w.killScans(func(*scan) bool { return true }) // of a seed that failed
				w.runActions(r)
				w.end(r)
			})
			t.Log(seen)
		})
	}
}

// runActions runs random actions that are possible.
func (w *world) runActions(r *rapid.T) {
	actions := w.actions()
	r.Repeat(map[string]func(*rapid.T){"act": func(r *rapid.T) {
		w.tick(time.Millisecond)
		d := pick(w, "action", possible(actions))
		r.Logf("%s %s", w.now.Format(time.DateTime), d.name)
		d.do()
		w.compare(d.name)
	}})
}

// action is one kind of step.
type action struct {
	name   string
	weight int
	can    func() bool
	do     func()
}

// possible lists the possible actions, each as often as its weight says, but interleaved: rapid draws early elements more
// often.
func possible(actions []action) []action {
	var list []action
	can := slices.DeleteFunc(slices.Clone(actions), func(d action) bool { return d.can != nil && !d.can() })
	for round := 0; len(can) > 0; round++ {
		can = slices.DeleteFunc(can, func(d action) bool { return d.weight <= round })
		list = append(list, can...)
	}
	return list
}

func (w *world) actions() []action {
	unsent := func() bool { return slices.ContainsFunc(w.flights, func(f *flight) bool { return f.answer == nil }) }
	sent := func() bool { return slices.ContainsFunc(w.flights, func(f *flight) bool { return f.answer != nil }) }
	inFlight := func() bool { return len(w.flights) > 0 }
	due := func() bool { return len(w.queues()) > 0 }
	haveBuyers := func() bool { return len(w.present()) > 0 }
	haveLeads := func() bool { return len(w.leads) > 0 }
	return []action{
		{"submit", 6, func() bool { return len(w.leads) < 8 }, w.submit},
		{"claim", 9, due, w.claimSome},
		{"repeat", 3, func() bool { return haveLeads() && len(w.leads) < 8 }, w.repeat},
		{"send", 6, unsent, w.sendOne},
		{"settle", 5, sent, w.settleOne},
		{"wait", 4, haveLeads, w.wait},
		{"answer", 3, inFlight, w.answerOne},
		{"wake", 5, w.hasDueScan, w.wakeOnce},
		{"scan", 6, w.hasScans, w.stepOneScan},
		{"check repeats", 4, w.hasRepeats, w.checkRepeatsOnce},
		{"overtake", 1, w.hasScans, w.overtake},
		{"pass", 2, due, w.passOnce},
		{"wait long", 3, haveLeads, w.waitLong},
		{"crash", 2, inFlight, w.crash},
		{"fail before commit", 2, haveLeads, w.failDuringTx},
		{"lose", 2, inFlight, w.abandonOne},
		{"restart", 1, inFlight, w.endAll},
		{"refresh", 1, haveBuyers, w.refreshOne},
		{"burst", 1, func() bool { return len(w.leads) < 2 }, w.burst},
		{"add buyer", 2, func() bool { return len(w.buyers) < 6 }, w.addBuyer},
		{"edit buyer", 2, haveBuyers, w.editBuyer},
		{"pay", 2, haveBuyers, w.pay},
		{"correct", 1, haveBuyers, w.correct},
		{"return", 2, func() bool { return len(w.returnable()) > 0 }, w.returnLead},
		{"decide", 2, func() bool { return len(w.undecided()) > 0 }, w.decideReturn},
		{"pause", 1, haveBuyers, w.pause},
		{"resume", 1, haveBuyers, w.resume},
		{"remove", 1, haveBuyers, w.remove},
		{"rotate", 1, haveBuyers, w.rotate},
		{"switch off", 1, func() bool { return haveBuyers() && inFlight() }, w.switchOff},
		{"suppress", 1, haveLeads, w.suppress},
		{"erase", 1, haveLeads, w.erase},
		{"release", 2, func() bool { return slices.ContainsFunc(w.leads, w.releasable) }, w.release},
		{"replay", 2, func() bool { return slices.ContainsFunc(w.leads, w.replayable) }, w.replay},
		{"close", 1, func() bool { return slices.ContainsFunc(w.leads, forSale) }, w.closeOne},
		{"take back", 1, func() bool { return slices.ContainsFunc(w.leads, mayTakeBack) }, w.takeBack},
		{"close held", 1, haveLeads, w.closeHeld},
	}
}

// world is the state of one seed: the real processes, and the model of them.
type world struct {
	*backend
	t        *rapid.T
	tally    tally
	operator *operator.Operator
	now      time.Time
	step     int
	ids      int // of offers, as the forwarder numbers them

	processes        []*process
	newest           *process // the last one that read the buyers
	flights          []*flight
	leads            []*modelLead
	buyers           []*modelBuyer
	version          int // of the buyers
	offers           int // as the model numbers them
	statements       int
	asked            int // counts the buyers asked
	messages         map[string]sentMessage
	sold             map[fingerprint]map[string]time.Time
	erasedSales      map[fingerprint]bool // an erasure deleted the record of which buyers accepted such a lead
	suppressed       map[string]int       // phone numbers, and in which step each was suppressed
	persons          forward.PersonRules
	buyerList        map[string]buyer.Buyer // cache of currentBuyers
	buyerListVersion int                    // the version of that cache
	aliases          map[string]string      // the lead ids that buyers see
	dataVersion      int                    // of the tables, as last compared
	offersRead       int                    // of the offers and attempts, as last compared
	historySeq       int64                  // the last row of the history read
	scans            []*scan                // running scans of held leads
	activeScan       *scan                  // the scan that may just have released leads
	nextWake         time.Time              // when the next scan is due
	answerMix        []*answer              // what buyers may answer
	scripted         *answer                // what every buyer answers, or nil for a random answer
}

// startTime is noon in New York, the day before daylight saving time begins.
var startTime = time.Date(2026, time.March, 7, 17, 0, 0, 0, time.UTC)

func (g *backend) world(r *rapid.T, seen tally) *world {
	w := &world{
		backend: g, t: r, tally: seen, now: startTime,
		messages: make(map[string]sentMessage), sold: make(map[fingerprint]map[string]time.Time), erasedSales: make(map[fingerprint]bool), suppressed: make(map[string]int),
		persons: pick(&world{t: r}, "person rules", personRules), aliases: make(map[string]string),
	}
	if _, err := g.raw.Exec(g.wipe); err != nil {
		r.Fatal(err)
	}
	w.mustRead(func() error { return g.st.Refresh(r.Context()) })
	if g.stores != nil {
		g.stores.killAll(w) // of a seed that failed
	}
	w.operator = &operator.Operator{
		Store: instantStore{g.st}, Now: w.clock, Suppressed: g.st.Suppressed,
		CheckURL: func(string) error { return nil }, CheckSecret: func(string) error { return nil }, Persons: w.persons,
		NewID: func(prefix string) string { w.statements++; return fmt.Sprint(prefix, w.statements) },
	}
	if w.answerMix = answers; rapid.IntRange(0, 3).Draw(r, "failing answers") == 3 {
		w.answerMix = failingAnswers
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

// mustRead reads until the server answers within the timeout of a read, which it does not when others keep the processor busy.
func (w *world) mustRead(read func() error) {
	w.t.Helper()
	for began := time.Now(); ; {
		if err := read(); storetest.KindOf(err) != lead.Unavailable || time.Since(began) > storetest.EventuallyTimeout {
			w.must(err)
			return
		}
	}
}

// tick advances the clock.
func (w *world) tick(by time.Duration) {
	w.step++
	w.now = w.now.Add(by)
}

// pick draws an element of a list. It draws the index, so that the log stays short.
func pick[T any](w *world, what string, from []T) T {
	return from[rapid.IntRange(0, len(from)-1).Draw(w.t, what)]
}
