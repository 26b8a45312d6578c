package pages

import (
	"net/url"
	"strings"

	"foyer/internal/console/pages/buyers"
	"foyer/internal/console/pages/insight"
	"foyer/internal/console/pages/keeping"
	"foyer/internal/console/pages/page"
	"foyer/internal/console/pages/signin"
	"foyer/internal/console/pages/work"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// The roles, by what they may do.
var viewer, operates, owner = store.RoleViewer, store.RoleOperator, store.RoleOwner

// entry is something to look at.
type entry struct {
	path  string     // below Prefix
	least store.Role // who may see it, at least
	show  func(*page.Visit) (page.View, error)
}

// pageTable lists what can be looked at, and who may: a golden file holds it against every role.
func pageTable(in *signin.Pages) []entry {
	return []entry{
		{"", viewer, work.Today},
		{"/leads", viewer, work.Leads},
		{"/leads/{lead_id}", viewer, work.Lead},
		{"/leads/{lead_id}/evidence", viewer, work.Evidence},
		{"/buyers", viewer, buyers.Buyers},
		{"/buyers/{buyer}", viewer, buyers.Buyer},
		{"/buyers/{buyer}/messages", viewer, buyers.Messages},
		{"/buyers/{buyer}/terms", viewer, buyers.Terms},
		{"/sources", viewer, work.Sources},
		{"/sources/{source}", viewer, work.Source},
		{"/returns", viewer, work.Returns},
		{"/reports", viewer, insight.Reports},
		{"/coverage", viewer, insight.Coverage},
		{"/route", viewer, insight.Route},
		{"/statements", viewer, insight.Statements},
		{"/statements/{buyer}/{month}", viewer, insight.Statement},
		{"/privacy", viewer, keeping.Privacy},
		{"/privacy/suppressions", operates, keeping.Suppressions},
		{"/privacy/{privacy_request_id}", viewer, keeping.PrivacyRequest},
		{"/settings", viewer, in.Settings},
		{"/settings/audit", operates, keeping.AuditTrail},
		{"/settings/alerts", viewer, keeping.Alerts},
		{"/health", viewer, keeping.Health},
	}
}

// always wants a confirmation of what cannot be undone.
func always(url.Values) bool { return true }

// withHeldLeads wants a confirmation of a start that offers held leads at once. What cannot be read is refused for that.
func withHeldLeads(form url.Values) bool {
	held, err := entered.ParseHeld(strings.TrimSpace(form.Get("held")))
	return err == nil && held != (entered.Held{})
}

// sendsAgain wants a confirmation of sending contacts again, but not to only hear which. Without a range it is refused for that.
func sendsAgain(form url.Values) bool { return form.Has("from") && form.Get("dry_run") != "true" }

// givesMore wants a confirmation of a role that may do what cannot be undone.
func givesMore(form url.Values) bool {
	return form.Get("role") == string(store.RoleOperator) || form.Get("role") == string(store.RoleOwner)
}

// actionTable lists what can be done. It is a function because pages show forms, and forms are found here.
func actionTable(in *signin.Pages) []page.Action {
	return []page.Action{
		{Path: "/practice/start", Least: operates, Do: work.StartPractice, Page: work.Today, Done: "The practice buyer is active. Send it a test lead."},
		{Path: "/practice/lead", Least: operates, Do: work.SendTestLead, Page: work.Today, Done: "The test lead is in. Below is what became of it, from the request to the buyer."},
		{Path: "/undo", Least: operates, Do: page.Undo, Page: work.Today, Done: "It is as it was before."},
		{Path: "/sign-out", Least: viewer, Do: in.SignOut, Page: in.Settings},
		{Path: "/find", Least: viewer, Do: work.Find, Page: work.FoundPersons},
		{Path: "/leads/search", Least: operates, Do: work.SearchPersons, Page: work.FoundPersons},
		{Path: "/leads/{lead_id}/reveal", Least: operates, Do: work.Reveal, Page: work.Lead},
		{Path: "/leads/{lead_id}/evidence/reveal", Least: operates, Do: work.Reveal, Page: work.Evidence},
		{Path: "/leads/{lead_id}/release", Least: operates, Confirm: always, Operation: "releaseLead", Page: work.Lead, Done: "The lead is on its way again."},
		{Path: "/leads/{lead_id}/replay", Least: operates, Confirm: always, Operation: "replayLead", Page: work.Lead, Done: "The lead is sent again to the buyer that accepted it."},
		{Path: "/leads/{lead_id}/close", Least: operates, Confirm: always, Operation: "closeLead", Page: work.Lead, Done: "The lead is closed. It is never offered again."},
		{Path: "/leads/{lead_id}/erase", Least: operates, Confirm: always, Operation: "eraseLead", Page: work.Lead, Done: "The person's details are erased."},
		{Path: "/leads/{lead_id}/return", Least: operates, Confirm: always, Operation: "addReturn", Page: work.Lead, Done: "The return is entered."},
		{Path: "/leads/{lead_id}/legal-hold", Least: operates, Operation: "addLegalHold", Page: work.Lead, Done: "The lead is under a legal hold. Nothing of it can be erased until the hold is removed."},
		{Path: "/leads/{lead_id}/legal-holds/{legal_hold_id}/remove", Least: operates, Confirm: always, Operation: "removeLegalHold", Page: work.Lead, To: "/leads/{lead_id}", Done: "The legal hold is removed. It stays on record."},
		{Path: "/buyers/add", Least: operates, Operation: "addBuyer", Page: buyers.AddedBuyer},
		{Path: "/buyers/{buyer}/edit", Least: operates, Do: buyers.EditBuyer, Page: buyers.Terms, To: "/buyers/{buyer}/terms", Done: "The terms are changed. The next offer follows them."},
		{Path: "/buyers/check", Least: operates, Do: buyers.CheckNewBuyer, Page: buyers.CheckedNewBuyer},
		{Path: "/buyers/{buyer}/check", Least: operates, Do: buyers.CheckBuyer, Page: buyers.CheckedBuyer, To: "/buyers/{buyer}/terms"},
		{Path: "/buyers/{buyer}/try", Least: operates, Do: insight.TryBuyer, Page: buyers.Terms, To: "/buyers/{buyer}/terms"},
		{Path: "/buyers/{buyer}/test", Least: operates, Operation: "testBuyer", Page: buyers.Buyer},
		{Path: "/buyers/{buyer}/start", Least: operates, Confirm: withHeldLeads, Operation: "startBuyer", Page: buyers.Buyer, Done: "The buyer is active: it is asked from now on."},
		{Path: "/buyers/{buyer}/pause", Least: operates, Operation: "pauseBuyer", Page: buyers.Buyer, Done: "The buyer is paused: it is offered nothing until it is resumed."},
		{Path: "/buyers/{buyer}/resume", Least: operates, Operation: "resumeBuyer", Page: buyers.Buyer, Done: "The buyer is asked again."},
		{Path: "/buyers/{buyer}/top-up", Least: operates, Operation: "topUpBuyer", Page: buyers.Buyer, Done: "The payment is entered. To undo it enters a correction of the same amount."},
		{Path: "/buyers/{buyer}/correct", Least: operates, Operation: "correctAccount", Page: buyers.Buyer, Done: "The correction is entered. To undo it enters another one against it."},
		{Path: "/buyers/{buyer}/rotate-secret", Least: operates, Confirm: always, Operation: "rotateSecret", Page: buyers.Buyer},
		{Path: "/buyers/{buyer}/end-rotation", Least: operates, Confirm: always, Operation: "endRotation", Page: buyers.Buyer, Done: "Only the new secret signs messages now."},
		{Path: "/buyers/{buyer}/remove", Least: operates, Confirm: always, Operation: "removeBuyer", Page: buyers.Buyer, To: "/buyers", Done: "The buyer is removed. The history of its leads keeps its name."},
		{Path: "/sources/add", Least: operates, Operation: "addSource", Page: work.Sources, Done: "The source is added. Its key is in the list."},
		{Path: "/sources/{source}/edit", Least: operates, Do: work.EditSource, Page: work.Source, Done: "The source is changed."},
		{Path: "/sources/{source}/block", Least: operates, Operation: "blockSource", Page: work.Source, Done: "The source is blocked: its key is ignored."},
		{Path: "/sources/{source}/unblock", Least: operates, Operation: "unblockSource", Page: work.Source, Done: "The source is no longer blocked."},
		{Path: "/returns/{offer_id}/approve", Least: operates, Confirm: always, Operation: "approveReturn", Page: work.Returns, To: "/returns", Done: "The return is approved, and the buyer hears of it."},
		{Path: "/returns/{offer_id}/deny", Least: operates, Confirm: always, Operation: "denyReturn", Page: work.Returns, To: "/returns", Done: "The return is denied, and the buyer hears why."},
		{Path: "/statements/close", Least: operates, Confirm: always, Operation: "closeStatements", Page: insight.Statements},
		{Path: "/statements/verify", Least: operates, Operation: "verifyStatements", Page: insight.Statements},
		{Path: "/health/replay", Least: operates, Confirm: sendsAgain, Operation: "replayLeads", Page: keeping.Health},
		{Path: "/privacy/suppressions/find", Least: operates, Do: keeping.FindSuppression, Page: keeping.Suppressions},
		{Path: "/privacy/suppressions/import", Least: operates, Confirm: always, Operation: "importSuppressions", Page: keeping.Suppressions},
		{Path: "/privacy/suppress", Least: operates, Operation: "addSuppression", Page: keeping.Privacy, Done: "Requests with this number are refused from now on. Held leads with it are closed, and stay closed."},
		{Path: "/privacy/unsuppress", Least: operates, Confirm: always, Operation: "removeSuppression", Page: keeping.Privacy, Done: "Requests with this number are accepted again."},
		{Path: "/privacy/legal-holds/add", Least: operates, Do: keeping.AddLegalHold, Page: keeping.Privacy, To: "/privacy", Done: "The lead is under a legal hold. Nothing of it can be erased until the hold is removed."},
		{Path: "/privacy/legal-holds/remove", Least: operates, Confirm: always, Do: keeping.RemoveLegalHold, Page: keeping.Privacy, To: "/privacy", Done: "The legal hold is removed. It stays on record."},
		{Path: "/privacy/{privacy_request_id}/reveal", Least: operates, Do: keeping.RevealPrivacy, Page: keeping.PrivacyRequest},
		{Path: "/privacy/{privacy_request_id}/settle", Least: operates, Confirm: always, Operation: "settlePrivacyRequest", Page: keeping.PrivacyRequest, To: "/privacy", Done: "The privacy request is settled, and its phone number deleted."},
		{Path: "/settings/password", Least: viewer, Do: in.ChangePassword, Page: in.Settings, Done: "Your password is changed. Your other sessions have ended."},
		{Path: "/passkeys/add", Least: viewer, Do: in.AddPasskey, Page: in.Settings, To: "/settings", Done: "The passkey is added. You can sign in with it."},
		{Path: "/passkeys/remove", Least: viewer, Confirm: always, Do: signin.RemovePasskey, Page: in.Settings, To: "/settings", Done: "The passkey is removed. It cannot sign you in any more."},
		{Path: "/settings/end-session", Least: viewer, Do: signin.EndOneSession, Page: in.Settings, Done: "The session has ended."},
		{Path: "/settings/end-all", Least: viewer, Do: in.EndAllSessions, Page: in.Settings},
		{Path: "/settings/add-person", Least: owner, Do: in.AddPerson, Page: in.Settings},
		{Path: "/settings/link-person", Least: owner, Do: in.LinkPerson, Page: in.Settings},
		{Path: "/settings/reset-person", Least: owner, Confirm: always, Do: in.ResetPerson, Page: in.Settings},
		{Path: "/settings/set-role", Least: owner, Confirm: givesMore, Do: in.SetRole, Page: in.Settings, Done: "The role is changed."},
		{Path: "/settings/remove-person", Least: owner, Confirm: always, Do: signin.RemovePerson, Page: in.Settings, Done: "The person cannot sign in any more."},
		{Path: "/settings/alerts/rules/{rule}/edit", Least: operates, Do: keeping.EditRule, Page: keeping.Alerts, To: "/settings/alerts", Done: "The rule is changed."},
		{Path: "/settings/alerts/ways/add", Least: owner, Operation: "addAlertWay", Page: keeping.Alerts, To: "/settings/alerts", Done: "The way is added. Send a test by it."},
		{Path: "/settings/alerts/ways/{way_id}/test", Least: operates, Operation: "testAlertWay", Page: keeping.Alerts},
		{Path: "/settings/alerts/ways/{way_id}/remove", Least: owner, Confirm: always, Operation: "removeAlertWay", Page: keeping.Alerts, To: "/settings/alerts", Done: "The way is removed. Nothing is sent there any more."},
		{Path: "/settings/add-token", Least: owner, Do: in.AddToken, Page: in.Settings},
		{Path: "/settings/revoke-token", Least: owner, Confirm: always, Do: signin.RevokeToken, Page: in.Settings, Done: "The token is revoked."},
	}
}

// fileRoute is a file to download, or a stream.
type fileRoute struct {
	path  string
	least store.Role
	write func(*page.Visit) error
}

func fileTable() []fileRoute {
	return []fileRoute{
		{"/live", viewer, new(work.Feed).Live},
		{"/reports/csv", viewer, insight.ReportCSV},
		{"/statements/{buyer}/{month}/csv", viewer, insight.StatementCSV},
	}
}
