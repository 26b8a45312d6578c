package query

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/place"
	"foyer/internal/store"
)

// Effect is what terms would do, before they are saved. It is about the leads of the last seven days: today and the six days before.
type Effect struct {
	Buyer      buyer.Buyer // with the terms
	Counted    bool        // whether there are counts; otherwise a term that decides about them cannot be used, or nothing was counted yet
	Everywhere bool
	ZIPs       int // that it covers, unless it is everywhere

	From, To  string // the days
	Zone      *time.Location
	CountedTo time.Time // when the newest lead was received that is counted
	EffectRow           // of all services
	Services  []EffectRow
	LeftOut   []string // what the terms have and the numbers do not consider
}

// EffectRow is what terms would do about a service.
type EffectRow struct {
	Service lead.Service // "" for all
	// Covered are the leads that were on the market, with a service that it takes, in its area.
	Covered int64
	// Here are those of them that would have come to it: it would have been asked first, by today's priorities of active buyers and by turns
	// among equals, within its own caps. It is taken as active, and to accept; so are the buyers before it, whose caps and hours do not count.
	Here  int64
	Money buyer.Cents // for those, at its prices
}

func (r *EffectRow) add(o EffectRow) {
	r.Covered, r.Here, r.Money = r.Covered+o.Covered, r.Here+o.Here, r.Money+o.Money
}

// effectDays is how many days an effect is about.
const effectDays = 7

// EffectOf counts what the terms of one of some buyers would do. It reads a snapshot.
func EffectOf(tx *store.Tx, buyers []buyer.Buyer, id string, now time.Time) (e Effect, err error) {
	i := slices.IndexFunc(buyers, func(b buyer.Buyer) bool { return b.ID == id })
	e.Buyer = buyers[i]
	area := e.Buyer.Terms.Area
	var areas []string // the first digits of its ZIP codes
	if e.Everywhere = area.Everywhere(); !e.Everywhere {
		e.ZIPs, areas = countZIPs(area)
	}
	for what, has := range map[string]bool{
		"its opening hours": e.Buyer.Terms.Hours.Text != "", "what else it wants of a lead": e.Buyer.Terms.Demands != (buyer.Demands{}), "its balance": e.Buyer.Terms.CreditLimit != nil,
	} {
		if has {
			e.LeftOut = append(e.LeftOut, what)
		}
	}
	slices.Sort(e.LeftOut)
	if e.Zone, e.CountedTo, err = tx.LeadCounts().Zone(); err != nil || e.Zone == nil {
		return e, err
	}
	return e, e.count(tx, buyer.NewCoverage(buyers), id, areas, now)
}

// countZIPs counts the ZIP codes of an area that are known or listed one by one, and returns the beginnings of all, or nil if they are many.
func countZIPs(a buyer.Area) (zips int, areas []string) {
	listed := make(map[string]bool)
	for pattern := range strings.SplitSeq(a.ZIPs, ",") {
		listed[pattern] = true
	}
	for zip := range a.Each() {
		if _, known := place.Of(zip); known || listed[zip] {
			zips++
		}
		if begins := zip[:3]; len(areas) == 0 || areas[len(areas)-1] != begins {
			areas = append(areas, begins)
		}
	}
	if len(areas) > maxZIPs {
		areas = nil
	}
	return zips, areas
}

type dayAndService struct {
	day     string
	service lead.Service
}

// leadSum is how many leads of a day and a service are covered, and about how many of them a buyer is asked first.
type leadSum struct {
	turn    func(zip string) int // see buyer.Coverage.FirstAsked
	covered int64
	first   float64
}

// count counts the leads of the last days.
func (e *Effect) count(tx *store.Tx, c *buyer.Coverage, id string, areas []string, now time.Time) error {
	today := now.In(e.Zone)
	var days []string
	for i := effectDays - 1; i >= 0; i-- {
		days = append(days, today.AddDate(0, 0, -i).Format(time.DateOnly))
	}
	own := c.Find(id)
	sums := make(map[dayAndService]*leadSum)
	if own.Terms.AcceptsPhone("") { // else it is asked about no lead of a person
		for _, s := range own.Terms.Services {
			turn := c.FirstAsked(id, s)
			for _, day := range days {
				sums[dayAndService{day, s}] = &leadSum{turn: turn}
			}
		}
	}
	var last dayAndService // neighbors have the same
	var sum *leadSum
	if err := tx.LeadCounts().EachRecent(days, areas, func(day, zip string, s lead.Service, n int) {
		if of := (dayAndService{day, s}); of != last {
			last, sum = of, sums[of]
		}
		if sum == nil {
			return
		}
		if k := sum.turn(zip); k > 0 {
			sum.covered += int64(n)
			sum.first += float64(n) / float64(k)
		} else if own.Covers(s, zip) {
			sum.covered += int64(n)
		}
	}); err != nil {
		return err
	}
	covered, first := make(map[lead.Service]int64), make(map[string]map[lead.Service]float64)
	for _, day := range days {
		first[day] = make(map[lead.Service]float64)
	}
	for of, sum := range sums {
		covered[of.service] += sum.covered
		first[of.day][of.service] = sum.first
	}
	e.Counted, e.From, e.To = true, days[0], days[len(days)-1]
	here := withinCaps(own.Terms, days, first)
	for _, s := range own.Terms.Services {
		row := EffectRow{Service: s, Covered: covered[s], Here: here[s], Money: buyer.Cents(here[s]) * own.Terms.Price(s)}
		e.Services = append(e.Services, row)
		e.add(row)
	}
	return nil
}

