package lead

// Request is a service request that passed every check.
type Request struct {
	Job
	Contact Contact `json:"contact"`
	DryRun  bool    `json:"dry_run"`
}

// Job is the work that is requested: every field of a request that does not identify the person.
type Job struct {
	Service       Service `json:"service_type"`
	ZIP           string  `json:"zip_code"`
	City          string  `json:"city,omitempty"`
	State         string  `json:"state,omitempty"`
	Home          Home    `json:"home"`
	Frequency     string  `json:"frequency"`
	PreferredDate string  `json:"preferred_date,omitempty"`
	FlexibleDates bool    `json:"flexible_dates"`
	Consent       bool    `json:"consent_to_contact"`
	SourceAgent   string  `json:"source_agent,omitempty"`
}

// Anonymized returns the job that remains after an erasure. City and source agent are free text and may identify the
// person: the city of a ZIP code may be a village, and an agent may be named after its user.
func (j Job) Anonymized() Job {
	j.City, j.SourceAgent = "", ""
	return j
}

// Home describes the place. A nil number was not given.
type Home struct {
	Type       string   `json:"home_type,omitempty"`
	Bedrooms   *int     `json:"bedrooms,omitempty"`
	Bathrooms  *float64 `json:"bathrooms,omitempty"`
	SquareFeet *int     `json:"square_feet,omitempty"`
}

// Contact holds every field that identifies the person. It is stored as one value, so that it can be erased as one.
type Contact struct {
	Name   string `json:"name"`
	Phone  string `json:"phone"`
	Email  string `json:"email,omitempty"`
	Street string `json:"street,omitempty"`
	Notes  string `json:"notes,omitempty"`
}
