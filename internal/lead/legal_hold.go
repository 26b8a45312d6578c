package lead

import "time"

// LegalHold keeps a lead from being destroyed, because of a claim or an investigation: until it is removed, the person is not erased,
// and what tells about the lead is not deleted. It is no status and changes none: a lead that is held for a buyer is Collected. A lead
// may be under several, one for each matter, and a hold that was removed stays on record.
type LegalHold struct {
	ID        string
	LeadID    string
	CreatedAt time.Time
	CreatedBy string // the actor
	Why       string // the matter; no personal details

	RemovedAt  time.Time // zero while it is in force
	RemovedBy  string
	RemovedWhy string
}

// InForce reports whether the hold still keeps its lead.
func (h LegalHold) InForce() bool { return h.RemovedAt.IsZero() }

// HoldsInForce returns the holds that still keep their leads.
func HoldsInForce(list []LegalHold) (kept []LegalHold) {
	for _, h := range list {
		if h.InForce() {
			kept = append(kept, h)
		}
	}
	return kept
}

// HoldIDs returns the ids of holds.
func HoldIDs(list []LegalHold) []string {
	ids := make([]string, len(list))
	for i, h := range list {
		ids[i] = h.ID
	}
	return ids
}

// HeldPerson is a legal hold in force, and the phone number of its lead, "" if the person was erased before.
type HeldPerson struct {
	LegalHold
	Phone string
}

// KeptOpenBy returns the legal holds because of which the privacy request cannot be settled: those on the leads of its phone number, if
// to settle it says that the person is erased, or deletes how the request came in. A request that names a lead of somebody else asks
// for nothing that a hold is in the way of.
func (r PrivacyRequest) KeptOpenBy(held []HeldPerson) (holds []LegalHold) {
	if r.State != PrivacyOpen || r.Phone == "" || !r.settlingDestroys() {
		return nil
	}
	for _, h := range held {
		if h.Phone == r.Phone && h.InForce() {
			holds = append(holds, h.LegalHold)
		}
	}
	return holds
}

// settlingDestroys reports whether something of a person is gone once the request is settled: what is kept of them, or, if the request
// names no lead that keeps it, how it came in.
func (r PrivacyRequest) settlingDestroys() bool { return r.Kind == EraseAll || r.LeadID == "" }

// WaitingRequests returns the open privacy requests about which somebody has to do something. One that a legal hold keeps open waits until
// it is due: by then the person has to be told.
func WaitingRequests(list []PrivacyRequest, held []HeldPerson, now time.Time) (waiting []PrivacyRequest) {
	for _, r := range list {
		if r.State == PrivacyOpen && (now.Before(r.DueAt()) || len(r.KeptOpenBy(held)) == 0) {
			waiting = append(waiting, r)
		}
	}
	return waiting
}
