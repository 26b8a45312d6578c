package main_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// sourceWorld is a service with a buyer and three sources.
type sourceWorld struct {
	*process
	cli
	buyer                     *testBuyer
	partner, letter, rejected string // keys
	flags                     []string
	folder                    string
	persons                   int
}

const letterWords = "Letter Example and the contractors that it works with may call or text me about this request."

func newSourceWorld(t *testing.T) *sourceWorld {
	w := &sourceWorld{buyer: newTestBuyer(t), folder: t.TempDir(), flags: []string{"--allow-private-buyers", "--rate-limit", "off"}}
	w.process = serve(t, w.folder, w.flags...)
	w.cli = cli{t, w.Database}
	_, secret := w.addBuyer("--name", "Cool Air", "--url", w.buyer.URL, "--services", "hvac", "--price", "hvac=45.00", "--allow-private-buyers")
	w.buyer.answerWith(w.buyer.answer, secret)
	w.partner = w.addSource("Partner Example", "--cost", "12.50", "--cap-day", "2", "--origins", "https://partner.example.com")
	w.letter = w.addSource("Letter", "--consent", letterWords)
	w.rejected = w.addSource("Rejected", "--cost", "1.00")
	w.run("sources", "block", "rejected")
	time.Sleep(1500 * time.Millisecond) // until the service knows the buyer and the sources
	return w
}

var costPattern = regexp.MustCompile(`"cost_cents":[0-9]+`)

var sourceKey = regexp.MustCompile(`src_[a-z2-7]{10}`)

func (w *sourceWorld) addSource(args ...string) string {
	w.cli.t.Helper()
	return sourceKey.FindString(w.run(append([]string{"sources", "add"}, args...)...))
}