// withinCaps returns how many leads of each service a buyer could take of those that it is asked about on each day, as if it had taken none before.
// If a cap is reached, the leads of the day are taken as evenly mixed. A cap of an hour limits the day to 24 times as many.
func withinCaps(t buyer.Terms, days []string, asked map[string]map[lead.Service]float64) map[lead.Service]int64 {
	taken := make(map[lead.Service]int64)
	total := roomOf(t.Caps.Total, 0)
	var month buyer.Room
	carried := make(map[lead.Service]float64) // shares of leads, beginning with half of one, so that the sum is rounded
	for _, s := range t.Services {
		carried[s] = .5
	}
	for i, day := range days {
		if i == 0 || day[:7] != days[i-1][:7] {
			month = roomOf(t.Caps.Month, t.Caps.MoneyMonth)
		}
		today, hours := roomOf(t.Caps.Day, t.Caps.MoneyDay), roomOf(24*t.Caps.Hour, 0)
		left, all, price := make(map[lead.Service]int), 0, buyer.Cents(0)
		for s, n := range asked[day] {
			whole, rest := math.Modf(n + carried[s])
			left[s], carried[s] = int(whole), rest
			all, price = all+left[s], price+buyer.Cents(left[s])*t.Price(s)
		}
		take := func(s lead.Service, n int) {
			left[s] -= n
			taken[s] += int64(n)
			for _, room := range []*buyer.Room{&total, &month, &today, &hours} {
				room.Leads, room.Money = room.Leads-n, room.Money-buyer.Cents(n)*t.Price(s)
			}
		}
		room := func() buyer.Room {
			return buyer.Room{Leads: min(total.Leads, month.Leads, today.Leads, hours.Leads), Money: min(month.Money, today.Money)}
		}
		fits := shareThatFits(room(), all, price)
		for s, n := range left {
			take(s, int(fits*float64(n)))
		}
		for s := next(t, left, asked[day], room()); s != ""; s = next(t, left, asked[day], room()) {
			take(s, 1)
		}
	}
	return taken
}

// shareThatFits is how much of some leads there is room for, up to 1.
func shareThatFits(room buyer.Room, leads int, price buyer.Cents) (share float64) {
	share = 1
	if leads > 0 {
		share = min(share, float64(room.Leads)/float64(leads))
	}
	if price > 0 {
		share = min(share, float64(room.Money)/float64(price))
	}
	return share
}

// roomOf is the room that caps leave; 0 means no cap.
func roomOf(leads int, money buyer.Cents) buyer.Room {
	room := buyer.Room{Leads: leads, Money: money}
	if leads == 0 {
		room.Leads = math.MaxInt
	}
	if money == 0 {
		room.Money = math.MaxInt64
	}
	return room
}

// next returns the service of the next lead of a day: of those that can be paid, that of which the largest share is left.
func next(t buyer.Terms, left map[lead.Service]int, asked map[lead.Service]float64, room buyer.Room) (chosen lead.Service) {
	if room.Leads <= 0 {
		return ""
	}
	share := 0.0
	for _, s := range t.Services {
		if n := float64(left[s]); n > 0 && n/asked[s] > share && room.Affords(t.Price(s)) {
			chosen, share = s, n/asked[s]
		}
	}
	return chosen
}

// Sentence says the effect in a few words.
func (e Effect) Sentence() string {
	where := "everywhere"
	if !e.Everywhere {
		where = fmt.Sprintf("%d ZIP codes", e.ZIPs)
		if e.ZIPs == 1 {
			where = "1 ZIP code"
		}
	}
	if !e.Counted {
		return "Covers " + where + ". No leads are counted yet."
	}
	return fmt.Sprintf("Covers %s; of %d leads there in the last %d days, %d would have come here: %s.", where, e.Covered, effectDays, e.Here, e.Money)
}
