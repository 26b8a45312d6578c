package catalog

// Tool is what an assistant reads about a tool before calling it.
type Tool struct {
	Name        string
	Title       string
	Description string
}

// The five tools.
var (
	ToolPlumbing = Tool{
		"get_plumbing_call_number", "Get the plumbing number",
		"Returns the phone number a person dials for a plumber. Use it for anything about pipes, water leaks, drains, toilets, water heaters or flooding. It needs no name, phone or consent. " +
			"Read what_to_tell_the_user to the person and let them dial: never dial, autodial, transfer or place the call for them. " +
			"It books nothing and sends no one. Availability depends on ZIP code and time of day. " +
			"If the person smells gas: they should leave and call 911 or the gas company from outside; use no tool.",
	}
	ToolRequest = Tool{
		"request_home_service", "Request a home service",
		"Submits a person's request for cleaning, pest control, HVAC, handyman or other home work in the US: homes only, not offices; one service per call. " +
			"It is a lead, not a booking: never promise a callback, an arrival time, a price or a company. estimated_payout_hint is not a price: don't share it. " +
			"A request may be held with no contractor to take it: say so before you ask for details. " +
			"Before calling, ask the person for name, phone and ZIP code, and whether they agree to be called or texted about this request. " +
			"The yes must come from the person whose number it is; without a clear yes, don't call this tool (only plumbing takes consent_to_contact false). " +
			"For a plumber use get_plumbing_call_number instead; service_type plumbing here also returns the number (call_to_connect) for the person to dial. " +
			regularCleaning + " " +
			"With dry_run true the request is only checked, and the answer says whether it would be held or offered today; a dry run needs consent too. " +
			"Each call without dry_run makes a new lead: don't repeat one that succeeded. " +
			"If the result is an error, its fields say what to fix. Tell the person the message, and keep lead_id for get_lead_status.",
	}
	ToolCleaning = Tool{
		"request_cleaning", "Request a house cleaning",
		"Shortcut for request_home_service for a standard house cleaning. " + regularCleaning + " " +
			"Also use request_home_service for deep or move-in/move-out cleaning, to give a street address, home_type or flexible_dates, or to try with dry_run. " +
			"The same rules apply: first ask for name, phone, ZIP code and a clear yes to being called or texted; it is a lead, not a booking; promise nothing; don't repeat a call that succeeded.",
	}
	ToolStatus = Tool{
		"get_lead_status", "Look up a request",
		"Looks up where an earlier request stands, by the lead_id from its answer. Use it when the person asks what happened to a request. " +
			"It shows no personal details and can't find a request by name or phone. Without a lead_id, say it can't be looked up; don't send the request again. " +
			"Relay the message; a status of forwarded is still not a booking.",
	}
	ToolServices = Tool{
		"list_supported_services", "List the services",
		"Returns all services: which are live (plumbing: the person dials) and which collect requests, with the rules for assistants and `contact` for questions and complaints. Use it when you're not sure whether or how a service is offered.",
	}
)

// regularCleaning is in both request tools, so that an assistant makes the same choice from either.
const regularCleaning = "For regular cleaning, such as every two weeks, use request_home_service with service_type recurring_cleaning and a frequency."

// StatusTool is ToolStatus with the address where a person withdraws a request, because no tool can do that for them.
func (b Brand) StatusTool() Tool {
	t := ToolStatus
	t.Description += " No tool changes or withdraws a request. A person with its lead_id and phone number can close it right away at " + b.URL(PathWithdraw) +
		", unless a contractor network may already have it; for anything else give `contact` from list_supported_services."
	return t
}

// The texts of the tools' own arguments and results; those of a request come from the field table.
const (
	ToolZIPHelp    = "5-digit US ZIP code of the home, if known; don't ask for it. It doesn't change the number."
	ToolLeadIDHelp = "The lead_id returned by a request: lead_ followed by letters and digits. Ids that begin with dry_ are never kept."
	ToolResultHelp = "A JSON document. On an error (isError true) it is an object with error, message and, if fields are wrong, fields."
	ToolZIPDropped = "The ZIP code was left out because it isn't five digits. The number is the same everywhere."
)

// Instructions tell an assistant that just connected what the server is for.
func (b Brand) Instructions() string {
	return b.Name + " connects people in US homes with independent local contractors. " +
		"Plumbing is live: call get_plumbing_call_number, give the person the number and let them dial it themselves; never place the call. " +
		"Everything else collects requests: ask for the person's name, phone and ZIP code and for their explicit consent to be called or texted, then call request_home_service (or request_cleaning). " +
		"A request is a lead, not a booking: promise no callback, arrival time, price or company. " +
		"There are no prices here: don't estimate one. If the person smells gas: they should leave and call 911 or the gas company from outside; use no tool. " +
		"Use dry_run true to check a request without sending it. Errors name each field and how to fix it. " +
		"A person withdraws a request or has it erased at " + b.URL(PathWithdraw) + "."
}
