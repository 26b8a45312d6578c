package forward_test

import (
	"time"

	"foyer/internal/buyer"
)

// mostOffers is how often one lead is offered to one buyer.
const mostOffers = 12

// offersTo are the offers of a lead to a buyer, the oldest first.
func (l *request) offersTo(id string) []*proposal {
	var list []*proposal
	for _, o := range l.offers {
		if o.to == id {
			list = append(list, o)
		}
	}
	return list
}

// againAt is when a buyer may be asked again about a lead that it did not take: after each decline later, and after each offer
// without a decision twice as late.
func againAt(b buyer.Buyer, offers []*proposal) time.Time {
	last, declined := offers[len(offers)-1], 0
	for _, o := range offers {
		if o.state == buyer.OfferDeclined {
			declined++
		}
	}
	if last.state != buyer.OfferDeclined {
		pause := 5 * time.Minute
		for range len(offers) - declined - 1 {
			pause = min(2*pause, 24*time.Hour)
		}
		return last.at.Add(pause)
	}
	switch declined {
	case 1:
		return last.at.Add(time.Hour)
	case 2:
		return last.at.Add(4 * time.Hour)
	case 3:
		return nextChance(b, last)
	}
	return last.at.Add(24 * time.Hour)
}

// nextChance is when the next day of a buyer begins, or when it opens then.
func nextChance(b buyer.Buyer, last *proposal) time.Time {
	zone := zones[b.Terms.Hours.Zone]
	local := last.at.In(zone)
	next := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, zone)
	for !isOpen(b.Terms.Hours, next) {
		next = next.Add(30 * time.Minute) // all hours here begin at a full or half hour
	}
	return next
}
