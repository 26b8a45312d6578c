package catalog

import (
	"strconv"
	"time"

	"foyer/internal/lead"
)

// The fields of the form for withdrawing consent or asking for erasure.
const (
	PrivacyKindField = "wish"
	PhoneField       = "customer_phone"
	ReferenceField   = "lead_id"
)

// PrivacyKindLabel returns a kind of privacy request as a person would say it.
func PrivacyKindLabel(k lead.PrivacyKind) string {
	if k == lead.EraseAll {
		return "Erase what you keep about me"
	}
	return "Stop contacting me: I withdraw my consent"
}

// PrivacyReason is the entry in the history of a lead that a privacy request closed.
func PrivacyReason(k lead.PrivacyKind) string {
	if k == lead.EraseAll {
		return "the person asked for erasure"
	}
	return "consent withdrawn"
}

// What can be wrong with a privacy request.
var (
	// MissingPrivacyKind asks for a choice of what to do.
	MissingPrivacyKind = lead.Problem{Field: PrivacyKindField, Text: "Choose what you want: " + string(lead.Withdraw) + " or " + string(lead.EraseAll) + ".", Asked: "Choose one of the two."}

	// InvalidPrivacyPhone asks for a valid phone number.
	InvalidPrivacyPhone = lead.Problem{Field: PhoneField, Text: "The phone number is missing or not right. Give the 10-digit US number of the request, for example 305-555-0123."}

	// UnknownPrivacyReference asks for a reference that exists.
	UnknownPrivacyReference = lead.Problem{Field: ReferenceField, Text: "There is no request with this reference. Copy it exactly or leave it out. A request that was only checked has none."}
)

// PrivacyRequestNotSaved says that the store could not save a privacy request.
func (b Brand) PrivacyRequestNotSaved(cause error) *lead.Error {
	return unavailable(cause, "We couldn't store this right now. Please send it again in a moment, or write to "+b.Contact+".")
}

// TooManyPrivacyRequests refuses a client that sends more privacy requests than the limit allows.
func (b Brand) TooManyPrivacyRequests(a lead.Allowance) *lead.Error {
	return overLimit(a, "Too many requests came from this address, so nothing was stored. Try again in "+durationText(a.Retry)+", or write to "+b.Contact+".")
}

// NamedTooOften refuses a privacy request about a lead that several others have named. It is the same for every phone
// number.
func (b Brand) NamedTooOften(retry time.Duration) *lead.Error {
	return &lead.Error{Kind: lead.RateLimited, Retry: retry, Message: "This request was named in " + strconv.Itoa(lead.MaxPrivacyRequests) + " privacy requests in the last 24 hours, so this one was not stored. " +
		"If you still need something, write to " + b.Contact + ". You can also send the form without the reference: a person settles it then."}
}

// PrivacyRequestPage follows a stored privacy request. It is the same whether or not the phone number and the reference belong
// together, so that it does not reveal that. status is the one that a lookup shows: the page may say that a contractor
// network has the request, because anyone with the reference could see that before.
func (b Brand) PrivacyRequestPage(w lead.PrivacyRequest, status lead.Status) Page {
	stored := []string{
		"What you asked for: " + PrivacyKindLabel(w.Kind) + ".",
		"The phone number, which ends in " + w.Phone[max(0, len(w.Phone)-2):] + ".",
	}
	links := []Link{{toPrivacy, b.URL("/privacy")}, {toHome, b.URL("/")}}
	closing := "You didn't give a reference, so no request was closed yet."
	if w.LeadID != "" {
		stored = append(stored, "The reference "+w.LeadID+".")
		switch status {
		case lead.Forwarded:
			closing = "A contractor network already has that request and its contact details. Please ask it to stop, too."
		case lead.Errored:
			closing = "A contractor network may already have that request and its contact details."
		default:
			closing = "If the phone number matches that request and no network has taken it yet, it is now closed and not passed to anyone. " +
				"We no longer show its status: otherwise anyone could use this form to find out whose number it is."
		}
	}
	return Page{
		Title: "We got it - " + b.Name, Description: "What you asked for was stored for a person to handle.", Heading: "We got it",
		Opening: []string{"A person at " + b.Name + " handles this. " + closing},
		Sections: []Section{
			{Heading: "What was stored", Items: stored},
			{
				Heading: "What comes next",
				Text: []string{
					"We don't send a message about it, and no time is promised. To ask about it, write to " + b.Contact + ".",
					"Once it's settled, we remove the phone number from it.",
				},
				Links: links,
			},
		},
	}
}

// PrivacyFormAgainPage shows the form again if something was wrong with it.
func (b Brand) PrivacyFormAgainPage() Page {
	return Page{
		Title: toWithdraw + " - " + b.Name, Description: toWithdraw + ".", Heading: "Nothing was stored yet",
		Sections: []Section{{Links: []Link{{toPrivacy, b.URL("/privacy")}}}},
	}
}
