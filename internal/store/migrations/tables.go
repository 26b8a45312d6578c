package migrations

import "foyer/internal/store/db"

// Tables are the tables that last, leads first: they are copied, checked and locked. A test compares them with the tables that the migrations create.
var Tables = []db.Table{
	{Name: "leads", Keys: 1, BytesColumn: "contact", Columns: []string{"seq", "id", "status", "created_at", "updated_at", "service_type", "zip_code", "marks", "job", "contact", "evidence", "source"}},
	{Name: "history", Keys: 1, Columns: []string{"seq", "lead_seq", "at", "status", "actor", "reason", "passed_over"}},
	{Name: "new_leads", Keys: 1, Columns: []string{"lead_seq"}},
	{Name: "deliveries", Keys: 1, Columns: []string{"lead_seq", "buyer_queue", "step", "due_at", "token", "owner", "since", "offer_id", "attempts", "may_have_contact", "sent_at", "url"}},
	{Name: "offers", Keys: 1, Columns: []string{"id", "lead_seq", "buyer_id", "at", "one_step", "state", "code", "buyer_ref", "returned_at", "returned_reason", "buyer_lead_id", "passed_over", "price_cents"}},
	{Name: "attempts", Keys: 1, Columns: []string{"seq", "lead_seq", "offer_id", "kind", "at", "took", "status", "failure", "answer", "decision", "url"}},
	{Name: "fingerprints", Keys: 2, Columns: []string{"fingerprint", "lead_seq", "at"}},
	{Name: "sales", Keys: 2, Columns: []string{"fingerprint", "buyer_id", "at"}},
	{Name: "buyers", Keys: 1, Columns: []string{"id", "terms", "secrets", "state", "why", "created_at", "updated_at", "funds_cents"}},
	{Name: "buyer_health", Keys: 1, Columns: []string{"buyer_id", "asked_at", "failures", "opened", "open_until", "wake_at", "scan_until", "quiet_until"}},
	{Name: "offer_counts", Keys: 2, Columns: []string{"buyer_id", "hour", "used", "offered", "accepted", "delivered", "returned", "used_cents", "charged_cents", "credited_cents"}},
	{Name: "ledger", Keys: 1, Columns: []string{"seq", "buyer_id", "at", "kind", "amount_cents", "offer_id", "lead_id", "service_type", "note", "statement_id"}},
	{Name: "statements", Keys: 1, Columns: []string{"id", "buyer_id", "buyer_name", "month", "time_zone", "ends_at", "opening_cents", "leads", "charges_cents", "returned", "returns_cents", "corrections_cents", "payments_cents", "format", "hash", "closed_at", "closed_by"}},
	{Name: "returns", Keys: 1, Columns: []string{"offer_id", "buyer_id", "at", "code", "state", "decided_at", "decided_by", "note", "notify_at", "notified_at", "attempts"}},
	{Name: "sources", Keys: 1, Columns: []string{"id", "terms", "state", "created_at", "updated_at"}},
	{Name: "source_prices", Keys: 2, Columns: []string{"source_id", "since", "cost_cents", "cap_day", "cap_month"}},
	{Name: "consent_texts", Keys: 1, Columns: []string{"hash", "version", "text", "first_used"}},
	{Name: "idempotency_keys", Keys: 1, BytesColumn: "answer", Columns: []string{"key_hash", "request_hash", "answer", "created_at"}},
	{Name: "suppressions", Keys: 1, Columns: []string{"phone", "reason", "created_at"}},
	{Name: "privacy_requests", Keys: 1, Columns: []string{"seq", "id", "at", "kind", "phone", "lead_id", "state", "note", "evidence"}},
	{Name: "withheld", Keys: 1, Columns: []string{"lead_seq", "reason", "fingerprint", "at", "check_at"}},
	{Name: "keys", Keys: 1, Columns: []string{"id", "created_at"}},
	{Name: "tokens", Keys: 1, Columns: []string{"id", "name", "hash", "scope", "personal_data", "created_at", "created_by", "expires_at", "revoked_at", "used_at"}},
	{Name: "users", Keys: 1, Columns: []string{"id", "name", "role", "password", "created_at", "created_by", "signed_in_at"}},
	{Name: "user_links", Keys: 1, Columns: []string{"hash", "user_id", "created_at", "expires_at"}},
	{Name: "sessions", Keys: 1, Columns: []string{"id", "hash", "user_id", "device", "created_at", "seen_at", "expires_at"}},
	{Name: "passkeys", Keys: 1, Columns: []string{"id", "user_id", "credential_id", "credential", "name", "created_at", "used_at"}},
	{Name: "alert_rules", Keys: 1, Columns: []string{"rule", "enabled", "threshold", "cooldown_minutes"}},
	{Name: "alert_ways", Keys: 1, Columns: []string{"id", "kind", "address", "secret", "created_at", "created_by"}},
	{Name: "alert_states", Keys: 2, Columns: []string{"rule", "subject", "name", "title", "text", "path", "since", "cleared_at", "told", "sent_at"}},
	{Name: "alert_messages", Keys: 1, Columns: []string{"id", "way_id", "kind", "rule", "subject", "title", "text", "path", "since", "at", "attempts", "next_at", "sent_at", "failure"}},
	{Name: "audit", Keys: 1, Columns: []string{"seq", "at", "actor", "action", "subject", "detail"}},
}

// Transient are the tables that are not copied, and why.
var Transient = map[string]string{
	"allowances":      "what clients did in the last minutes; they may do everything again",
	"jobs":            "which process does what for the others",
	"changes":         "each database counts its own",
	"search_index":    "a job fills it again",
	"follow_progress": "jobs begin again",
	"lead_outcomes":   "a job counts again",
	"lead_counts":     "a job counts again",
	"wait_counts":     "a job counts again",
	"answer_counts":   "a job counts again",
	"count_zone":      "a job counts again",
	"money_counts":    "a job counts again",
	"source_counts":   "a job counts again",
	"recent_leads":    "a job counts again",
	"place_counts":    "a job counts again",
	"alert_facts":     "what processes report every minute",
	"webhook_ids":     "what buyers signed in the last minutes",
}
