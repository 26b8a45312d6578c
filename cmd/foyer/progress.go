package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"foyer/internal/store"
)

// progress is one line on a terminal that tells how far something is: rows, rate and time left. It is silent where nobody looks.
type progress struct {
	out  io.Writer // nil where nobody looks
	stop chan struct{}
	gone sync.WaitGroup

	mu    sync.Mutex
	now   store.Progress
	began time.Time // with what is being done now
	first int64     // how much was done then
	drawn bool
}

// refresh is how often the line is drawn.
const refresh = time.Second

// newProgress draws on a writer where that is a terminal, until end is called.
func newProgress(w io.Writer) *progress {
	p := &progress{stop: make(chan struct{})}
	if !isTerminal(w) {
		return p
	}
	p.out = w
	p.gone.Go(func() {
		tick := time.NewTicker(refresh)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.draw(time.Now())
			case <-p.stop:
				return
			}
		}
	})
	return p
}

// watchers are who is to be told: this line, or nobody.
func (p *progress) watchers() []store.Watch {
	if p.out == nil {
		return nil
	}
	return []store.Watch{p.tell}
}

// tell notes how far it is.
func (p *progress) tell(now store.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.What != p.now.What {
		p.began, p.first = time.Now(), now.Done
	}
	p.now = now
}

// copied tells how far a copy is.
func (p *progress) copied(c store.Copying) {
	verb := "copying "
	if c.Verifying {
		verb = "verifying "
	}
	p.tell(store.Progress{What: verb + c.Table, Done: c.Rows, Of: c.Of, Unit: "rows"})
}

func (p *progress) draw(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.What == "" {
		return
	}
	p.drawn = true
	fmt.Fprint(p.out, "\r\x1b[K"+progressLine(p.now, p.first, at.Sub(p.began)))
}

// progressLine says how far something is that has gone on for some time, from where it began to be watched.
func progressLine(p store.Progress, first int64, since time.Duration) string {
	elapsed := roughly(since)
	switch {
	case p.Unit == "":
		return fmt.Sprintf("%s: %s so far", p.What, elapsed)
	case p.Of == 0:
		return fmt.Sprintf("%s: %s %s, %s a second", p.What, grouped(p.Done), p.Unit, grouped(pace(p.Done-first, since)))
	}
	line := fmt.Sprintf("%s: %s of %s %s", p.What, grouped(p.Done), grouped(p.Of), p.Unit)
	rate := pace(p.Done-first, since)
	if rate == 0 {
		return line + ", " + elapsed + " so far"
	}
	left := time.Duration(float64(max(p.Of-p.Done, 0)) / float64(p.Done-first) * float64(since))
	return fmt.Sprintf("%s, %s a second, %s left", line, grouped(rate), roughly(left))
}

// roughly is a time in whole seconds, minutes or hours, and at least a second.
func roughly(d time.Duration) string {
	switch d = max(d.Round(time.Second), time.Second); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

func pace(done int64, since time.Duration) int64 {
	return int64(float64(done) / max(since.Seconds(), 0.001))
}

// end clears the line.
func (p *progress) end() {
	if p.out == nil {
		return
	}
	close(p.stop)
	p.gone.Wait()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// aside writes a line of its own, with the drawn one out of the way.
func (p *progress) aside(w io.Writer, line string) {
	p.clear()
	fmt.Fprintln(w, line)
}

// clear takes the drawn line out of the way of another.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
