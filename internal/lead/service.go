package lead

// Service is one of the nine kinds of work a person can request.
type Service string

// The nine services, in the order of every list.
const (
	HouseCleaning     Service = "house_cleaning"
	DeepCleaning      Service = "deep_cleaning"
	MoveCleaning      Service = "move_in_out_cleaning"
	RecurringCleaning Service = "recurring_cleaning"
	PestControl       Service = "pest_control"
	Plumbing          Service = "plumbing"
	HVAC              Service = "hvac"
	Handyman          Service = "handyman"
	Other             Service = "other"
)

// Services lists every service in its public order.
var Services = []Service{
	HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, PestControl, Plumbing, HVAC, Handyman, Other,
}

// Live reports whether the person calls a number themselves. Every other service collects requests.
func (s Service) Live() bool { return s == Plumbing }

// NeedsConsent reports whether a request may be saved only if the person agreed to be contacted.
func (s Service) NeedsConsent() bool { return !s.Live() }
