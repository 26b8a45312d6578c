package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Step is how far a part of the work has come.
type Step struct {
	What string
	Done int64
	Of   int64 // 0 if unknown
	Unit string
}

// Progress is one line on a terminal that shows how far a command has come: rows, rate and time left. It prints nothing if
// the output is no terminal.
type Progress struct {
	out  io.Writer // nil if not a terminal
	stop chan struct{}
	wg   sync.WaitGroup

	mu    sync.Mutex
	now   Step
	began time.Time // when the current step began
	first int64     // Done at that time
	drawn bool
}

// NewProgress draws on w every second, if that is a terminal, until End is called.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{stop: make(chan struct{})}
	if !Is(w) {
		return p
	}
	p.out = w
	p.wg.Go(func() {
		for tick := time.Tick(time.Second); ; {
			select {
			case now := <-tick:
				p.draw(now)
			case <-p.stop:
				return
			}
		}
	})
	return p
}

// Shown reports whether the line is drawn at all. If not, nobody needs to count for it.
func (p *Progress) Shown() bool { return p.out != nil }

// Set records the current progress.
func (p *Progress) Set(now Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.What != p.now.What {
		p.began, p.first = time.Now(), now.Done
	}
	p.now = now
}

func (p *Progress) draw(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.What == "" {
		return
	}
	p.drawn = true
	fmt.Fprint(p.out, "\r\x1b[K"+progressLine(p.now, p.first, at.Sub(p.began)))
}

// progressLine describes progress since the step was first seen, with first rows already done.
func progressLine(p Step, first int64, since time.Duration) string {
	elapsed, done := roundedDuration(since), p.Done-first
	rate := int64(float64(done) / max(since.Seconds(), 0.001)) // each second
	switch {
	case p.Unit == "":
		return fmt.Sprintf("%s: %s so far", p.What, elapsed)
	case p.Of == 0:
		return fmt.Sprintf("%s: %s %s, %s a second", p.What, Number(p.Done), p.Unit, Number(rate))
	case rate == 0:
		return fmt.Sprintf("%s: %s of %s %s, %s so far", p.What, Number(p.Done), Number(p.Of), p.Unit, elapsed)
	}
	left := roundedDuration(time.Duration(float64(max(p.Of-p.Done, 0)) / float64(done) * float64(since)))
	return fmt.Sprintf("%s: %s of %s %s, %s a second, %s left", p.What, Number(p.Done), Number(p.Of), p.Unit, Number(rate), left)
}

// roundedDuration formats a duration in whole seconds, minutes or hours, at least one second.
func roundedDuration(d time.Duration) string {
	switch d = max(d.Round(time.Second), time.Second); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

// End clears the line.
func (p *Progress) End() {
	close(p.stop)
	p.wg.Wait()
	p.Clear()
}

// Clear erases the progress line before other output.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
