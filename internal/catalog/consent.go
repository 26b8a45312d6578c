package catalog

import "foyer/internal/lead"

// ConsentTextField is the field of our own form that carries the hash of the text it showed.
const ConsentTextField = "consent_text"

// consentVersion names the wording below. A changed word is a new version.
const consentVersion = "2026-11"

// ConsentShown is the text beside the checkbox of our own form.
func (b Brand) ConsentShown() lead.ConsentText {
	return lead.ConsentText{Version: "shown-" + consentVersion, Text: "I agree that " + b.Name + " and an independent contractor or contractor network that receives this request " +
		"may call or text me about it, at the phone number I gave. " +
		"I do not have to agree in order to buy anything, and I can take my agreement back at any time by writing to " + b.Contact + ". " +
		"Message and data rates may apply."}
}

// ConsentStated is what a program states by sending consent_to_contact true.
func (b Brand) ConsentStated() lead.ConsentText {
	return lead.ConsentText{Version: "stated-" + consentVersion, Text: "The sender states that the person was asked, and explicitly agreed, that " + b.Name +
		" and an independent contractor or contractor network that receives this request may call or text them about it, at the phone number given. " +
		"The person was told that they can take this back at any time by writing to " + b.Contact + "."}
}
