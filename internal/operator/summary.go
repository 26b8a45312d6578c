package operator

import (
	"cmp"
	"context"
	"slices"
	"time"

	"foyer/internal/buyer"
)

// Summary is a buyer with how things go.
type Summary struct {
	buyer.Buyer
	Health     buyer.Health
	Use        []Use
	Delivering int // contacts being delivered to it
	At         time.Time
}

// Use is what a buyer has had in a period, and how many leads it takes; a cap of 0 is none.
type Use struct {
	Period string
	buyer.Counts
	Cap  int
	Ends time.Time // zero for never
}

// Today is the use of this day.
func (c Summary) Today() Use {
	for _, u := range c.Use {
		if u.Period == "day" {
			return u
		}
	}
	return Use{}
}

// LeftAlone is until when a buyer asked to be left alone; no time where it did not, or where that is over.
func (c Summary) LeftAlone() time.Time {
	if c.Health.QuietUntil.After(c.At) {
		return c.Health.QuietUntil
	}
	return time.Time{}
}

// maxSummaries is how many cards one transaction draws up, so that the intake never waits long behind a list.
const maxSummaries = 100

// List draws up the cards of all buyers, those that are asked first at the top.
func (d *Operator) List(ctx context.Context) ([]Summary, error) {
	buyers, _, err := d.Store.Buyers(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(buyers, func(a, b buyer.Buyer) int { return cmp.Compare(a.Terms.Priority, b.Terms.Priority) })
	cards := make([]Summary, 0, len(buyers))
	for some := range slices.Chunk(buyers, maxSummaries) {
		begun := len(cards)
		if err := d.view(ctx, func(p Tx) error {
			cards = cards[:begun]
			for _, b := range some {
				c, err := d.summary(p, b)
				if err != nil {
					return err
				}
				cards = append(cards, c)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

// Show draws up the card of one buyer.
func (d *Operator) Show(ctx context.Context, id string) (c Summary, err error) {
	err = d.view(ctx, func(p Tx) error {
		b, err := present(p, id)
		if err != nil {
			return err
		}
		c, err = d.summary(p, b)
		return err
	})
	return c, err
}

func (d *Operator) summary(p Tx, b buyer.Buyer) (c Summary, err error) {
	c = Summary{Buyer: b, At: d.now()}
	if c.Health, err = p.Health(b.ID); err != nil {
		return c, err
	}
	if c.Delivering, err = p.Delivering(b.ID); err != nil {
		return c, err
	}
	for _, period := range b.Terms.Periods(c.At) {
		counts, err := p.Counts(b.ID, period)
		if err != nil {
			return c, err
		}
		c.Use = append(c.Use, Use{period.Name, counts, period.Cap, period.End})
	}
	return c, nil
}
