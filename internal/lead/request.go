package lead

// Request is a service request that passed every check.
type Request struct {
	Job
	Contact Contact `json:"contact"`
	DryRun  bool    `json:"dry_run"`
}

// Job is what is asked for: everything of a request that does not tell who the person is.
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

// Anonymized is what stays of it when the person is erased. A city beside a ZIP code may be a village, and whoever sent the request
// may be named after them; both are free text, in which people write what they like.
func (j Job) Anonymized() Job {
	j.City, j.SourceAgent = "", ""
	return j
}

// Home is what the person told about the place. A nil number was not given.
type Home struct {
	Type       string   `json:"home_type,omitempty"`
	Bedrooms   *int     `json:"bedrooms,omitempty"`
	Bathrooms  *float64 `json:"bathrooms,omitempty"`
	SquareFeet *int     `json:"square_feet,omitempty"`
}

// Contact is everything that tells who the person is. It is stored as one piece, so that it can be erased as one.
type Contact struct {
	Name   string `json:"name"`
	Phone  string `json:"phone"`
	Email  string `json:"email,omitempty"`
	Street string `json:"street,omitempty"`
	Notes  string `json:"notes,omitempty"`
}
