package report

import (
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// Evidence is what is kept about the consent of a lead, and what is not.
type Evidence struct {
	LeadDetail
	Text       lead.ConsentText // the words, and since when they are used
	Intact     bool             // the words have the hash that the lead names
	Requests   []lead.PrivacyRequest
	Suppressed time.Time // since when its number is suppressed; zero if it is not
	Contact    Contact   // which buyers have seen it
	Kept       []string  // which details of the person are kept
}

// ReadEvidence reads what is kept about the consent of a lead. Privacy requests are without the numbers and the circumstances of their
// senders.
func ReadEvidence(tx *store.Tx, id string) (e Evidence, err error) {
	if e.LeadDetail, err = ReadLead(tx, id); err != nil {
		return e, err
	}
	l := e.Lead
	e.Kept = keptDetails(l)
	if ref := l.Evidence.Consent; ref.Hash != "" {
		e.Text, e.Intact = e.consent, e.consent.Ref().Hash == ref.Hash
	}
	if e.Requests, err = tx.PrivacyRequests().About(l.ID, l.Request.Contact.Phone); err != nil {
		return e, err
	}
	for i := range e.Requests {
		e.Requests[i].Phone, e.Requests[i].Evidence = "", lead.Evidence{}
	}
	if !e.Erased {
		if e.Suppressed, err = tx.Suppressions().Since(l.Request.Contact.Phone); err != nil {
			return e, err
		}
	}
	e.Contact, err = ReadContact(tx, l.ID)
	return e, err
}

// WithoutPerson leaves out what tells who the person is.
func (e Evidence) WithoutPerson() Evidence {
	e.LeadDetail = e.LeadDetail.WithoutPerson()
	return e
}

// keptDetails names the details of the person that are kept.
func keptDetails(l lead.Lead) (kept []string) {
	c, ev := l.Request.Contact, l.Evidence
	for _, d := range []struct{ name, value string }{
		{"name", c.Name},
		{"phone number", c.Phone},
		{"e-mail address", c.Email},
		{"street", c.Street},
		{"notes", c.Notes},
		{"IP address", ev.Client},
		{"browser", ev.UserAgent},
		{"address of the page", ev.Page},
		{"Origin of the request", ev.Origin},
		{"Sec-Fetch-Site", ev.FetchSite},
		{"MCP client", ev.MCPClient},
	} {
		if d.value != "" {
			kept = append(kept, d.name)
		}
	}
	return kept
}

// Shown reports whether our own form showed the words. Otherwise the sender states that the person agreed to them.
func (e Evidence) Shown() bool {
	return e.Lead.Evidence.Channel == lead.ChannelForm && strings.HasPrefix(e.Lead.Evidence.Consent.Version, "shown-")
}

// Door says through which interface the request came.
func (e Evidence) Door() string { return ViaDoor(e.Lead.Evidence.Channel) }

// Unknown says what nobody can tell from what is kept.
func (e Evidence) Unknown() (list []string) {
	switch {
	case e.Lead.Evidence.Consent.Hash == "":
		list = append(list, "Which words the person agreed to: none are kept with this request.")
	case !e.Intact:
		list = append(list, "Whether these are the words: they do not have the hash that was kept with the request.")
	case e.Shown():
		list = append(list, "Whether the person read the words. They stood next to the box.", "Who sat at the device from which the form was sent.")
	default:
		list = append(list, "Whether the person saw the words. Foyer did not show them: whoever sent the request states that the person agreed.")
	}
	if ev := e.Lead.Evidence; ev.Channel == lead.ChannelForm && !ev.FormToken.Genuine() {
		list = append(list, "Whether the form came from our page: it had no token that we issued.")
	}
	if e.Erased {
		list = append(list, "Who the person was, and whether their number is suppressed: the person was erased.")
	}
	return append(list,
		"Whether the person asked for something by a privacy request that named no lead and is settled: its number was deleted.",
		"What buyers did with the contact after they received it.",
		"Whether somebody who can write to the database changed it: what is kept is not signed.")
}
