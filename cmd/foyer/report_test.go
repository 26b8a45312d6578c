package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
)

// TestReports sells some leads, and wants every report to agree about them.
func TestReports(t *testing.T) {
	storetest.Parallel(t)
	c, folder := newTestBuyer(t), t.TempDir()
	flags := []string{"--allow-private-buyers", "--rate-limit", "off", "--time-zone", "America/New_York"}
	p := serve(t, folder, flags...)
	o := cli{t, p.Database}
	fresh := newCLI(t)
	fresh.run("db", "migrate")
	if line := fresh.runFailing(1, "report", "leads"); !strings.Contains(line, "Nothing is counted yet") {
		t.Errorf("before a service ran: %q", line)
	}
	id, secret := o.addBuyer("--name", "Cool Air", "--url", c.URL, "--services", "hvac", "--zips", "331*", "--price", "hvac=45.00", "--cap-day", "3", "--allow-private-buyers")
	c.answerWith(c.answer, secret)
	time.Sleep(1500 * time.Millisecond) // until the service knows the buyer
	person := 0
	submit := func(n int, service, zip string) {
		for range n {
			person++
			status, body, _ := p.Post("/v1/intake", "application/json", fmt.Sprintf(
				`{"service_type":%q,"zip_code":%q,"customer_name":"Pat Example","customer_phone":"305-555-01%02d","consent_to_contact":true}`, service, zip, person))
			if status/100 != 2 {
				t.Fatalf("%s in %s: %d %s", service, zip, status, body)
			}
		}
	}
	submit(5, "hvac", "33139")         // three are sold, two are above the cap
	submit(2, "hvac", "30303")         // nobody covers Georgia
	submit(1, "pest_control", "33139") // nobody covers it
	submit(1, "plumbing", "33139")     // dials
	storetest.Eventually(t, "three leads are sold", func() bool { return strings.Count(o.run("leads", "list", "--buyer", "Cool Air"), "forwarded") == 3 })
	p.Stop()
	p = serve(t, folder, flags...) // its jobs run at once, and then every 15 seconds
	storetest.Eventually(t, "everything is counted", func() bool { return strings.Contains(o.run("db", "status", "--json"), `"not_counted": 0`) })
	now := time.Now().In(mustLoad(t, "America/New_York"))
	names := []string{now.Format(time.DateOnly), "YYYY-MM-DD", id, "BUYER", "▇", "#"}
	text := func(args ...string) string {
		_, table, _ := strings.Cut(o.run(append([]string{"report"}, args...)...), "\n\n")
		return table
	}
	wantOutput(t, text("leads"), `
DAY         LEADS  SOLD  SHARE  HELD  WAITING  CALLED  ERROR  CLOSED  REVENUE
YYYY-MM-DD  9      3     38 %   5     0        1       0      0       $135.00  ########
all         9      3     38 %   5     0        1       0      0       $135.00
`, names...)
	wantOutput(t, text("leads", "--by", "service"), `
SERVICE       LEADS  SOLD  SHARE  HELD  WAITING  CALLED  ERROR  CLOSED  REVENUE
hvac          7      3     43 %   4     0        0       0      0       $135.00  ########
pest_control  1      0     0 %    1     0        0       0      0       $0.00    ##
plumbing      1      0     -      0     0        1       0      0       $0.00    ##
all           9      3     38 %   5     0        1       0      0       $135.00
`, names...)
	wantOutput(t, text("coverage"), `
STATE  DEMAND  SOLD  UNCOVERED  MONEY  CAPS  HOURS  SILENT  PAUSED  DECLINED  OTHER  REVENUE
GA     2       0     2          0      0     0      0       0       0         0      $0.00
FL     6       3     1          0      2     0      0       0       0         0      $135.00
all    8       3     3          0      2     0      0       0       0         0      $135.00
`, names...)
	wantOutput(t, text("coverage", "--by", "zip", "--state", "fl", "--service", "pest-control"), `
ZIP    DEMAND  SOLD  UNCOVERED  MONEY  CAPS  HOURS  SILENT  PAUSED  DECLINED  OTHER  REVENUE
33139  1       0     1          0      0     0      0       0       0         0      $0.00
all    1       0     1          0      0     0      0       0       0         0      $0.00
`, names...)
	wantOutput(t, text("buyers"), `
BUYER     OFFERED  ACCEPTED         DELIVERED  FAILED  RETURNED  REVENUE
Cool Air  3        3         100 %  3          0       0         $135.00
`, names...)
	if head := o.run("report", "speed"); !strings.Contains(head, "in days of America/New_York. All leads are counted.") || !strings.Contains(head, now.Format(time.DateOnly)+"  3 ") {
		t.Errorf("speed:\n%s", head)
	}
	wantOutput(t, o.run("report", "leads", "--by", "month", "--csv"), fmt.Sprintf(`
month,received,sold,call_to_connect,waiting,uncovered,no_money,capped,after_hours,unanswered,paused,declined,unwanted,withheld,error,closed,demand,revenue_cents,cost_cents,margin_cents,time_zone,clock
%s,9,3,1,0,3,0,2,0,0,0,0,0,0,0,0,8,13500,0,13500,America/New_York,when leads were received
`, now.Format("2006-01")))
	wantOutput(t, o.run("report", "buyers", "--json"), `{"buyer_id":"BUYER","buyer_name":"Cool Air","offered":3,"accepted":3,"accept_rate":1,"delivered":3,"failed":0,"returned":0,"charged_cents":13500,"credited_cents":0,"revenue_cents":13500,"declines":{},"time_zone":"America/New_York","clock":"when offers were made; answers when they came"}`+"\n", names...)
	if text := o.run("leads", "list", "--outcome", "uncovered,capped", "--service", "hvac"); strings.Count(text, "lead_") != 4 {
		t.Errorf("leads behind a number:\n%s", text)
	}
	// A shell without the setting of the service means the same days.
	if text := o.run("leads", "list", "--received", now.Format(time.DateOnly)); strings.Count(text, now.Format(" MST")) != 9 {
		t.Errorf("leads of today in New York:\n%s", text)
	}
	if text := o.run("statements", "show", "Cool Air", "--json"); !strings.Contains(text, `"time_zone":"America/New_York"`) && !strings.Contains(text, `"time_zone": "America/New_York"`) {
		t.Errorf("statement: %s", text)
	}
	if text := o.run("statements", "show", "Cool Air", "--json", "--time-zone", "UTC"); !strings.Contains(text, `"UTC"`) {
		t.Errorf("statement in UTC: %s", text)
	}
	o.run("db", "check")
	for _, c := range [][2]string{
		{"leads --from soon", `--from: "soon" is no day`},
		{"leads --from 2026-11-05 --to 2026-11-04", "--to: the report would end on 2026-11-04, before it begins"},
		{"coverage --from 2026-01-05 --to 2026-02-03", "write whole months, such as from 2026-01 to 2026-02"},
	} {
		if line := o.runFailing(1, append([]string{"report"}, strings.Fields(c[0])...)...); !strings.Contains(line, c[1]) {
			t.Errorf("%s: %q, want %q", c[0], line, c[1])
		}
	}
	for _, c := range [][2]string{{"coverage --state Gorgia", "--state: not a state"}, {"coverage --by zip", "--state: ZIP codes are listed for a state"}, {"coverage --service roofing", `--service: "roofing" is unknown`}, {"leads --csv --json", "can't be used together"}} {
		if line := o.runFailing(2, append([]string{"report"}, strings.Fields(c[0])...)...); !strings.Contains(line, c[1]) {
			t.Errorf("%s: %q, want %q", c[0], line, c[1])
		}
	}
	if text := o.run("report", "rebuild"); !strings.Contains(text, "in days of America/New_York") {
		t.Errorf("rebuild: %s", text)
	}
	if text := o.run("report", "rebuild", "--time-zone", "UTC"); !strings.Contains(text, "in days of UTC") {
		t.Errorf("rebuild: %s", text)
	}
	p.Stop()
}

func mustLoad(t *testing.T, zone string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return location
}
