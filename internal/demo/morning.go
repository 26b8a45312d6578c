package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// unfinished is how many days at the end are left for whoever looks at the month to take care of.
const unfinished = 3

// planMornings lets the operator look after things every day, and do something special on some days.
func (m *month) planMornings() {
	special := map[int]func(context.Context) error{
		3:  func(ctx context.Context) error { return m.addBuyer(ctx, neighborhood, entered.Held{Days: 7}) },
		5:  func(ctx context.Context) error { return m.takeBack(ctx, lead.Withdraw) },
		9:  m.suppress,
		14: m.raisePrice,
		18: m.blockComparison,
		19: func(ctx context.Context) error { return m.takeBack(ctx, lead.EraseAll) },
		25: func(ctx context.Context) error { _, err := m.enterBuyer(ctx, greatLakes); return err },
		28: func(ctx context.Context) error { return m.takeBack(ctx, lead.EraseAll) },
	}
	for day := range Days {
		m.plan(m.begin.Add(time.Duration(day)*24*time.Hour), func(ctx context.Context) error {
			if m.progress != nil {
				m.progress(day)
			}
			return m.count(ctx)
		})
		morning := m.begin.Truncate(24 * time.Hour).Add(time.Duration(day+1)*24*time.Hour + 14*time.Hour)
		if !morning.Before(m.until) {
			continue
		}
		m.plan(morning, m.lookAfter(day))
		if do := special[day]; do != nil {
			m.plan(morning.Add(time.Hour), do)
		}
	}
	m.plan(m.until, m.countAll)
}

// count fills the search index and counts leads, as the service does all the time.
func (m *month) count(ctx context.Context) error {
	err := m.job(ctx, "fill the search index", func(j *store.Job) error { _, err := j.Follow(ctx, m.indexer); return err })
	if err != nil {
		return err
	}
	return m.job(ctx, "count leads for reports", func(j *store.Job) error { _, err := j.Follow(ctx, m.counter); return err })
}

// countAll counts until nothing is left: on PostgreSQL, followers stay behind the transactions of others. If those take long, the service counts the
// rest when it runs.
func (m *month) countAll(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if err := m.count(ctx); err != nil {
			return err
		}
		toIndex, err := m.Store.Backlog(ctx, m.indexer)
		if err != nil {
			return err
		}
		if toCount, err := m.Store.Backlog(ctx, m.counter); err != nil || toIndex+toCount == 0 {
			return err
		}
	}
	return nil
}

// job does a job of the service.
func (m *month) job(ctx context.Context, name string, do func(*store.Job) error) error {
	j, err := m.Store.StartJob(ctx, name, m.forward.Owner, 0, func() time.Time { return m.now })
	switch {
	case err != nil:
		return err
	case j == nil:
		return errors.New("another process uses the database: stop it, and begin again with a new database")
	}
	if err := do(j); err != nil {
		return err
	}
	return j.Finish(ctx)
}

// lookAfter is what the operator does on a day: decide returns, resume buyers, enter payments, and deal with leads in error.
func (m *month) lookAfter(day int) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, do := range []func(context.Context) error{m.closeMonth, m.resume, m.topUp} {
			if err := do(ctx); err != nil {
				return err
			}
		}
		if day >= Days-unfinished {
			return nil
		}
		if err := m.decideReturns(ctx); err != nil {
			return err
		}
		if err := m.tellOfReturns(ctx); err != nil {
			return err
		}
		return m.replay(ctx)
	}
}

// closeMonth closes the statements of a month that is over.
func (m *month) closeMonth(ctx context.Context) error {
	if m.now.Day() != 1 {
		return nil
	}
	last := buyer.MonthOf(m.now.AddDate(0, 0, -1))
	ids, err := m.operator.Accounts().Closable(ctx, last, time.UTC)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := m.operator.Accounts().CloseStatement(ctx, m.By, id, last, time.UTC); err != nil {
			return err
		}
	}
	return nil
}

