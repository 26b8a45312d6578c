package dbadmin

import (
	"strconv"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/offercounts"
)

// rowCheck looks for inconsistent rows. Each row of its query is a finding, whose columns replace {1}, {2} and so on in what and
// remedy.
type rowCheck struct {
	about  string
	query  string
	what   string
	remedy string
	mild   bool
}

func (c rowCheck) finding(r db.Row) db.Finding {
	var pairs []string
	for i := range r {
		pairs = append(pairs, "{"+strconv.Itoa(i+1)+"}", r.Text(i))
	}
	replacer := strings.NewReplacer(pairs...)
	return db.Finding{What: replacer.Replace(c.what), Remedy: replacer.Replace(c.remedy), Mild: c.mild}
}

// rowChecks run in this order.
var rowChecks = append(append([]rowCheck{
	{
		about: "leads on their way",
		query: `SELECT l.id FROM leads l LEFT JOIN deliveries d ON d.lead_seq = l.seq LEFT JOIN new_leads n ON n.lead_seq = l.seq
			WHERE l.status = 'received' AND d.lead_seq IS NULL AND n.lead_seq IS NULL ORDER BY l.seq`,
		what:   "{1}: it is received, and nobody takes it to a buyer",
		remedy: "INSERT INTO deliveries (lead_seq, due_at, since, token) SELECT seq, updated_at, updated_at, updated_at FROM leads WHERE id = '{1}'",
	},
	{
		about: "deliveries",
		query: `SELECT d.lead_seq, COALESCE(l.id, 'a lead that is not there') FROM deliveries d LEFT JOIN leads l ON l.seq = d.lead_seq
			WHERE l.seq IS NULL OR l.status <> 'received' ORDER BY d.lead_seq`,
		what:   "{2}: it is on its way to a buyer, and not received",
		remedy: "DELETE FROM deliveries WHERE lead_seq = {1}",
	},
	{
		about: "new leads",
		query: `SELECT n.lead_seq, COALESCE(l.id, 'a lead that is not there') FROM new_leads n LEFT JOIN leads l ON l.seq = n.lead_seq
			LEFT JOIN deliveries d ON d.lead_seq = n.lead_seq WHERE l.seq IS NULL OR l.status <> 'received' OR d.lead_seq IS NOT NULL ORDER BY n.lead_seq`,
		what:   "{2}: it counts as new, and is not received, or on its way already",
		remedy: "DELETE FROM new_leads WHERE lead_seq = {1}",
	},
	{
		about: "leads that are kept off the market",
		query: `SELECT w.lead_seq, COALESCE(l.id, 'a lead that is not there') FROM withheld w LEFT JOIN leads l ON l.seq = w.lead_seq
			WHERE l.seq IS NULL OR l.status <> 'collected' ORDER BY w.lead_seq`,
		what:   "{2}: it is kept off the market, and not held",
		remedy: "DELETE FROM withheld WHERE lead_seq = {1}",
	},
	{
		about: "the history of leads",
		query: `SELECT l.id FROM leads l JOIN (SELECT lead_seq, max(seq) AS seq FROM history GROUP BY lead_seq) AS last ON last.lead_seq = l.seq
			JOIN history h ON h.seq = last.seq WHERE h.status <> l.status ORDER BY l.seq`,
		what:   "{1}: it stands elsewhere than its history says",
		remedy: "look at both with foyer leads show {1}, and bring its rows back from a backup",
	},
	{
		about: "leads without a history",
		query: `SELECT l.id FROM leads l WHERE l.status NOT IN (` + db.Quoted(lead.Received, lead.Collected, lead.CallToConnect) + `)
			AND NOT EXISTS (SELECT 1 FROM history h WHERE h.lead_seq = l.seq) ORDER BY l.seq`,
		what:   "{1}: its status changed, and its history does not tell",
		remedy: "bring the rows of history back from a backup",
	},
	{
		about: "what was handed over",
		query: `SELECT l.id, COALESCE(o.n, 0) FROM leads l LEFT JOIN
				(SELECT lead_seq, count(*) AS n FROM offers WHERE state IN (` + wasDelivered + `) GROUP BY lead_seq) AS o ON o.lead_seq = l.seq
			WHERE l.status = 'forwarded' AND COALESCE(o.n, 0) <> 1 OR l.status <> 'forwarded' AND o.n > 0 ORDER BY l.seq`,
		what:   "{1}: buyers who acknowledged its contact: {2}; there is one where a lead is forwarded, and none elsewhere",
		remedy: "see with foyer leads show {1} who has the contact, ask them, and bring its rows back from a backup",
	},
	{
		about: "the caps of buyers",
		query: `SELECT buyer_id, counted_in, CAST(SUM(counted) AS BIGINT), CAST(SUM(cents) AS BIGINT) FROM (
				SELECT buyer_id, used, used_cents, counted, cents, ` + offercounts.RowHour + ` AS counted_in FROM (
				SELECT buyer_id, hour, used, used_cents, 0 AS counted, 0 AS cents FROM offer_counts
				UNION ALL SELECT buyer_id, at / 3600000000, 0, 0, 1, price_cents FROM offers WHERE state IN (` + db.Quoted(statesThat(buyer.OfferState.Counts)...) + `)) AS both_books) AS by_hour
			WHERE buyer_id IN (SELECT id FROM buyers) GROUP BY buyer_id, counted_in HAVING SUM(used) <> SUM(counted) OR SUM(used_cents) <> SUM(cents) ORDER BY buyer_id, counted_in`,
		what: "{1}: in the hour {2} another number counts towards its caps than the {3} that were offered, for {4} cents",
		remedy: "INSERT INTO offer_counts (buyer_id, hour, used, used_cents) VALUES ('{1}', {2}, {3}, {4}) " +
			"ON CONFLICT (buyer_id, hour) DO UPDATE SET used = excluded.used, used_cents = excluded.used_cents",
	},
	{
		about: "what became of offers", // an older foyer that runs beside a newer one does not count these
		query: `SELECT buyer_id, counted_in, CAST(SUM(made) AS BIGINT), CAST(SUM(agreed) AS BIGINT), CAST(SUM(handed) AS BIGINT), CAST(SUM(back) AS BIGINT) FROM (
				SELECT buyer_id, offered, accepted, delivered, returned, made, agreed, handed, back, ` + offercounts.RowHour + ` AS counted_in FROM (
				SELECT buyer_id, hour, offered, accepted, delivered, returned, 0 AS made, 0 AS agreed, 0 AS handed, 0 AS back FROM offer_counts
				UNION ALL SELECT buyer_id, at / 3600000000, 0, 0, 0, 0, 1, CASE WHEN state IN (` + db.Quoted(statesThat(buyer.OfferState.WasAccepted)...) + `) THEN 1 ELSE 0 END,
					CASE WHEN state IN (` + wasDelivered + `) THEN 1 ELSE 0 END, CASE WHEN returned_at > 0 THEN 1 ELSE 0 END FROM offers) AS both_books) AS by_hour
			WHERE buyer_id IN (SELECT id FROM buyers) GROUP BY buyer_id, counted_in
			HAVING SUM(offered) <> SUM(made) OR SUM(accepted) <> SUM(agreed) OR SUM(delivered) <> SUM(handed) OR SUM(returned) <> SUM(back) ORDER BY buyer_id, counted_in`,
		what: "{1}: its counts for the hour {2} are not those of its offers: offered {3}, accepted {4}, delivered {5}, returned {6}",
		remedy: "INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('{1}', {2}, 0, {3}, {4}, {5}, {6}) " +
			"ON CONFLICT (buyer_id, hour) DO UPDATE SET offered = excluded.offered, accepted = excluded.accepted, delivered = excluded.delivered, returned = excluded.returned",
		mild: true,
	},
	{
		about: "money for offers",
		query: `SELECT buyer_id, counted_in, CAST(SUM(charged) AS BIGINT), CAST(SUM(credited) AS BIGINT) FROM (
				SELECT buyer_id, charged_cents, credited_cents, charged, credited, ` + offercounts.RowHour + ` AS counted_in FROM (
				SELECT buyer_id, hour, charged_cents, credited_cents, 0 AS charged, 0 AS credited FROM offer_counts
				UNION ALL SELECT buyer_id, at / 3600000000, 0, 0, price_cents, CASE WHEN state = 'returned' THEN price_cents ELSE 0 END
					FROM offers WHERE price_cents <> 0 AND state IN (` + wasDelivered + `)) AS both_books) AS by_hour
			WHERE buyer_id IN (SELECT id FROM buyers) GROUP BY buyer_id, counted_in
			HAVING SUM(charged_cents) <> SUM(charged) OR SUM(credited_cents) <> SUM(credited) ORDER BY buyer_id, counted_in`,
		what: "{1}: its sums for the hour {2} are not those of its offers: charged {3} cents, credited {4}",
		remedy: "INSERT INTO offer_counts (buyer_id, hour, used, charged_cents, credited_cents) VALUES ('{1}', {2}, 0, {3}, {4}) " +
			"ON CONFLICT (buyer_id, hour) DO UPDATE SET charged_cents = excluded.charged_cents, credited_cents = excluded.credited_cents",
	},
	{
		about: "charges of offers",
		query: `SELECT o.id, o.buyer_id FROM offers o LEFT JOIN ledger c ON c.offer_id = o.id AND c.kind = 'charge' LEFT JOIN ledger r ON r.offer_id = o.id AND r.kind = 'return'
			WHERE o.price_cents <> 0 AND (o.state IN (` + wasDelivered + `) AND (c.amount_cents IS NULL OR c.amount_cents <> o.price_cents OR c.buyer_id <> o.buyer_id)
				OR o.state NOT IN (` + wasDelivered + `) AND c.seq IS NOT NULL
				OR o.state = 'returned' AND (r.amount_cents IS NULL OR r.amount_cents <> -o.price_cents) OR o.state <> 'returned' AND r.seq IS NOT NULL) ORDER BY o.id`,
		what:   "{1}: the account of {2} does not say what it cost, or what was given back for it",
		remedy: "see with foyer leads show {1} what became of it, and put the account right with foyer buyers correct {2}",
	},
	{
		about: "the ledger",
		query: `SELECT l.seq, l.buyer_id FROM ledger l LEFT JOIN offers o ON o.id = l.offer_id
			WHERE l.offer_id <> '' AND (o.id IS NULL OR o.price_cents = 0) OR NOT EXISTS (SELECT 1 FROM buyers b WHERE b.id = l.buyer_id) ORDER BY l.seq`,
		what:   "ledger entry {1}: it belongs to no offer with a price, or to no buyer",
		remedy: restoreRow,
	},
	{
		about: "the funds of buyers",
		query: `SELECT b.id, CAST(COALESCE(SUM(-l.amount_cents), 0) AS BIGINT) FROM buyers b LEFT JOIN ledger l ON l.buyer_id = b.id AND l.kind IN ('payment', 'correction')
			GROUP BY b.id, b.funds_cents HAVING b.funds_cents <> COALESCE(SUM(-l.amount_cents), 0) ORDER BY b.id`,
		what:   "{1}: its funds are not the {2} cents of its payments and corrections",
		remedy: "look first at what else is found about its account; where there is none, UPDATE buyers SET funds_cents = {2} WHERE id = '{1}'",
	},
	{
		about: "statements",
		query: `SELECT s.id, s.month, s.buyer_id FROM statements s LEFT JOIN (SELECT statement_id, SUM(amount_cents) AS net, SUM(CASE WHEN kind = 'charge' THEN 1 ELSE 0 END) AS leads
				FROM ledger WHERE statement_id <> '' GROUP BY statement_id) AS l ON l.statement_id = s.id
			WHERE COALESCE(l.net, 0) <> s.charges_cents + s.returns_cents + s.corrections_cents + s.payments_cents OR COALESCE(l.leads, 0) <> s.leads ORDER BY s.id`,
		what:   "{1}: the lines of this statement do not come to what it says",
		remedy: "compare foyer statements show {3} --month {2} --csv with the file that you sent, and bring the rows of ledger back from a backup",
	},
	{
		about:  "lines of statements",
		query:  `SELECT l.seq FROM ledger l LEFT JOIN statements s ON s.id = l.statement_id AND s.buyer_id = l.buyer_id WHERE l.statement_id <> '' AND s.id IS NULL ORDER BY l.seq`,
		what:   "ledger entry {1}: it is on a statement that is not there",
		remedy: restoreRow,
	},
	{
		about:  "returns", // an older foyer that runs beside a newer one does not add them
		query:  `SELECT o.id, o.buyer_id, o.returned_at FROM offers o LEFT JOIN returns r ON r.offer_id = o.id WHERE o.returned_at > 0 AND r.offer_id IS NULL ORDER BY o.id`,
		what:   "{1}: its lead was returned, and the return is not on the list",
		remedy: "INSERT INTO returns (offer_id, buyer_id, at, code, state) VALUES ('{1}', '{2}', {3}, 'other', 'waiting')",
	},
	{
		about: "decided returns",
		query: `SELECT COALESCE(o.id, r.offer_id) FROM returns r FULL JOIN (SELECT id, state, returned_at FROM offers WHERE returned_at > 0) AS o ON o.id = r.offer_id
			WHERE o.id IS NULL OR (r.state = 'approved') <> (o.state = 'returned') ORDER BY 1`,
		what:   "{1}: its return and its state do not agree",
		remedy: restoreRow,
	},
	{
		about:  "privacy requests",
		query:  `SELECT id FROM privacy_requests WHERE state = 'done' AND phone <> '' ORDER BY seq`,
		what:   "{1}: it is settled, and its phone number was not forgotten",
		remedy: "UPDATE privacy_requests SET phone = '' WHERE id = '{1}'",
	},
	{
		about:  "the search index", // an older foyer that runs beside a newer one does not delete from it
		query:  `SELECT DISTINCT s.lead_seq FROM search_index s LEFT JOIN leads l ON l.seq = s.lead_seq WHERE s.hash < 0 AND l.contact IS NULL ORDER BY s.lead_seq`,
		what:   "row {1} of leads: its person was erased, and is in the search index",
		remedy: "DELETE FROM search_index WHERE hash < 0 AND lead_seq = {1}",
	},
	{
		about:  "leads that are paid for",
		query:  `SELECT o.lead_seq FROM lead_outcomes o WHERE o.cost_cents > 0 AND o.outcome IN (` + db.Quoted(costFree...) + `) ORDER BY o.lead_seq`,
		what:   "row {1} of leads: its source is paid for it, though it could not be sold",
		remedy: recount,
	},
	{
		about:  "sources of leads",
		query:  `SELECT l.id FROM leads l LEFT JOIN sources s ON s.id = l.source WHERE l.source <> '' AND s.id IS NULL ORDER BY l.seq`,
		what:   "{1}: its source is not there",
		remedy: restoreRow,
	},
	{
		about: "counted leads", // those that changed since are counted soon
		query: `SELECT l.id, o.outcome FROM lead_outcomes o LEFT JOIN leads l ON l.seq = o.lead_seq WHERE (` + leadcounts.BacklogQuery + `) = 0 AND (l.seq IS NULL
			OR (o.outcome IN ('sold', 'practice')) <> (l.status = 'forwarded') OR (o.outcome = 'waiting') <> (l.status = 'received') OR (o.outcome = 'call_to_connect') <> (l.status = 'call_to_connect')
			OR (o.outcome = 'error') <> (l.status = 'error') OR o.outcome = 'closed' AND l.status <> 'rejected') ORDER BY l.seq`,
		what:   "{1}: it is counted as {2}, and stands elsewhere",
		remedy: recount,
	},
	{
		about: "leads that are counted",
		query: `SELECT l.id FROM leads l LEFT JOIN lead_outcomes o ON o.lead_seq = l.seq WHERE o.lead_seq IS NULL
			AND l.seq <= COALESCE((SELECT seq FROM follow_progress WHERE name = '` + leadcounts.LeadsFollower + `'), 0) ORDER BY l.seq`,
		what:   "{1}: it is not counted",
		remedy: recount,
	},
	{
		about:  "subjects in the audit trail",
		query:  `SELECT seq FROM audit WHERE subject LIKE '+%' OR subject LIKE '%@%' ORDER BY seq`,
		what:   "audit entry {1}: its subject is a phone number or an address, and not an id",
		remedy: "UPDATE audit SET subject = '' WHERE seq = {1}",
	},
	{
		about: "the audit trail",
		query: `SELECT seq FROM audit WHERE detail NOT LIKE '{%}' OR actor NOT IN ('` + string(audit.System) + `', '` + string(audit.Person) + `', '` + string(audit.Visitor) + `')
			AND actor NOT LIKE 'cli:_%' AND actor NOT LIKE 'user:_%' AND actor NOT LIKE 'token:_%' AND actor NOT LIKE 'buyer:_%' ORDER BY seq`,
		what:   "audit entry {1}: its actor is unknown, or its detail cannot be read",
		remedy: restoreRow,
	},
}, orphans()...), unknownValues()...)

