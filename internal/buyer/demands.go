package buyer

import (
	"slices"
	"strings"

	"foyer/internal/lead"
)

// Demands are what a buyer requires of a lead besides service and area.
type Demands struct {
	OwnForm        bool `json:"own_form,omitempty"`        // only leads from our own form, which shows the consent text
	PlausiblePhone bool `json:"plausible_phone,omitempty"` // only phone numbers that can exist
	NoDuplicates   bool `json:"no_duplicates,omitempty"`
	Street         bool `json:"street,omitempty"` // only with a street address
}

// Grade says how well consent is proven.
type Grade string

// Shown means that our own form showed the consent text, Stated that the sender states the person agreed.
const (
	Shown  Grade = "shown"
	Stated Grade = "stated"
)

// GradeOf returns how well a lead's consent is proven, or "" without consent.
func GradeOf(e lead.Evidence) Grade {
	switch {
	case e.Consent.Hash == "":
		return ""
	case strings.HasPrefix(e.Consent.Version, string(Shown)+"-"):
		return Shown
	}
	return Stated
}

// unmet returns the first demand that a lead does not meet, in words, or "".
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
