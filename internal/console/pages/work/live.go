package work

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
)

// The feed of new leads. All open pages of a process share one reader of the database, which reads only while somebody looks.
const (
	livePause = 2 * time.Second
	liveLeads = 15
	liveBeat  = 5 * time.Second // how often an open page checks that its session has not ended
	liveLimit = time.Hour       // then the browser connects again, and its session is looked at again
	maxFeeds  = 50
)

var errFeeds = &lead.Error{Kind: lead.Unavailable, Retry: time.Minute, Message: "Too many pages follow the leads already. This one is up to date whenever it is loaded."}

// Feed are the open pages that wait for new leads.
type Feed struct {
	mu   sync.Mutex
	open map[chan string]bool
	last string
	stop chan struct{} // ends the reader
}

// Live sends the newest leads as a page shows them, whenever they change: server-sent events.
func (f *Feed) Live(v *page.Visit) error {
	control := http.NewResponseController(v.W)
	if err := control.SetWriteDeadline(time.Time{}); err != nil {
		return err
	}
	events, leave := f.join(v)
	if events == nil {
		return errFeeds
	}
	defer leave()
	h := v.W.Header()
	h.Set("Content-Type", page.EventStream)
	h.Set("X-Accel-Buffering", "no") // of nginx
	v.W.WriteHeader(http.StatusOK)
	if err := control.Flush(); err != nil { // the page is connected, even if nothing happens
		return nil
	}
	end, beat := time.NewTimer(liveLimit), time.NewTicker(liveBeat)
	defer end.Stop()
	defer beat.Stop()
	for {
		message := ": still here\n\n"
		select {
		case <-v.Ctx.Done():
			return nil
		case <-end.C:
			return nil
		case <-v.Stopping:
			return nil
		case <-beat.C:
			valid, err := v.StillSignedIn()
			if err != nil {
				return nil
			}
			if !valid { // signed out elsewhere
				message = page.SignedOutEvent
			}
		case rows := <-events:
			message = "event: leads\ndata: " + strings.ReplaceAll(rows, "\n", "\ndata: ") + "\n\n"
		}
		_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a page that does not read is left
		if _, err := fmt.Fprint(v.W, message); err != nil || control.Flush() != nil || message == page.SignedOutEvent {
			return nil
		}
	}
}

// join adds a page. The first one starts the reader. It returns nil if too many pages are open.
func (f *Feed) join(v *page.Visit) (events chan string, leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.open) >= maxFeeds {
		return nil, nil
	}
	events = make(chan string, 1)
	if f.open == nil {
		f.open = make(map[chan string]bool)
	}
	f.open[events] = true
	if f.stop == nil {
		f.stop = make(chan struct{})
		go f.read(new(*v), f.stop)
	} else if f.last != "" {
		events <- f.last
	}
	return events, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.open, events)
		if len(f.open) == 0 && f.stop != nil {
			close(f.stop)
			f.stop, f.last = nil, ""
		}
	}
}

// read reads the newest leads and gives them to all pages when they changed.
func (f *Feed) read(v *page.Visit, stop chan struct{}) {
	tick := time.NewTicker(livePause)
	defer tick.Stop()
	for {
		if rows, err := liveRows(v); err == nil {
			f.publish(rows, stop)
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

func (f *Feed) publish(rows string, stop chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stop != stop || rows == f.last {
		return
	}
	f.last = rows
	for events := range f.open {
		select { // a page gets the newest state, and not all that were before it
		case <-events:
		default:
		}
		events <- rows
	}
}

// liveRows are the newest leads as rows of a table. Nobody in particular reads them: they show no persons.
func liveRows(v *page.Visit) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.Ctx), 5*time.Second)
	defer cancel()
	bounded := new(*v)
	bounded.Ctx = ctx
	t, err := newestLeads(bounded, liveLeads)
	if err != nil {
		return "", err
	}
	return v.Rows(t)
}
