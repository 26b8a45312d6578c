package console_test

import (
	"net/http"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
)

// TestRefusals wants every refusal to name the field and what to send instead.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	c := newClient(t, s, true, true)
	c.want(201, "POST", "/buyers", `{"name":"Cool Air","url":"https://buyer.example.com/","services":"hvac"}`)
	for name, x := range map[string]struct {
		method, path, body string
		status             int
		field, text        string
	}{
		"no body where one is needed":     {"POST", "/buyers/Cool%20Air/start", ``, 422, "held", "it is missing. Which of the leads held now it gets: none, all, or a number of days"},
		"not JSON":                        {"POST", "/buyers", `{"name":`, 422, "body", "not a JSON object"},
		"a list":                          {"POST", "/buyers", `[]`, 422, "body", "not a JSON object"},
		"a member twice":                  {"POST", "/buyers", `{"name":"x","name":"y"}`, 422, "body", "given twice"},
		"an unknown member":               {"POST", "/buyers/Cool%20Air", `{"prio":1}`, 422, "prio", "there is no such field here. This takes name, url, services"},
		"an unknown member of an object":  {"POST", "/buyers/Cool%20Air", `{"caps":{"week":1}}`, 422, "caps.week", "This takes caps.hour, caps.day, caps.month, caps.total, caps.money_day_cents, caps.money_month_cents"},
		"an unknown parameter":            {"GET", "/buyers?page=2", "", 422, "page", "This takes limit, cursor"},
		"a parameter twice":               {"GET", "/buyers?limit=2&limit=3", "", 422, "limit", "given 2 times"},
		"a wrong type":                    {"POST", "/buyers/Cool%20Air", `{"priority":"high"}`, 422, "priority", "send a whole number"},
		"a fraction of a cent":            {"POST", "/buyers/Cool%20Air/top-up", `{"amount_cents":45.5}`, 422, "amount_cents", "in cents, as a whole number"},
		"nothing to change":               {"POST", "/buyers/Cool%20Air", `{}`, 422, "body", "nothing to change"},
		"a bound":                         {"GET", "/buyers?limit=501", "", 422, "limit", "a whole number from 1 to 500"},
		"a choice":                        {"GET", "/returns?state=gone", "", 422, "state", "waiting, approved, denied, all"},
		"a rule of the operator":          {"POST", "/buyers/Cool%20Air", `{"accept_plain":true}`, 422, "accept_plain", "only with one_step"},
		"two rules at once":               {"POST", "/buyers/Cool%20Air", `{"caps":{"money_day_cents":500},"services":["plumbing"]}`, 422, "price_cents", "a money cap needs prices"},
		"a name that is taken":            {"POST", "/buyers", `{"name":"cool air","url":"https://b.example.com/","services":"hvac"}`, 422, "name", "is the name of buyer_"},
		"a phone number in an address":    {"GET", "/leads?phone=305-555-0123", "", 422, "phone", "POST /v1/operator/leads/search"},
		"a filter":                        {"GET", "/leads?status=gone", "", 422, "status", "is unknown: write"},
		"a name without dates":            {"POST", "/leads/search", `{"name":"pat"}`, 422, "name", "a range of dates with received"},
		"a bad number among many":         {"POST", "/suppressions/import", `{"phones":["305-555-0123","12"]}`, 422, "phones", "number 2 of 2"},
		"a month":                         {"GET", "/buyers/Cool%20Air/statements/november", "", 422, "month", "such as 2026-11"},
		"a day":                           {"GET", "/reports/leads?from=soon", "", 422, "from", "is no day"},
		"half months of places":           {"GET", "/reports/coverage?from=2026-11-05&to=2026-11-06", "", 422, "from", "whole months"},
		"no such lead":                    {"GET", "/leads/lead_none", "", 404, "", "There is no lead with this id."},
		"no such buyer":                   {"POST", "/buyers/none/pause", "", 404, "", "There is no buyer with this name or id."},
		"no such place":                   {"GET", "/everything", "", 404, "", "/v1/operator/openapi.json"},
		"not as things stand":             {"POST", "/buyers/Cool%20Air/pause", "", 409, "", "The buyer is in test"},
		"a payment of nothing":            {"POST", "/buyers/Cool%20Air/top-up", `{"amount_cents":0}`, 422, "amount_cents", "from 1 to"},
		"a limit without prices":          {"POST", "/buyers/Cool%20Air", `{"credit_limit_cents":5}`, 422, "price_cents", `a credit limit needs prices, such as {"hvac": 4500}`},
		"null for an object":              {"POST", "/buyers/Cool%20Air", `{"caps":null}`, 422, "caps", "send an object"},
		"a name that is an id":            {"POST", "/buyers/Cool%20Air", `{"name":"buyer_x"}`, 422, "name", "buyer_ begins an id"},
		"no value is not every value":     {"POST", "/leads/search", `{"status":[]}`, 422, "status", "it is empty"},
		"a cursor of nothing":             {"GET", "/returns?cursor=offer_none", "", 422, "cursor", "Begin again without one"},
		"a blank reason":                  {"POST", "/buyers/Cool%20Air/correct", `{"amount_cents":1,"note":"  "}`, 422, "note", "missing"},
		"a long reason":                   {"POST", "/suppressions", `{"phone":"305-555-0123","reason":"a\nb"}`, 422, "reason", "on one line"},
		"a month far away":                {"GET", "/buyers/Cool%20Air/statements/9999-12", "", 422, "month", "such as 2026-11"},
		"another method":                  {"PUT", "/buyers", `{}`, 405, "", "GET and HEAD and POST only"},
		"a number that is not suppressed": {"POST", "/suppressions/remove", `{"phone":"305-555-0199"}`, 404, "", "no suppressed phone number"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &client{t, s, c.token}
			if x.status == 422 && x.field == "from" {
				c.await("leads are counted", func() bool { return c.send("GET", "/reports/leads", "").Status == 200 })
			}
			e := c.want(x.status, x.method, x.path, x.body)
			fields, _ := e["fields"].(map[string]any)
			if text, _ := fields[x.field].(string); !strings.Contains(text, x.text) && (x.field != "" || !strings.Contains(e.text("message"), x.text)) {
				t.Errorf("it says %v", e)
			}
			if strings.Contains(e.text("message"), "--") || strings.Contains(e.text("message"), "foyer buyers") {
				t.Errorf("it speaks of the command line: %v", e)
			}
		})
	}
	r := c.s.Send(t, "POST", "/v1/operator/buyers", "name=x", "Authorization", "Bearer "+c.token, "Content-Type", apptest.FormType)
	if r.Status != http.StatusUnsupportedMediaType || r.Header.Get("Accept-Post") != "application/json" {
		t.Errorf("a form: %d %v", r.Status, r.Header)
	}
	r = c.send("POST", "/buyers", `{"name":"`+strings.Repeat("x", 70_000)+`"}`)
	if r.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d", r.Status)
	}
}