// resume resumes buyers whose address refused us.
func (m *month) resume(ctx context.Context) error {
	buyers, _, err := m.Store.Buyers(ctx)
	if err != nil {
		return err
	}
	for _, b := range buyers {
		if b.State == buyer.Paused {
			if _, err := m.operator.Resume(ctx, m.By, b.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// topUp enters the payments of buyers that pay in advance, once a week and when little is left.
func (m *month) topUp(ctx context.Context) error {
	const little, payment = 15_000, 60_000
	if m.now.Weekday() != time.Monday {
		return nil
	}
	accounts, err := m.operator.Accounts().List(ctx)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		limit := a.Buyer.Terms.CreditLimit
		if limit == nil || *limit-a.Owed > little {
			continue
		}
		if _, err := m.operator.Accounts().TopUp(ctx, m.By, a.Buyer.ID, payment, "Bank transfer"); err != nil {
			return err
		}
	}
	return nil
}

// decideReturns decides the returns that wait since yesterday.
func (m *month) decideReturns(ctx context.Context) error {
	waiting, err := m.operator.Returns(ctx, store.ReturnFilter{State: buyer.ReturnWaiting, Limit: 1000})
	if err != nil {
		return err
	}
	for _, r := range waiting {
		if m.now.Sub(r.At) < 12*time.Hour {
			continue
		}
		decide, note := m.operator.ApproveReturn, "Credited"
		if chance(m.decisions, 0.3) {
			decide, note = m.operator.DenyReturn, "The number works: we called it"
		}
		if _, err := decide(ctx, m.By, r.Offer, note); err != nil {
			return err
		}
	}
	return nil
}

// tellOfReturns tells the buyers what became of their returns.
func (m *month) tellOfReturns(ctx context.Context) error {
	return m.job(ctx, "tell buyers what became of returns", func(j *store.Job) error {
		n := forward.ReturnNotifier{ToNotify: m.Store.ReturnsToNotify, Update: j.Update, Send: m.answer, Chance: m.decisions.Float64, Now: m.forward.Now, Log: m.forward.Log}
		return n.Notify(ctx)
	})
}

// replay sends contacts again that a buyer accepted and could not take. Now it can.
func (m *month) replay(ctx context.Context) error {
	list, err := m.operator.ReplayAll(ctx, m.By, m.begin, m.now, false)
	for _, r := range list {
		m.stuck[r.Offer] = false
	}
	return err
}

// takeBack is a person who takes a request back. The operator settles it at once, unless the month is about to end.
func (m *month) takeBack(ctx context.Context, kind lead.PrivacyKind) error {
	of := m.kept[m.decisions.IntN(len(m.kept))]
	client := newPeople(m.decisions).address()
	kept, err := m.intake.RequestPrivacy(ctx, intake.PrivacyInput{
		Kind: string(kind), Phone: of.phone, LeadID: of.leadID, Client: client,
		Evidence: lead.Evidence{Channel: lead.ChannelForm, Client: client.String(), UserAgent: browsers[0], RequestID: m.newID("req_")},
	})
	if err != nil || m.until.Sub(m.now) < unfinished*24*time.Hour {
		return err
	}
	m.plan(m.now.Add(26*time.Hour), func(ctx context.Context) error {
		if kind == lead.EraseAll {
			if _, err := m.operator.Erase(ctx, m.By, of.leadID); err != nil {
				return err
			}
		}
		return m.operator.SettlePrivacyRequest(ctx, m.By, kept.ID, "Done, and the person was told.")
	})
	return nil
}

// suppress keeps a few numbers from being contacted again.
func (m *month) suppress(ctx context.Context) error {
	for range 3 {
		if _, err := m.operator.Suppress(ctx, m.By, m.kept[m.decisions.IntN(len(m.kept))].phone, "Asked us by phone"); err != nil {
			return err
		}
	}
	return nil
}

// raisePrice agrees on new prices with a buyer.
func (m *month) raisePrice(ctx context.Context) error {
	id, err := m.operator.Find(ctx, *southeast.terms.Name)
	if err == nil {
		_, err = m.operator.Edit(ctx, m.By, id, entered.Terms{Price: new(cleaningAt("19.00") + ",pest_control=25.00,hvac=49.00,handyman=21.00")})
	}
	return err
}

// blockComparison blocks a source whose leads nobody wants.
func (m *month) blockComparison(ctx context.Context) error {
	blocked, err := m.operator.Sources().Block(ctx, m.By, comparison, true)
	if err != nil {
		return fmt.Errorf("block %s: %w", comparison, err)
	}
	m.sources[comparison] = &blocked
	return nil
}