// send posts a request of another person, with some headers, and returns the lead.
func (w *sourceWorld) send(path, contentType, format string, headers ...string) lead.Lead {
	w.cli.t.Helper()
	w.persons++
	req, err := http.NewRequest("POST", w.URL+path, strings.NewReader(fmt.Sprintf(format, w.persons)))
	if err != nil {
		w.cli.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := binary.Client.Do(req)
	if err != nil || res.StatusCode >= 400 {
		w.cli.t.Fatal(res, err)
	}
	res.Body.Close()
	return w.Leads()[0]
}

const (
	sourceJSON = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-01%02d","consent_to_contact":true}`
	sourceForm = "service_type=hvac&zip_code=33139&customer_name=Pat+Example&customer_phone=305-555-01%02d&consent_to_contact=on"
	sourceTool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":` + sourceJSON + `}}`
)

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

func hiddenFields(page []byte) url.Values {
	fields := url.Values{}
	for _, f := range hiddenField.FindAllStringSubmatch(string(page), -1) {
		fields.Set(f[1], html.UnescapeString(f[2]))
	}
	return fields
}

// TestSources follows leads from a partner's link to the margin.
func TestSources(t *testing.T) {
	storetest.Parallel(t)
	w := newSourceWorld(t)
	want := func(l lead.Lead, source string, marks ...lead.Mark) {
		t.Helper()
		if l.Source != source || !slices.Equal(l.Marks, marks) || l.Status == lead.Collected {
			t.Errorf("%s is %s from %q with %v, want %q and %v", l.ID, l.Status, l.Source, l.Marks, source, marks)
		}
	}
	jsonType := "application/json"
	want(w.send("/v1/intake", jsonType, sourceJSON), "")
	want(w.send("/v1/intake", jsonType, sourceJSON, "Foyer-Source", w.partner), w.partner)
	want(w.send("/mcp", jsonType, sourceTool, "Foyer-Source", w.partner, "Accept", "application/json, text/event-stream"), w.partner)
	want(w.send("/v1/intake", jsonType, sourceJSON, "Foyer-Source", w.partner, "Origin", "https://partner.example.com"), w.partner)
	want(w.send("/v1/intake", jsonType, sourceJSON, "Foyer-Source", w.partner, "Origin", "https://other.example.com"), "", lead.SourceBlocked)
	want(w.send("/v1/intake", jsonType, sourceJSON, "Foyer-Source", w.rejected), "", lead.SourceBlocked)
	want(w.send("/v1/intake", jsonType, sourceJSON, "Foyer-Source", "src_nobody"), "", lead.SourceUnknown)

	fields := w.refusedForm(t)
	fromForm := w.send("/v1/intake", "application/x-www-form-urlencoded", sourceForm+"&"+strings.ReplaceAll(fields.Encode(), "%", "%%"), "Sec-Fetch-Site", "same-origin")
	want(fromForm, w.letter)
	if e := fromForm.Evidence; !strings.HasPrefix(e.Consent.Version, "shown-partner-") || e.Campaign != (lead.Campaign{Source: "google", Name: "sprïng & \"summer\""}) || fromForm.Request.Contact.Google != "G-1" {
		t.Errorf("of the form, kept %+v %+v", e, fromForm.Request.Contact)
	}
	if _, page := w.Get("/consent/" + fromForm.Evidence.Consent.Hash); !strings.Contains(string(page), letterWords) {
		t.Errorf("the wording is not shown:\n%s", page)
	}
	for _, message := range w.buyer.messagesAbout(fromForm.ID) {
		if strings.Contains(fmt.Sprint(message), "src_") || strings.Contains(fmt.Sprint(message), "G-1") {
			t.Errorf("the buyer was told where the lead came from: %+v", message)
		}
	}
	w.compareReports(t)
	w.compareErased(t, fromForm.ID)
	w.run("db", "check")
}

// refusedForm opens the form by a letter's link, sends it with nothing filled in, and returns the hidden fields of the form that is shown
// again.
func (w *sourceWorld) refusedForm(t *testing.T) url.Values {
	t.Helper()
	link := url.Values{"source": {w.letter}, "utm_source": {"google"}, "utm_campaign": {`sprïng & "summer"`}, "gclid": {"G-1"}, "service_type": {"hvac"}, "page": {"1"}}
	request, err := http.NewRequest("GET", w.URL+"/?"+link.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "text/html")
	status, page, _ := w.read(request)
	if status != http.StatusOK || !strings.Contains(string(page), letterWords) || !strings.Contains(string(page), `value="hvac" required checked`) {
		t.Fatalf("the form of the letter: %d\n%s", status, page)
	}
	again, err := http.NewRequest("POST", w.URL+"/v1/intake", strings.NewReader(hiddenFields(page).Encode()))
	if err != nil {
		t.Fatal(err)
	}
	again.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	again.Header.Set("Accept", "text/html")
	status, page, _ = w.read(again)
	if status != http.StatusUnprocessableEntity || !strings.Contains(string(page), letterWords) {
		t.Fatalf("the form again: %d\n%s", status, page)
	}
	time.Sleep(lead.FormTokenMinAge + time.Second/5)
	return hiddenFields(page)
}

func (w *sourceWorld) read(r *http.Request) (int, []byte, http.Header) {
	w.cli.t.Helper()
	res, err := binary.Client.Do(r)
	return w.Read(res, err)
}

// compareReports wants the reports to say what was sent: nine leads, of which all are sold, and two that cost something.
func (w *sourceWorld) compareReports(t *testing.T) {
	t.Helper()
	storetest.Eventually(t, "all leads are sold", func() bool { return strings.Count(w.run("leads", "list"), "forwarded") == w.persons })
	w.Stop()
	w.process = serve(t, w.folder, w.flags...) // its jobs run at once, and then every 15 seconds
	storetest.Eventually(t, "everything is counted", func() bool { return strings.Contains(w.run("db", "status", "--json"), `"not_counted": 0`) })
	_, table, _ := strings.Cut(w.run("report", "sources"), "\n\n")
	wantOutput(t, table, `
SOURCE           LEADS  SOLD  SHARE  HELD  REVENUE  PAID FOR  COST    MARGIN
direct           4      4     100 %  0     $180.00  0         $0.00   $180.00
Partner Example  3      3     100 %  0     $135.00  2         $25.00  $110.00
Letter           1      1     100 %  0     $45.00   0         $0.00   $45.00
all              8      8     100 %  0     $360.00  2         $25.00  $335.00
`)
	_, table, _ = strings.Cut(w.run("report", "sources", "--by", "campaign"), "\n\n")
	wantOutput(t, table, `
CAMPAIGN                             LEADS  SOLD  SHARE  HELD
google / (none) / sprïng & "summer"  1      1     100 %  0     ########
`, "▇", "#")
	if text := w.run("report", "leads", "--by", "service"); !strings.Contains(text, "$360.00  $25.00  $335.00") {
		t.Errorf("report leads:\n%s", text)
	}
	for filter, n := range map[string]int{"Partner Example": 3, w.letter: 1, "direct": 4, "rejected": 0, "letter,direct": 5} {
		if text := w.run("leads", "list", "--source", filter, "--json"); strings.Count(text, "lead_id") != n {
			t.Errorf("leads of %s, want %d:\n%s", filter, n, text)
		}
	}
	if line := w.runFailing(1, "leads", "list", "--source", "nobody"); !strings.Contains(line, `no source with the name or key "nobody"`) {
		t.Errorf("an unknown source: %q", line)
	}
	costs := []string{}
	for line := range strings.Lines(w.run("leads", "list", "--source", w.partner, "--json")) {
		costs = append(costs, costPattern.FindString(line))
	}
	if slices.Sort(costs); !slices.Equal(costs, []string{`"cost_cents":0`, `"cost_cents":1250`, `"cost_cents":1250`}) {
		t.Errorf("the leads of the partner cost %v", costs)
	}
	show := w.run("sources", "show", "partner example")
	for _, text := range []string{"/?source=" + w.partner, "Foyer-Source: " + w.partner, "2 a day", "https://partner.example.com", "$110.00"} {
		if !strings.Contains(show, text) {
			t.Errorf("sources show has no %q:\n%s", text, show)
		}
	}
}

// compareErased wants an erasure to leave the source, and nothing else that the link said.
func (w *sourceWorld) compareErased(t *testing.T, id string) {
	t.Helper()
	for _, args := range [][]string{{"leads", "show", id}, {"leads", "list", "--id", id, "--contact", "--csv"}} {
		if text := w.run(args...); !strings.Contains(text, "G-1") || !strings.Contains(text, "google") || !strings.Contains(text, w.letter) {
			t.Errorf("%v:\n%s", args, text)
		}
	}
	if text := w.run("leads", "list", "--id", id, "--csv"); strings.Contains(text, "G-1") || strings.Contains(text, "google") || !strings.Contains(text, w.letter) {
		t.Errorf("an export without personal details:\n%s", text)
	}
	w.run("leads", "erase", id)
	if text := w.run("leads", "show", id, "--json"); strings.Contains(text, "G-1") || strings.Contains(text, "google") || !strings.Contains(text, w.letter) {
		t.Errorf("after the erasure:\n%s", text)
	}
}

// A blocked source's leads can be held, and released.
func TestHeldSource(t *testing.T) {
	storetest.Parallel(t)
	w := newSourceWorld(t)
	w.run("sources", "block", w.rejected, "--hold")
	time.Sleep(1500 * time.Millisecond)
	l := w.send("/v1/intake", "application/json", sourceJSON, "Foyer-Source", w.rejected)
	if l.Status != lead.Collected || !slices.Equal(l.Marks, []lead.Mark{lead.SourceHeld}) || l.Evidence.SourceKey != w.rejected {
		t.Fatalf("stored as %+v", l)
	}
	w.run("buyers", "edit", "Cool Air", "--priority", "7") // held leads are looked at again
	w.run("sources", "unblock", w.rejected)
	time.Sleep(1500 * time.Millisecond)
	if text := w.run("leads", "list", "--mark", "source_held"); !strings.Contains(text, "collected") {
		t.Errorf("it is not held:\n%s", text)
	}
	w.run("leads", "release", l.ID)
	storetest.Eventually(t, "the lead is sold", func() bool { return w.Leads()[0].Status == lead.Forwarded })
	if next := w.send("/v1/intake", "application/json", sourceJSON, "Foyer-Source", w.rejected); next.Source != w.rejected {
		t.Errorf("after it was unblocked: %+v", next)
	}
}

// TestSourceErrors wants to be told what to write instead.
func TestSourceErrors(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	if text := o.run("sources", "add", "Letter"); !strings.Contains(text, "/?source=src_") {
		t.Errorf("added: %s", text)
	}
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{1, "add LETTER", `"Letter" is the name of src_`},
		{1, "add Direct", "direct is what leads without a source are called"},
		{1, "add src_1", "src_ begins a key"},
		{2, "add Other --origins https://münchen.example", "xn--"},
		{2, "add Other --consent x --consent-file y", "give one of them"},
		{2, "add Other --cost much", `--cost: "much" is not an amount`},
		{2, "add Other --cost -5", "--cost"},
		{2, "add Other --cap-day -1", "write a number from 0 to"},
		{2, "add Other --origins partner.example.com", "write https:// and a host"},
		{2, "add Other --consent ok", "--consent: it has 2 characters"},
		{2, "add Other --consent-file /nowhere/text", "no such file"},
		{2, "edit Letter", "nothing to change"},
		{1, "edit Nobody --cost 5", "There is no source with this name or key"},
		{1, "show Nobody", "There is no source with this name or key"},
		{1, "block Nobody", "There is no source with this name or key"},
	} {
		if line := o.runFailing(c.code, append([]string{"sources"}, strings.Fields(c.args)...)...); !strings.Contains(line, c.want) {
			t.Errorf("sources %s: %q, want %q", c.args, line, c.want)
		}
	}
}