// costFree are the outcomes of leads that cost nothing.
var costFree = func() (list []buyer.Outcome) {
	for _, o := range buyer.Outcomes {
		if !source.Costs(o) {
			list = append(list, o)
		}
	}
	return list
}()

// recount is the remedy for counts that are wrong.
const recount = "foyer report rebuild"

// orphans looks for rows that belong to no lead.
func orphans() (list []rowCheck) {
	for _, x := range []struct{ table, key, what string }{
		{"offers", "id", "{1}"}, {"history", "seq", "line {1} of the history"}, {"attempts", "seq", "attempt {1}"}, {"fingerprints", "lead_seq", "the fingerprint of row {1}"}, {"legal_holds", "id", "{1}"},
	} {
		list = append(list, rowCheck{
			about:  x.table,
			query:  `SELECT x.` + x.key + ` FROM ` + x.table + ` x LEFT JOIN leads l ON l.seq = x.lead_seq WHERE l.seq IS NULL ORDER BY x.` + x.key,
			what:   x.what + ": it belongs to no lead",
			remedy: "bring the lead back from a backup; where there is none, DELETE FROM " + x.table + " WHERE " + x.key + " = '{1}'",
		})
	}
	return list
}

// unknownValues looks for values that this program does not know. The findings leave out the value, which could be personal data.
func unknownValues() (list []rowCheck) {
	for _, x := range []struct{ table, key, column, known string }{
		{"history", "seq", "status", db.Quoted(append([]lead.Status{lead.Received}, store.ListedStatuses...)...)},
		{"offers", "id", "state", db.Quoted(buyer.OfferStates...)},
		{"deliveries", "lead_seq", "step", db.Quoted(buyer.StepAsk, buyer.StepOffer, buyer.StepDeliver)},
		{"buyers", "id", "state", db.Quoted(buyer.Testing, buyer.Active, buyer.Paused, buyer.Off, buyer.Removed)},
		{"privacy_requests", "id", "state", db.Quoted(lead.PrivacyOpen, lead.PrivacyDone)},
		{"privacy_requests", "id", "kind", db.Quoted(lead.PrivacyKinds...)},
	} {
		list = append(list, rowCheck{
			about:  x.table,
			query:  `SELECT ` + x.key + ` FROM ` + x.table + ` WHERE ` + x.column + ` NOT IN (` + x.known + `) ORDER BY ` + x.key,
			what:   x.table + " {1}: its " + x.column + " is unknown",
			remedy: restoreRow,
		})
	}
	return list
}

// wasDelivered are the states of an offer whose contact was acknowledged, as SQL strings.
var wasDelivered = db.Quoted(statesThat(buyer.OfferState.WasDelivered)...)

// statesThat returns the states of an offer that meet a condition.
func statesThat(meet func(buyer.OfferState) bool) (states []buyer.OfferState) {
	for _, s := range buyer.OfferStates {
		if meet(s) {
			states = append(states, s)
		}
	}
	return states
}
