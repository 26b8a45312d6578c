package torture

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/test/stopwatch"
)

// clientCount is how many clients send leads concurrently.
const clientCount = 8

// newRequest returns a request with a unique mark in its notes, so that the lead is found again even if no answer told its
// lead_id. No two requests are from the same person for the same place, because a buyer gets those only once.
func newRequest(n int64) (mark, body string) {
	mark = fmt.Sprintf("mark %d", n)
	return mark, fmt.Sprintf(`{"service_type":"hvac","zip_code":"%05d","customer_name":"Pat Example","customer_phone":"%03d-555-01%02d",`+
		`"consent_to_contact":true,"notes":"%s"}`, 33000+n/70_000%1000, 201+n/100%700, n%100, mark)
}

var marks atomic.Int64

// tally is what clients were told.
type tally struct {
	mu         sync.Mutex
	accepted   map[string]string // mark → lead_id: must be stored
	refused    []string          // marks that were answered 503
	unanswered []string          // marks without an answer
	slowest    time.Duration     // the longest wait for a refusal
	timed      time.Time         // waits are measured from here on
	unexpected []string          // answers that no client should get
	answered   []time.Time       // times of the 202s, in order
	cut        bool              // the power is off
	late       map[string]string // mark → lead_id: accepted after that
}

func newTally() *tally {
	return &tally{accepted: make(map[string]string), late: make(map[string]string)}
}

// load is a number of clients at work.
type load struct {
	*tally
	url        string
	keyed      bool                 // every other lead has an idempotency key
	pause      time.Duration        // of a client after a 202
	retryAfter time.Duration        // of a client after a refusal
	watch      *stopwatch.Stopwatch // a client that waits for a processor does not wait for the service
	done       chan struct{}
	all        sync.WaitGroup
	stop       func()
}

// send starts clients that send leads, one after another on kept connections, until stop.
func send(t *testing.T, url string, into *tally) *load {
	return startLoad(t, &load{tally: into, url: url, retryAfter: 10 * time.Millisecond})
}

func startLoad(t *testing.T, l *load) *load {
	l.done, l.watch = make(chan struct{}), stopwatch.Start()
	wire := &http.Transport{MaxIdleConnsPerHost: clientCount}
	client := &http.Client{Transport: wire, Timeout: 20 * time.Second}
	for range clientCount {
		l.all.Go(func() { l.client(client) })
	}
	l.stop = sync.OnceFunc(func() { close(l.done); l.all.Wait(); l.watch.Stop(); wire.CloseIdleConnections() })
	t.Cleanup(l.stop)
	return l
}

func (l *load) client(client *http.Client) {
	for {
		select {
		case <-l.done:
			return
		default:
		}
		if l.sendOne(client) {
			time.Sleep(l.pause)
		} else {
			time.Sleep(l.retryAfter)
		}
	}
}

// sendOne sends a lead, records the answer, and reports whether the lead was accepted.
func (l *load) sendOne(client *http.Client) bool {
	n := marks.Add(1)
	mark, text := newRequest(n)
	began, from := time.Now(), l.watch.Took()
	res, body, err := post(client, l.url, text, keyOf(n, l.keyed))
	took := l.watch.Took() - from
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.unanswered = append(l.unanswered, mark)
	case res.StatusCode == http.StatusAccepted:
		return l.accept(mark, body)
	case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "":
		l.refused = append(l.refused, mark)
		if began.After(l.timed) {
			l.slowest = max(l.slowest, took)
		}
	default:
		l.unexpected = append(l.unexpected, fmt.Sprintf("%d, Retry-After %q: %s", res.StatusCode, res.Header.Get("Retry-After"), body))
	}
	return false
}

// keyOf returns the idempotency key of a request, or "".
func keyOf(n int64, keyed bool) string {
	if !keyed || n%2 == 1 {
		return ""
	}
	return fmt.Sprintf("key %d", n)
}

// post sends a request and reads the whole answer.
func post(client *http.Client, url, text, key string) (*http.Response, []byte, error) {
	req, err := http.NewRequest(http.MethodPost, url+"/v1/intake", strings.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, body, err
}

func (l *load) accept(mark string, body []byte) bool {
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(body, &receipt); err != nil || receipt.LeadID == "" {
		l.unexpected = append(l.unexpected, "202: "+string(body))
		return false
	}
	if l.cut {
		l.late[mark] = receipt.LeadID
		return true
	}
	l.accepted[mark], l.answered = receipt.LeadID, append(l.answered, time.Now())
	return true
}

// resetTimer ignores waits that began earlier.
func (t *tally) resetTimer() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slowest, t.timed = 0, time.Now()
}

// setPower records whether the machine has power. Without power, a real machine could not send its answers.
func (t *tally) setPower(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut = !on
}

// counts returns how many were accepted and refused so far.
func (t *tally) counts() (accepted, refused int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.accepted), len(t.refused)
}

// anyID returns the id of an accepted lead.
func (t *tally) anyID() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range t.accepted {
		return id
	}
	return ""
}

// acceptedSince returns how many were accepted after a time.
func (t *tally) acceptedSince(moment time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	first, _ := slices.BinarySearchFunc(t.answered, moment, time.Time.Compare)
	return len(t.answered) - first
}

// firstAccepted waits until a lead is accepted after a moment, and returns when.
func (t *tally) firstAccepted(since time.Time, within time.Duration) (time.Time, bool) {
	for ; time.Since(since) < within; time.Sleep(5 * time.Millisecond) {
		t.mu.Lock()
		first, _ := slices.BinarySearchFunc(t.answered, since, time.Time.Compare)
		if first < len(t.answered) {
			defer t.mu.Unlock()
			return t.answered[first], true
		}
		t.mu.Unlock()
	}
	return time.Time{}, false
}
