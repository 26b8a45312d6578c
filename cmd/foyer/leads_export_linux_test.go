package main_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestExportsNeedLittleMemory lists ten times as many leads with about the same memory.
func TestExportsNeedLittleMemory(t *testing.T) {
	storetest.Long(t)
	storetest.Parallel(t)
	const many = 50_000
	onEachEngine(t, func(t *testing.T, o cli) {
		o.run("db", "migrate")
		o.run("keys", "init")
		before := make(map[string]int)
		for _, leads := range []int{many / 10, many} {
			addLeads(t, o.database, leads)
			for _, format := range []string{"--csv", "--json"} {
				lines, peak := o.export(format)
				if format == "--csv" {
					lines-- // the heading
				}
				if lines != leads || before[format] > 0 && peak > before[format]*5/4 {
					t.Errorf("%s: %d lines of %d leads, with %d kB of memory; fewer leads needed %d", format, lines, leads, peak, before[format])
				}
				before[format] = peak
			}
		}
	})
}

// addLeads adds leads to a database until there are so many.
func addLeads(t *testing.T, database string, leads int) {
	t.Helper()
	raw := storetest.Raw(t, database)
	if storetest.QueryInt(t, raw, `SELECT COUNT(*) FROM leads`) == 0 {
		storetest.Save(t, storetest.Open(t, database), storetest.FullLead("lead_0"))
	}
	there := storetest.QueryInt(t, raw, `SELECT COUNT(*) FROM leads`)
	storetest.MustExec(t, database, fmt.Sprintf(`INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence, source)
		WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT 'lead_' || i, status, created_at + i, updated_at, service_type, zip_code, marks, job, contact, evidence, source FROM leads CROSS JOIN n WHERE id = 'lead_0'`, there, leads-1))
}

var peakPattern = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// export lists all leads with their contacts, and returns how many lines that are, and the most memory that the command had in kB.
func (o cli) export(format string) (lines, peak int) {
	o.t.Helper()
	cmd := exec.Command(binary.Program, "leads", "list", "--all", "--contact", format, "--database", o.database)
	cmd.Env = binary.EnvironmentOf(cmd)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		o.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	for all := bufio.NewScanner(out); all.Scan(); lines++ {
		if lines%1_000 != 0 {
			continue
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if found := peakPattern.FindSubmatch(status); found != nil { // not at the end, when it is over
			peak, _ = strconv.Atoi(string(found[1]))
		}
	}
	if err := cmd.Wait(); err != nil || peak == 0 {
		o.t.Fatal(err, peak)
	}
	return lines, peak
}

// TestExportOnTerminal shows how far an export into a file has come.
func TestExportOnTerminal(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	o.run("db", "migrate")
	o.run("keys", "init")
	addLeads(t, o.database, 5_000)
	out, file, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := startOnTerminal(t, file, "leads", "list", "--all", "--csv", "--database", o.database)
	file.Close()
	all, lines := bufio.NewScanner(out), 0
	for ; lines < 2_000 && all.Scan(); lines++ {
	}
	s.waitFor(" a second") // nobody reads on, and the command waits
	for ; all.Scan(); lines++ {
	}
	text, code := s.wait()
	if code != 0 || lines != 5_001 || !regexp.MustCompile(`\r\x1b\[Klisting leads: [2-5],\d00 leads, [\d,]+ a second`).MatchString(text) || !strings.HasSuffix(text, "\r\x1b[K") {
		t.Errorf("exit %d, %d lines: %q", code, lines, text)
	}
}
