package lead

import "time"

// Mark flags a doubt about a lead that is not a reason to refuse it.
type Mark string

// The marks. Intake sets the first six. The forwarder sets Duplicate and ManyRequests, because it compares a lead with earlier ones, and
// the operator Released.
const (
	ImplausiblePhone Mark = "phone_implausible"
	PastDate         Mark = "date_past"
	Automated        Mark = "automated"      // a form that looks filled in by a program
	SourceUnknown    Mark = "source_unknown" // it named a source that does not exist
	SourceBlocked    Mark = "source_blocked" // it named a source that is blocked, or one that its website may not use
	SourceHeld       Mark = "source_held"    // the same, and the operator wants such leads held
	Duplicate        Mark = "duplicate"      // another lead of the same person requests the same work
	ManyRequests     Mark = "many_requests"  // too many from one phone number in a period
	Released         Mark = "released"       // released by the operator: no longer withheld from buyers
)

// Marks are all marks.
var Marks = []Mark{ImplausiblePhone, PastDate, Automated, SourceUnknown, SourceBlocked, SourceHeld, Duplicate, ManyRequests, Released}

// Decision is the outcome for a request that passed every check.
type Decision struct {
	Status  Status
	Marks   []Mark
	Offered bool // dry runs only: a real request would be offered to a buyer now
}

// Decide returns the first status of a request. covered reports whether a buyer covers its service and ZIP code.
func Decide(req *Request, covered bool, now time.Time) Decision {
	d := Decision{Marks: marksFor(req, now)}
	switch {
	case req.Service.Live():
		d.Status = CallToConnect
	case req.DryRun:
		d.Status, d.Offered = Validated, covered
	case covered:
		d.Status = Received
	default:
		d.Status = Collected
	}
	return d
}

// Doubt adds a mark. With hold, the operator reviews such leads first, so the lead is not offered to buyers.
func (d Decision) Doubt(mark Mark, hold bool) Decision {
	d.Marks = append(d.Marks, mark)
	if hold {
		d.Offered = false
		if d.Status == Received {
			d.Status = Collected
		}
	}
	return d
}

func marksFor(req *Request, now time.Time) []Mark {
	var marks []Mark
	if !plausiblePhone(req.Contact.Phone) {
		marks = append(marks, ImplausiblePhone)
	}
	if req.PreferredDate != "" && req.PreferredDate < today(now) {
		marks = append(marks, PastDate)
	}
	return marks
}

// westernmostZone is the time zone of American Samoa. A date is in the past everywhere in the US only once it is in the
// past there.
var westernmostZone = time.FixedZone("UTC-11", -11*60*60)

func today(now time.Time) string { return now.In(westernmostZone).Format(time.DateOnly) }
