package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"foyer/test/postgres"
)

// comparison compares two binaries.
type comparison struct {
	old, new string
	folder   string
	pairs    int
	duration time.Duration // approximate duration of a round
	only     string
}

// comparePair measures the headline figures of two binaries in interleaved pairs, and the old binary against itself as the
// control.
func comparePair(w io.Writer, folder string, s settings) error {
	// Without this, Ctrl-C would leave paused processes behind that never end.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	binary, err := findBinary("NEW", s.binary)
	if err != nil {
		return err
	}
	if s.rounds < 1 {
		return fmt.Errorf("PAIRS=%d: at least one pair is needed", s.rounds)
	}
	c := &comparison{old: s.old, new: binary, folder: folder, pairs: s.rounds, duration: s.duration, only: s.only}
	if err := reportHead(w, c); err != nil {
		return err
	}
	for _, f := range figures {
		if err := c.measure(ctx, w, f); err != nil {
			return err
		}
	}
	if !s.postgres || !strings.Contains(postgresFigure, s.only) {
		return nil
	}
	db, err := postgres.New(postgres.Options{})
	if errors.Is(err, postgres.ErrMissing) {
		fmt.Fprintf(w, "%-*s  left out: %v\n", nameWidth, postgresFigure, err)
		return nil
	}
	if err != nil {
		return err
	}
	defer db.Close()
	return c.measure(ctx, w, intakeOnPostgres(db))
}

// measure runs all pairs of one figure, and prints its row.
func (c *comparison) measure(ctx context.Context, w io.Writer, f figure) error {
	if !strings.Contains(f.name, c.only) {
		return nil
	}
	folder := subfolder(c.folder, "figure")
	defer os.RemoveAll(folder) // databases grow to a gigabyte each
	var t trio
	defer t.stop()
	for i, binary := range []string{c.old, c.new, c.old} {
		one, err := f.start(binary, subfolder(folder, fmt.Sprint(i)))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", f.name, filepath.Base(binary), err)
		}
		one.pause()
		t[i] = one
	}
	answers, err := t.warmUp(ctx, f.first, c.duration)
	for pair := 0; err == nil && pair < c.pairs; pair++ {
		fmt.Fprintf(os.Stderr, "\r\033[K%s: pair %d of %d", f.name, pair+1, c.pairs)
		err = t.round(ctx, pair, answers, true)
	}
	fmt.Fprint(os.Stderr, "\r\033[K")
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	reportFigure(w, f.name, t[oldOne].spent, t[newOne].spent, t[control].spent)
	return nil
}

// contender is one process and its load.
type contender struct {
	*server
	run   func(answers int) (result, error)
	total func() time.Duration // CPU so far of the process and its database server
	spent []float64            // CPU per answer in microseconds, pair by pair
}

// trio is the three processes of one figure. All but the one under load are paused.
type trio [3]*contender

const (
	oldOne = iota
	newOne
	control // the old binary again, in another process
)

func (t *trio) stop() {
	for _, one := range t {
		if one != nil {
			one.kill()
		}
	}
}

// orders are all six, so that over the pairs none runs first, or directly after another, more often than the others.
var orders = [][3]int{
	{oldOne, newOne, control},
	{newOne, oldOne, control},
	{control, oldOne, newOne},
	{control, newOne, oldOne},
	{oldOne, control, newOne},
	{newOne, control, oldOne},
}

// round makes each give the same number of answers, one after another.
func (t *trio) round(ctx context.Context, pair, answers int, counts bool) error {
	for _, i := range orders[pair%len(orders)] {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		_, cpu, err := t[i].measure(answers)
		if err != nil {
			return err
		}
		if counts {
			t[i].spent = append(t[i].spent, float64(cpu)/float64(time.Microsecond)/float64(answers))
		}
	}
	return nil
}

// warmUp runs two rounds that do not count, and determines with the old binary how many answers take about as long as
// requested.
func (t *trio) warmUp(ctx context.Context, first int, duration time.Duration) (int, error) {
	if err := t.round(ctx, 0, first, false); err != nil {
		return 0, err
	}
	took, _, err := t[oldOne].measure(first)
	if err != nil {
		return 0, err
	}
	answers := max(1, int(float64(first)*duration.Seconds()/took.Seconds()))
	return answers, t.round(ctx, 1, answers, false)
}

// measure runs one contender and returns the time and the CPU it took.
func (c *contender) measure(answers int) (took, cpu time.Duration, err error) {
	c.resume()
	defer c.pause()
	before := c.total()
	r, err := c.run(answers)
	if err != nil || r.wrong > 0 || r.done != answers {
		return 0, 0, fmt.Errorf("%d good answers of %d, %d wrong: %v", r.done, answers, r.wrong, err)
	}
	return r.elapsed, c.total() - before, nil
}
