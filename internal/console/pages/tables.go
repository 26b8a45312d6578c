package pages

import (
	"net/url"

	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// page is something to look at.
type page struct {
	path  string     // below Prefix
	least store.Role // who may see it, at least
	show  func(*visit) (view, error)
}

// pageTable lists what can be looked at, and who may: a golden file holds it against every role.
func pageTable(in *signInPages) []page {
	return []page{
		{"", viewer, (*visit).today},
		{"/leads", viewer, (*visit).leads},
		{"/leads/{lead_id}", viewer, (*visit).lead},
		{"/leads/{lead_id}/evidence", viewer, (*visit).evidence},
		{"/buyers", viewer, (*visit).buyers},
		{"/buyers/{buyer}", viewer, (*visit).buyer},
		{"/sources", viewer, (*visit).sources},
		{"/sources/{source}", viewer, (*visit).source},
		{"/returns", viewer, (*visit).returns},
		{"/reports", viewer, (*visit).reports},
		{"/coverage", viewer, (*visit).coverage},
		{"/route", viewer, (*visit).route},
		{"/statements", viewer, (*visit).statements},
		{"/statements/{buyer}/{month}", viewer, (*visit).statement},
		{"/privacy", viewer, (*visit).privacy},
		{"/privacy/suppressions", operates, (*visit).suppressions},
		{"/privacy/{privacy_request_id}", viewer, (*visit).privacyRequest},
		{"/settings", viewer, in.settings},
		{"/settings/audit", operates, (*visit).auditTrail},
		{"/settings/alerts", viewer, (*visit).alerts},
		{"/health", viewer, (*visit).health},
	}
}

// always wants a confirmation of what cannot be undone.
func always(url.Values) bool { return true }

// withHeldLeads wants a confirmation of a start that offers held leads at once. What cannot be read is refused for that.
func withHeldLeads(form url.Values) bool {
	held, err := entered.ParseHeld(form.Get("held"))
	return err == nil && held != (entered.Held{})
}

// sendsAgain wants a confirmation of sending contacts again, but not to only hear which. Without a range it is refused for that.
func sendsAgain(form url.Values) bool { return form.Has("from") && form.Get("dry_run") != "true" }

// actionTable lists what can be done. It is a function because pages show forms, and forms are found here.
func actionTable(in *signInPages) []action {
	return []action{
		{path: "/practice/start", least: operates, do: (*visit).startPractice, page: (*visit).today, done: "The practice buyer is active. Send it a test lead."},
		{path: "/practice/lead", least: operates, do: (*visit).sendTestLead, page: (*visit).today, done: "The test lead is in. Below is what became of it, from the request to the buyer."},
		{path: "/sign-out", least: viewer, do: in.signOut, page: in.settings},
		{path: "/find", least: viewer, do: (*visit).find, page: (*visit).foundPersons},
		{path: "/leads/search", least: operates, do: (*visit).searchPersons, page: (*visit).foundPersons},
		{path: "/leads/{lead_id}/reveal", least: operates, do: (*visit).reveal, page: (*visit).lead},
		{path: "/leads/{lead_id}/evidence/reveal", least: operates, do: (*visit).reveal, page: (*visit).evidence},
		{path: "/leads/{lead_id}/release", least: operates, operation: "releaseLead", page: (*visit).lead, done: "The lead is on its way again."},
		{path: "/leads/{lead_id}/replay", least: operates, confirm: always, operation: "replayLead", page: (*visit).lead, done: "The lead is sent again to the buyer that accepted it."},
		{path: "/leads/{lead_id}/close", least: operates, confirm: always, operation: "closeLead", page: (*visit).lead, done: "The lead is closed. It is never offered again."},
		{path: "/leads/{lead_id}/erase", least: operates, confirm: always, operation: "eraseLead", page: (*visit).lead, done: "The person's details are erased."},
		{path: "/leads/{lead_id}/return", least: operates, operation: "addReturn", page: (*visit).lead, done: "The return is entered."},
		{path: "/buyers/add", least: operates, operation: "addBuyer", page: (*visit).addedBuyer},
		{path: "/buyers/{buyer}/edit", least: operates, do: (*visit).editBuyer, page: (*visit).buyer, done: "The terms are changed. The next offer follows them."},
		{path: "/buyers/check", least: operates, do: (*visit).checkNewBuyer, page: (*visit).checkedNewBuyer},
		{path: "/buyers/{buyer}/check", least: operates, do: (*visit).checkBuyer, page: (*visit).checkedBuyer},
		{path: "/buyers/{buyer}/try", least: operates, do: (*visit).tryBuyer, page: (*visit).buyer},
		{path: "/buyers/{buyer}/test", least: operates, operation: "testBuyer", page: (*visit).buyer},
		{path: "/buyers/{buyer}/start", least: operates, confirm: withHeldLeads, operation: "startBuyer", page: (*visit).buyer, done: "The buyer is active: it is asked from now on."},
		{path: "/buyers/{buyer}/pause", least: operates, operation: "pauseBuyer", page: (*visit).buyer, done: "The buyer is paused: it is offered nothing until it is resumed."},
		{path: "/buyers/{buyer}/resume", least: operates, operation: "resumeBuyer", page: (*visit).buyer, done: "The buyer is asked again."},
		{path: "/buyers/{buyer}/top-up", least: operates, operation: "topUpBuyer", page: (*visit).buyer, done: "The payment is entered."},
		{path: "/buyers/{buyer}/correct", least: operates, operation: "correctAccount", page: (*visit).buyer, done: "The correction is entered."},
		{path: "/buyers/{buyer}/rotate-secret", least: operates, operation: "rotateSecret", page: (*visit).buyer},
		{path: "/buyers/{buyer}/end-rotation", least: operates, confirm: always, operation: "endRotation", page: (*visit).buyer, done: "Only the new secret signs messages now."},
		{path: "/buyers/{buyer}/remove", least: operates, confirm: always, operation: "removeBuyer", page: (*visit).buyer, to: "/buyers", done: "The buyer is removed. The history of its leads keeps its name."},
		{path: "/sources/add", least: operates, operation: "addSource", page: (*visit).sources, done: "The source is added. Its key is in the list."},
		{path: "/sources/{source}/edit", least: operates, do: (*visit).editSource, page: (*visit).source, done: "The source is changed."},
		{path: "/sources/{source}/block", least: operates, operation: "blockSource", page: (*visit).source, done: "The source is blocked: its key is ignored."},
		{path: "/sources/{source}/unblock", least: operates, operation: "unblockSource", page: (*visit).source, done: "The source is no longer blocked."},
		{path: "/returns/{offer_id}/approve", least: operates, confirm: always, operation: "approveReturn", page: (*visit).returns, to: "/returns", done: "The return is approved, and the buyer hears of it."},
		{path: "/returns/{offer_id}/deny", least: operates, operation: "denyReturn", page: (*visit).returns, to: "/returns", done: "The return is denied, and the buyer hears why."},
		{path: "/statements/close", least: operates, confirm: always, operation: "closeStatements", page: (*visit).statements},
		{path: "/statements/verify", least: operates, operation: "verifyStatements", page: (*visit).statements},
		{path: "/health/replay", least: operates, confirm: sendsAgain, operation: "replayLeads", page: (*visit).health},
		{path: "/privacy/suppressions/find", least: operates, do: (*visit).findSuppression, page: (*visit).suppressions},
		{path: "/privacy/suppressions/import", least: operates, operation: "importSuppressions", page: (*visit).suppressions},
		{path: "/privacy/suppress", least: operates, operation: "addSuppression", page: (*visit).privacy, done: "Requests with this number are refused from now on."},
		{path: "/privacy/unsuppress", least: operates, operation: "removeSuppression", page: (*visit).privacy, done: "Requests with this number are accepted again."},
		{path: "/privacy/{privacy_request_id}/reveal", least: operates, do: (*visit).revealPrivacy, page: (*visit).privacyRequest},
		{path: "/privacy/{privacy_request_id}/settle", least: operates, confirm: always, operation: "settlePrivacyRequest", page: (*visit).privacyRequest, to: "/privacy", done: "The privacy request is settled, and its phone number deleted."},
		{path: "/settings/password", least: viewer, do: in.changePassword, page: in.settings, done: "Your password is changed. Your other sessions have ended."},
		{path: "/passkeys/add", least: viewer, do: in.addPasskey, page: in.settings, to: "/settings", done: "The passkey is added. You can sign in with it."},
		{path: "/passkeys/remove", least: viewer, confirm: always, do: (*visit).removePasskey, page: in.settings, to: "/settings", done: "The passkey is removed. It cannot sign you in any more."},
		{path: "/settings/end-session", least: viewer, do: (*visit).endOneSession, page: in.settings, done: "The session has ended."},
		{path: "/settings/end-all", least: viewer, do: in.endAllSessions, page: in.settings},
		{path: "/settings/add-person", least: owner, do: (*visit).addPerson, page: in.settings},
		{path: "/settings/link-person", least: owner, do: (*visit).linkPerson, page: in.settings},
		{path: "/settings/reset-person", least: owner, confirm: always, do: (*visit).resetPerson, page: in.settings},
		{path: "/settings/set-role", least: owner, do: (*visit).setRole, page: in.settings, done: "The role is changed."},
		{path: "/settings/remove-person", least: owner, confirm: always, do: (*visit).removePerson, page: in.settings, done: "The person cannot sign in any more."},
		{path: "/settings/alerts/rules/{rule}/edit", least: operates, do: (*visit).editRule, page: (*visit).alerts, to: "/settings/alerts", done: "The rule is changed."},
		{path: "/settings/alerts/ways/add", least: owner, operation: "addAlertWay", page: (*visit).alerts, to: "/settings/alerts", done: "The way is added. Send a test by it."},
		{path: "/settings/alerts/ways/{way_id}/test", least: operates, operation: "testAlertWay", page: (*visit).alerts},
		{path: "/settings/alerts/ways/{way_id}/remove", least: owner, confirm: always, operation: "removeAlertWay", page: (*visit).alerts, to: "/settings/alerts", done: "The way is removed. Nothing is sent there any more."},
		{path: "/settings/add-token", least: owner, do: (*visit).addToken, page: in.settings},
		{path: "/settings/revoke-token", least: owner, confirm: always, do: (*visit).revokeToken, page: in.settings, done: "The token is revoked."},
	}
}

// fileRoute is a file to download, or a stream.
type fileRoute struct {
	path  string
	least store.Role
	write func(*visit) error
}

func fileTable() []fileRoute {
	return []fileRoute{
		{"/live", viewer, new(feeds).live},
		{"/reports/csv", viewer, (*visit).reportCSV},
		{"/statements/{buyer}/{month}/csv", viewer, (*visit).statementCSV},
	}
}
