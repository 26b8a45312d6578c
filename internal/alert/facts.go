package alert

import (
	"slices"
	"time"

	"foyer/internal/buyer"
)

// Facts are what the rules look at: one minute of the service. They are read from counts and small indexes, never from a scan of leads.
type Facts struct {
	Buyers  []Buyer
	Offers  Offers // to all buyers since the last sale
	Errors  Count  // leads in error
	Returns Count  // returns that wait for a decision
	Privacy Count  // open privacy requests
	// PrivacyDue is until when the first of them has to be settled.
	PrivacyDue time.Time
	Machines   []Machine
	Backup     time.Time // when the newest backup was made; zero if the service knows of none
	// Certificate is until when the certificate of the base URL is valid; zero if that is not https, or cannot be reached from here.
	Certificate time.Time
	Host        string // of the base URL
}

// Count is how many things wait, and since when the oldest does. CountLimit means that many, or more.
type Count struct {
	N      int
	Oldest time.Time
}

// CountLimit is up to which number things are counted.
const CountLimit = 100

// Offers are offers without a sale.
type Offers struct {
	Since time.Time // when the first was made, at the latest
	N     int
}

// Buyer is what the rules look at of a buyer.
type Buyer struct {
	ID, Name   string
	State      buyer.State
	Practice   bool
	Down       bool      // it did not answer several times in a row, and has not answered since
	StoppedAt  time.Time // when it was paused or switched off; zero if that is unknown
	ByService  bool      // the service did that, because of its answers
	Recent     Accepted  // in the last 24 hours
	Before     Accepted  // in the seven days before those
	Caps       []Cap
	HasBalance bool
	Left       buyer.Cents // what it may still be charged, if it has a balance
	Week       buyer.Cents // what it was charged or offered in the last seven days
	Price      buyer.Cents // of its cheapest service
}

// Accepted is how many offers a buyer got, and how many it accepted.
type Accepted struct{ Offered, Accepted int }

// Cap is a cap and how much of it is used: in leads, or in cents.
type Cap struct {
	Period   string
	Used, Of int64
}

// Machine is what a machine reports about itself.
type Machine struct {
	Name         string
	IntakeErrors int
	DiskFree     int // percent; -1 if the database is not on its disk
}

// watched reports whether the rules say anything about a buyer. One in test has its operator's attention already; the practice buyer and a
// removed one get no leads of people.
func (b Buyer) watched(rule Name) bool {
	switch {
	case b.Practice:
		return false
	case rule == BuyerPaused:
		return b.State == buyer.Active || b.State == buyer.Paused || b.State == buyer.Off
	}
	return b.State == buyer.Active
}

// Know reports whether the facts tell anything about a subject. If they do not, it is wrong to say that it recovered: a buyer that somebody
// pauses does not answer again.
func (f Facts) Know(rule Name, subject string) bool {
	switch rule {
	case BuyerDown, BuyerPaused, AcceptanceDropped, CapNear, BalanceNear:
		i := slices.IndexFunc(f.Buyers, func(b Buyer) bool { return b.ID == subject })
		return i >= 0 && f.Buyers[i].watched(rule)
	case IntakeErrors, DiskFull:
		return slices.ContainsFunc(f.Machines, func(m Machine) bool { return m.Name == subject && (rule == IntakeErrors || m.DiskFree >= 0) })
	case BackupOld:
		return !f.Backup.IsZero()
	case CertificateEnds:
		return !f.Certificate.IsZero()
	}
	return true
}
