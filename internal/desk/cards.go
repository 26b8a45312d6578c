package desk

import (
	"cmp"
	"context"
	"slices"
	"time"

	"foyer/internal/buyer"
)

// Card is a buyer with how things go.
type Card struct {
	buyer.Buyer
	Standing   buyer.Standing
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
func (c Card) Today() Use {
	for _, u := range c.Use {
		if u.Period == "day" {
			return u
		}
	}
	return Use{}
}

// LeftAlone is until when a buyer asked to be left alone; no time where it did not, or where that is over.
func (c Card) LeftAlone() time.Time {
	if c.Standing.QuietUntil.After(c.At) {
		return c.Standing.QuietUntil
	}
	return time.Time{}
}

// cardsAtOnce is how many cards one transaction draws up, so that the intake never waits long behind a list.
const cardsAtOnce = 100

// List draws up the cards of all buyers, those that are asked first at the top.
func (d *Desk) List(ctx context.Context) ([]Card, error) {
	buyers, _, err := d.Books.Buyers(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(buyers, func(a, b buyer.Buyer) int { return cmp.Compare(a.Terms.Priority, b.Terms.Priority) })
	cards := make([]Card, 0, len(buyers))
	for some := range slices.Chunk(buyers, cardsAtOnce) {
		begun := len(cards)
		if err := d.look(ctx, func(p Page) error {
			cards = cards[:begun]
			for _, b := range some {
				c, err := d.card(p, b)
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
func (d *Desk) Show(ctx context.Context, id string) (c Card, err error) {
	err = d.look(ctx, func(p Page) error {
		b, err := present(p, id)
		if err != nil {
			return err
		}
		c, err = d.card(p, b)
		return err
	})
	return c, err
}

func (d *Desk) card(p Page, b buyer.Buyer) (c Card, err error) {
	c = Card{Buyer: b, At: d.now()}
	if c.Standing, err = p.Standing(b.ID); err != nil {
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
