package alerter

import (
	"context"
	"slices"
	"strings"
	"time"

	"foyer/internal/alert"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// Store is what the alerter needs of the database.
type Store interface {
	View(ctx context.Context, do func(*store.Tx) error) error
	Update(ctx context.Context, do func(*store.Tx) error) error
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// gather reads the facts: for each buyer a few rows of counts by hour, and for the rest what indexes find at once.
func gather(tx *store.Tx, buyers []buyer.Buyer, host string, now time.Time) (f alert.Facts, err error) {
	f.Host = host
	var practice []string
	for _, b := range buyers {
		if b.Terms.Practice {
			practice = append(practice, b.ID)
			continue
		}
		facts, err := buyerFacts(tx, b, now)
		if err != nil {
			return f, err
		}
		f.Buyers = append(f.Buyers, facts)
	}
	if f.Offers, err = offers(tx, f.Buyers, practice, now); err != nil {
		return f, err
	}
	if err := addCounts(tx, &f, now); err != nil {
		return f, err
	}
	return f, addReports(tx, &f, now)
}

// buyerFacts reads what the rules look at of a buyer. Only an active one is looked at closely.
func buyerFacts(tx *store.Tx, b buyer.Buyer, now time.Time) (f alert.Buyer, err error) {
	f = alert.Buyer{ID: b.ID, Name: b.Terms.Name, State: b.State}
	if b.State == buyer.Paused || b.State == buyer.Off {
		f.StoppedAt, f.ByService, err = stopped(tx, b)
	}
	if err != nil || b.State != buyer.Active {
		return f, err
	}
	health, err := tx.Health(b.ID)
	if err != nil {
		return f, err
	}
	f.Down = health.Down()
	if f.Recent, _, err = accepted(tx, b.ID, now.Add(-day), now.Add(time.Hour)); err != nil {
		return f, err
	}
	if f.Before, _, err = accepted(tx, b.ID, now.Add(-week-day), now.Add(-day)); err != nil {
		return f, err
	}
	if f.Caps, err = caps(tx, b, now); err != nil || b.Terms.CreditLimit == nil {
		return f, err
	}
	used, err := tx.Used(b.ID, buyer.Period{})
	if err != nil {
		return f, err
	}
	f.HasBalance, f.Left, f.Price = true, b.Funds+*b.Terms.CreditLimit-used.Money, b.Terms.LowestPrice()
	_, f.Week, err = accepted(tx, b.ID, now.Add(-week), now.Add(time.Hour))
	return f, err
}

// stopped says when a buyer was paused or switched off, and whether the service did it. Its row does not say: the audit trail does.
func stopped(tx *store.Tx, b buyer.Buyer) (at time.Time, byService bool, err error) {
	entries, err := tx.Audit(store.AuditFilter{Subject: b.ID, Actions: []audit.Action{audit.BuyerPause, audit.BuyerOff}, Limit: 1})
	if err != nil || len(entries) == 0 {
		return b.UpdatedAt, false, err
	}
	return entries[0].At, entries[0].Actor == audit.System, nil
}

// accepted counts offers, and the money that they cost.
func accepted(tx *store.Tx, id string, from, to time.Time) (alert.Accepted, buyer.Cents, error) {
	c, err := tx.Counts(id, buyer.Period{Begin: from, End: to})
	return alert.Accepted{Offered: c.Offered, Accepted: c.Accepted}, c.Used.Money, err
}

// caps lists the caps of the month and of all time. Those of an hour or a day fill up every day, as they should.
func caps(tx *store.Tx, b buyer.Buyer, now time.Time) (list []alert.Cap, err error) {
	for _, p := range b.Terms.Periods(now) {
		name := map[string]string{"month": "the month", "total": "all time"}[p.Name]
		if name == "" || p.Cap == 0 && p.MoneyCap == 0 {
			continue
		}
		used, err := tx.Used(b.ID, p)
		if err != nil {
			return nil, err
		}
		list = append(list, alert.Cap{Period: name, Used: int64(used.Leads), Of: int64(p.Cap)}, alert.Cap{Period: name, Used: int64(used.Money), Of: int64(p.MoneyCap)})
	}
	return list, nil
}

// offers counts the offers since the last sale, of the last week at most.
func offers(tx *store.Tx, buyers []alert.Buyer, practice []string, now time.Time) (o alert.Offers, err error) {
	sold, err := tx.Alerts().LastSale(now.Add(-week), practice...)
	if err != nil {
		return o, err
	}
	if sold.IsZero() {
		sold = now.Add(-week)
	}
	for _, b := range buyers { // erasing a person deletes the sale, but not that an offer was accepted
		accepted, err := tx.Alerts().LastAccepted(b.ID, sold)
		if err != nil {
			return o, err
		}
		if accepted.After(sold) {
			sold = accepted
		}
	}
	for _, b := range buyers {
		n, first, err := tx.Alerts().OffersSince(b.ID, sold)
		if err != nil {
			return o, err
		}
		if o.N += n; n > 0 && (o.Since.IsZero() || first.Before(o.Since)) {
			o.Since = first
		}
	}
	return o, nil
}

// addCounts counts what waits for a person.
func addCounts(tx *store.Tx, f *alert.Facts, now time.Time) error {
	failed, err := tx.FindLeads(store.LeadFilter{Statuses: []lead.Status{lead.Errored}}, nil, store.LeadPage{Limit: alert.CountLimit})
	if err != nil {
		return err
	}
	f.Errors.N = len(failed.Leads)
	returns, err := tx.Returns().List(store.ReturnFilter{State: buyer.ReturnWaiting, Limit: alert.CountLimit})
	if err != nil {
		return err
	}
	if f.Returns.N = len(returns); f.Returns.N > 0 {
		f.Returns.Oldest = returns[0].At
	}
	requests, err := tx.PrivacyRequests().List(false)
	if err != nil {
		return err
	}
	held, err := tx.LegalHolds().Persons()
	if err != nil {
		return err
	}
	requests = lead.WaitingRequests(requests, held, now)
	if f.Privacy.N = min(len(requests), alert.CountLimit); f.Privacy.N > 0 {
		f.Privacy.Oldest = slices.MinFunc(requests, func(a, b lead.PrivacyRequest) int { return a.At.Compare(b.At) }).At
		f.PrivacyDue = slices.MinFunc(requests, func(a, b lead.PrivacyRequest) int { return a.DueAt().Compare(b.DueAt()) }).DueAt()
	}
	return nil
}

// addReports adds what processes reported.
func addReports(tx *store.Tx, f *alert.Facts, now time.Time) error {
	reported, err := tx.Alerts().Facts()
	if err != nil {
		return err
	}
	machine := func(name string) *alert.Machine {
		i := slices.IndexFunc(f.Machines, func(m alert.Machine) bool { return m.Name == name })
		if i < 0 {
			f.Machines, i = append(f.Machines, alert.Machine{Name: name, DiskFree: -1}), len(f.Machines)
		}
		return &f.Machines[i]
	}
	for _, r := range reported {
		recent := now.Sub(r.At) < store.FactMaxAge
		host, _, _ := strings.Cut(r.Subject, " ") // a process follows
		switch {
		case r.Name == store.FactIntakeErrors && recent:
			m := machine(host)
			m.IntakeErrors = max(m.IntakeErrors, int(r.Value))
		case r.Name == store.FactDiskFree && recent:
			m := machine(host)
			if m.DiskFree < 0 || int(r.Value) < m.DiskFree {
				m.DiskFree = int(r.Value)
			}
		case r.Name == store.FactBackup:
			f.Backup = r.At
		case r.Name == store.FactCertificate && r.Subject == f.Host && r.Value > 0 && now.Sub(r.At) < store.CertificateMaxAge:
			f.Certificate = time.Unix(r.Value, 0)
		}
	}
	return nil
}
