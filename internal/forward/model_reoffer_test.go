package forward_test

import (
	"time"

	"foyer/internal/buyer"
)

// maxOffers is how often one lead is offered to one buyer.
const maxOffers = 12

// offersTo returns the offers of a lead to a buyer, oldest first.
func (l *modelLead) offersTo(id string) []*modelOffer {
	var list []*modelOffer
	for _, o := range l.offers {
		if o.to == id {
			list = append(list, o)
		}
	}
	return list
}

// askAgainAt returns when a buyer may be asked again about a lead that it did not take: later after each decline, and
// after twice the time with each further offer without a decision.
func askAgainAt(b buyer.Buyer, offers []*modelOffer) time.Time {
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
		return nextDayOpen(b, last)
	}
	return last.at.Add(24 * time.Hour)
}

// nextDayOpen returns when the next day of a buyer begins, or when it opens on that day.
func nextDayOpen(b buyer.Buyer, last *modelOffer) time.Time {
	zone := zones[b.Terms.Hours.Zone]
	local := last.at.In(zone)
	next := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, zone)
	for !isOpen(b.Terms.Hours, next) {
		next = next.Add(30 * time.Minute) // all hours here begin at a full or half hour
	}
	return next
}
