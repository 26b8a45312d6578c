package lead

import "time"

// Mark is a doubt about a lead that is no reason to refuse it.
type Mark string

// The marks: the first three are given at intake, the others by the forwarder, which looks at what came before.
const (
	ImplausiblePhone Mark = "phone_implausible"
	PastDate         Mark = "date_past"
	Automated        Mark = "automated"     // a form that a program seems to have filled in
	Duplicate        Mark = "duplicate"     // another lead of this person asks for the same
	ManyRequests     Mark = "many_requests" // of one phone number, in a day
	Released         Mark = "released"      // by the operator: it is kept off the market no more
)

// Decision is what becomes of a request that passed every check.
type Decision struct {
	Status  Status
	Marks   []Mark
	Offered bool // a dry run: a request like it would be offered to a buyer now
}

// Decide says where a request goes: covered tells whether a buyer that covers the service and the ZIP is to be asked.
func Decide(req *Request, covered bool, now time.Time) Decision {
	d := Decision{Marks: marks(req, now)}
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

// Automated adds the mark of a request that a program seems to have filled in. Where the operator wants to see those first,
// the lead is not offered to anybody: hold.
func (d Decision) Automated(hold bool) Decision {
	d.Marks = append(d.Marks, Automated)
	if hold && d.Status == Received {
		d.Status = Collected
	}
	return d
}

func marks(req *Request, now time.Time) []Mark {
	var marks []Mark
	if !plausiblePhone(req.Contact.Phone) {
		marks = append(marks, ImplausiblePhone)
	}
	if req.PreferredDate != "" && req.PreferredDate < today(now) {
		marks = append(marks, PastDate)
	}
	return marks
}

// westernmost is the time zone of American Samoa: where it is still today, it is nobody's yesterday.
var westernmost = time.FixedZone("UTC-11", -11*60*60)

func today(now time.Time) string { return now.In(westernmost).Format(time.DateOnly) }
