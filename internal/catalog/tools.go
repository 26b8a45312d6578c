package catalog

// Tool is what an assistant reads about a tool before it ever calls it.
type Tool struct {
	Name        string
	Title       string
	Description string
}

// The five tools.
var (
	ToolPlumbing = Tool{
		"get_plumbing_call_number", "Get the plumbing number",
		"Returns the phone number a person dials for a plumber. Use it for anything about pipes, water leaks, drains, toilets, water heaters or flooding; it needs no name, phone or consent. " +
			"Read what_to_tell_the_user to the person and let them dial: never dial, autodial, transfer or place the call for them. " +
			"It books nothing and sends no one. Availability depends on ZIP code and time of day. " +
			"On a smell of gas: leave, call 911 or the gas company from outside; use no tool.",
	}
	ToolRequest = Tool{
		"request_home_service", "Request a home service",
		"Submits a person's request for cleaning, pest control, HVAC, handyman or other home work in the US: homes only, not offices; one service per call. " +
			"It is a lead, not a booking: never promise a callback, an arrival time, a price or a company. estimated_payout_hint is no price: do not tell it. " +
			"A request may be held with no contractor to take it: say so before you ask for details. " +
			"Before calling, ask the person for name, phone and ZIP code, and whether they agree to be called or texted about this request. " +
			"The yes must come from the person whose number it is; without a clear yes, do not call this tool (plumbing alone takes consent_to_contact false). " +
			"For a plumber use get_plumbing_call_number instead; service_type plumbing here also returns the number (call_to_connect) for the person to dial. " +
			"With dry_run true the request is only checked; a dry run needs consent too. Each call without dry_run makes a new lead: do not repeat one that succeeded. " +
			"If the result is an error, its fields say what to mend. Tell the person the message, and keep lead_id for get_lead_status.",
	}
	ToolCleaning = Tool{
		"request_cleaning", "Request a house cleaning",
		"Shortcut of request_home_service for an ordinary house cleaning. Use request_home_service for deep or move-in/move-out cleaning, " +
			"for a regular one such as every two weeks (recurring_cleaning, frequency biweekly), to give a street address, home_type or flexible_dates, or to try with dry_run. " +
			"The same rules hold: ask for name, phone, ZIP code and a clear yes to being called or texted first; it is a lead, not a booking; promise nothing; do not repeat a call that succeeded.",
	}
	ToolStatus = Tool{
		"get_lead_status", "Look up a request",
		"Tells where an earlier request stands, by the lead_id its answer gave. Use it when the person asks what became of a request. " +
			"It shows no personal details and cannot find a request by name or phone. Without a lead_id say it cannot be looked up; do not send again. " +
			"Relay the message; a status of forwarded is still not a booking. " +
			"No tool changes or withdraws a request. A person who has its lead_id and phone number can close it at once on this site's page /privacy#wish, unless a contractor network may have it by then; " +
			"for anything else give `contact` from list_supported_services.",
	}
	ToolServices = Tool{
		"list_supported_services", "List the services",
		"Returns all services, which are live (plumbing: the person dials) and which collect requests, with the rules for assistants and `contact`, for withdrawing a request, erasing data and complaints. Use it when unsure whether or how a service is offered.",
	}
)

// Texts of the tools' own arguments and results; those of a request come from the field table.
const (
	ToolZIPHelp    = "5-digit US ZIP code of the home, if known; do not ask for it. It does not change the number."
	ToolLeadIDHelp = "The lead_id returned by a request, lead_ followed by letters and digits. Ids that begin with dry_ are never kept."
	ToolResultHelp = "A JSON document. On an error (isError true) it is an object with error, message and, where fields are wrong, fields."
	ToolZIPDropped = "The ZIP code was left out because it is not five digits. The number is the same everywhere."
)

// Instructions tell an assistant that just connected what this server is for.
func (b Brand) Instructions() string {
	return b.Name + " connects people in US homes with independent local contractors. " +
		"Plumbing is live: call get_plumbing_call_number, give the person the number and let them dial it themselves; never place the call. " +
		"Everything else collects requests: ask for the person's name, phone and ZIP code and for their explicit consent to be called or texted, then call request_home_service (or request_cleaning). " +
		"A request is a lead, not a booking: promise no callback, arrival time, price or company. " +
		"There are no prices here: do not estimate one. On a smell of gas: leave, call 911 or the gas company from outside; use no tool. " +
		"Use dry_run true to check a request without sending it. Errors name each field and its remedy."
}
