package buyer

import (
	"slices"
	"strings"

	"foyer/internal/lead"
)

// Demands are what a buyer wants of a lead beyond its service and place.
type Demands struct {
	OwnForm        bool `json:"own_form,omitempty"`        // only what came by our own form, which showed the consent text
	PlausiblePhone bool `json:"plausible_phone,omitempty"` // only phone numbers that can exist
	NoDuplicates   bool `json:"no_duplicates,omitempty"`
	Street         bool `json:"street,omitempty"` // only with a street address
}

// Grade is how well consent is proven.
type Grade string

// Either our own form showed the text, or the sender states that the person agreed.
const (
	Shown  Grade = "shown"
	Stated Grade = "stated"
)

// GradeOf is how well a lead's consent is proven, or "" without one.
func GradeOf(e lead.Evidence) Grade {
	switch {
	case e.Consent.Hash == "":
		return ""
	case strings.HasPrefix(e.Consent.Version, string(Shown)+"-"):
		return Shown
	}
	return Stated
}

// unmet names the first demand that a lead does not meet, or "".
func (d Demands) unmet(l lead.Lead) string {
	switch {
	case d.OwnForm && GradeOf(l.Evidence) != Shown:
		return "it wants only leads from our own form"
	case d.PlausiblePhone && slices.Contains(l.Marks, lead.ImplausiblePhone):
		return "it wants only plausible phone numbers"
	case d.NoDuplicates && slices.Contains(l.Marks, lead.Duplicate):
		return "it wants no duplicates"
	case d.Street && l.Request.Contact.Street == "":
		return "it wants a street address"
	}
	return ""
}
