package pages_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// newChooser is a buyer that accepts everything but handyman work.
func newChooser(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, _ := io.ReadAll(r.Body)
		if strings.Contains(string(message), `"handyman"`) {
			fmt.Fprint(w, `{"decision":"reject","code":"out_of_area"}`)
			return
		}
		fmt.Fprint(w, `{"decision":"accept","ref":"job 7"}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestChartsShowWhatHappened sells two leads and has a third one declined, and wants every chart to say so, in its table and as a drawing.
func TestChartsShowWhatHappened(t *testing.T) {
	storetest.Long(t)
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off", "--phone-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	page := p.answers("/buyers/add", []string{"whsec_"}, "name", "Cool Air", "url", newChooser(t), "services", "hvac, handyman, pest_control", "price_cents", "45.00")
	id := find(t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	p.does("/buyers/"+id+"/start", "held", "none", "confirm", "true")
	for service, phone := range map[string]string{"hvac": "305-555-0123", "pest_control": "305-555-0124", "handyman": "305-555-0125"} {
		sent := s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": service, "customer_phone": phone, "zip_code": "33139"}}).LeadID
		p.await("/leads/"+sent, map[bool]string{true: "Cool Air declined", false: "Sold to Cool Air"}[service == "handyman"])
	}
	p.await("/reports", "Leads 3 Sold of demand 67 % Revenue $90.00")
	p.await("/buyers/"+id, "Declines by reason this month")
	some := `[0-9.]*[1-9][0-9.]* (ms|s)`
	for _, c := range []struct{ path, title, last string }{
		{"/buyers/" + id, "Offers and sales on each of the last 28 days", `3\|2`},
		{"/buyers/" + id, "Share of offers that were accepted on each of the last 28 days", `66\.7 %`},
		{"/buyers/" + id, "What it was charged on each of the last 28 days", `\$90.00`},
		{"/buyers/" + id, "How long its answers to offers and contacts took on each of the last 28 days", some + `\|` + some},
		{"/buyers/" + id, "Declines by reason this month", "1"},
		{"", "Leads received on each of the last 14 days", `3\|0`},
		{"/reports", "Leads by day, and how many were sold", `3\|2`},
		{"/reports?report=buyers", "Revenue by buyer", `\$90.00`},
		{"/reports?report=sources", "Margin by source", `\$90.00`},
		{"/reports?report=speed", "Time until a buyer had the contact, by day", some + `\|` + some},
	} {
		if last := p.lastOfChart(c.path, c.title); !regexp.MustCompile(`^(` + c.last + `)$`).MatchString(last) {
			t.Errorf("%s: %q ends with %q, want %s", c.path, c.title, last, c.last)
		}
	}
}

var (
	drawings = regexp.MustCompile(`(?s)<div class="drawing">(.*?)</div>\s*<details class="twin">.*?<table class="chart-table"><caption>(.*?)</caption>(.*?)</table>`)
	lastRow  = regexp.MustCompile(`(?s).*<tr><th scope="row">.*?</th>(.*?)</tr>`)
	shapes   = regexp.MustCompile(`<(path|rect|circle|polyline) `)
)

// lastOfChart returns the values of the last row of a chart's table. The drawing beside it must have shapes.
func (p *person) lastOfChart(path, title string) string {
	p.t.Helper()
	page := p.shows(path)
	var titles []string
	for _, d := range drawings.FindAllStringSubmatch(page, -1) {
		if titles = append(titles, html.UnescapeString(d[2])); titles[len(titles)-1] != title {
			continue
		}
		if !shapes.MatchString(d[1]) {
			p.t.Errorf("%s: %q has no shapes", path, title)
		}
		row := lastRow.FindStringSubmatch(d[3])
		if row == nil {
			return ""
		}
		values := strings.Split(strings.TrimSuffix(strings.ReplaceAll(row[1], "<td>", ""), "</td>"), "</td>")
		return html.UnescapeString(strings.Join(values, "|"))
	}
	p.t.Errorf("%s has no chart %q, but %q", path, title, titles)
	return ""
}

// TestTestShowsBothMessages tests a buyer, and wants the page to show what was sent and what came back, of the offer and of the contact.
func TestTestShowsBothMessages(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	id := find(t, p.answers("/buyers/add", []string{"whsec_"}, "name", "Cool Air", "url", newChooser(t), "services", "hvac, handyman"), `/console/buyers/(buyer_[a-z0-9]+)/test`)
	exchanges := func(page string) (list []string) {
		for _, m := range regexp.MustCompile(`(?s)<pre>(.*?)</pre>`).FindAllStringSubmatch(page, -1) {
			list = append(list, html.UnescapeString(m[1]))
		}
		return list
	}
	both := exchanges(p.answers("/buyers/"+id+"/test", []string{"Understood accept", "Status 200", "Took", "Then the made-up contact was delivered"}, "service", "hvac", "zip", "33139", "deliver", "true"))
	for i, text := range []string{`"type": "lead.offered"`, `"decision": "accept"`, `"type": "lead.delivered"`, `"ref": "job 7"`} {
		if i >= len(both) || !strings.Contains(both[i], text) {
			t.Errorf("text %d has no %s: %q", i, text, both)
		}
	}
	declined := exchanges(p.answers("/buyers/"+id+"/test", []string{"its answer was understood", "Understood reject", "Code out of area"}, "service", "handyman", "zip", "33139", "deliver", "true"))
	if len(declined) != 2 || !strings.Contains(declined[0], `"lead.offered"`) || !strings.Contains(declined[1], `"out_of_area"`) {
		t.Errorf("the declined offer: %q", declined)
	}
}
