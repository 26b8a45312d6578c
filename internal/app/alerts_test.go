package app_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/config"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/smtp"
	"foyer/test/stopwatch"
)

// httpsUntil is a web server with a certificate that ends at a time.
func httpsUntil(t *testing.T, ends time.Time) (url string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: ends.Add(-90 * 24 * time.Hour), NotAfter: ends, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// firing are the titles and texts of what fires of a rule.
func firing(t *testing.T, st *store.Store, rule alert.Name) (list []string) {
	t.Helper()
	if err := st.View(t.Context(), func(tx *store.Tx) error {
		states, err := tx.Alerts().States()
		for _, s := range states {
			if s.Rule == rule {
				list = append(list, s.Title+". "+s.Text)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// factsOf are the facts with a name.
func factsOf(t *testing.T, st *store.Store, name string) (list []store.AlertFact) {
	t.Helper()
	if err := st.View(t.Context(), func(tx *store.Tx) (err error) { list, err = tx.Alerts().Facts(); return err }); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(f store.AlertFact) bool { return f.Name != name })
}

// TestCertificateIsWatched wants to hear of a certificate that ends in three days, or has ended, and nothing about one of three months.
func TestCertificateIsWatched(t *testing.T) {
	t.Parallel()
	for left, want := range map[time.Duration]string{
		3*24*time.Hour + time.Hour: "the certificate ends in 3 days. Browsers refuse 127.0.0.1:",
		-time.Hour:                 "the certificate has ended. Browsers refuse 127.0.0.1:",
		90 * 24 * time.Hour:        "",
	} {
		ends := time.Now().Add(left)
		st := apptest.Start(t, "--base-url", httpsUntil(t, ends)).OpenStore(t)
		if !eventually(func() bool { return len(factsOf(t, st, store.FactCertificate)) == 1 }) {
			t.Fatal("the certificate is not looked at")
		}
		if f := factsOf(t, st, store.FactCertificate)[0]; f.Value != ends.Unix() {
			t.Errorf("it ends at %d, want %d", f.Value, ends.Unix())
		}
		if want == "" {
			continue // the rule is tested in package alert
		}
		if !eventually(func() bool { return len(firing(t, st, alert.CertificateEnds)) > 0 }) || !strings.HasPrefix(firing(t, st, alert.CertificateEnds)[0], want) {
			t.Errorf("with %v left fires %q, want %q", left, firing(t, st, alert.CertificateEnds), want)
		}
	}
}

// TestCertificateStaysKnown keeps what is known of a certificate while it cannot be asked for once.
func TestCertificateStaysKnown(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	st := storetest.Open(t, database)
	looked := time.Now().Add(-13 * time.Hour).Truncate(time.Microsecond)
	known := store.AlertFact{Name: store.FactCertificate, Subject: "127.0.0.1:1", At: looked, Value: time.Now().Add(73 * time.Hour).Unix()}
	if err := st.Update(t.Context(), func(tx *store.Tx) error { return tx.Alerts().PutFact(known) }); err != nil {
		t.Fatal(err)
	}
	apptest.StartOn(t, database, "--base-url", "https://127.0.0.1:1") // nobody listens there
	if !eventually(func() bool { return len(firing(t, st, alert.CertificateEnds)) > 0 }) {
		t.Fatal("it is not known any more that the certificate ends")
	}
	if facts := factsOf(t, st, store.FactCertificate); len(facts) != 1 || facts[0].Value != known.Value {
		t.Errorf("what is known: %+v", facts)
	}
}

// TestDiskIsWatched wants each machine to report its free space, and to hear of one that is nearly full.
func TestDiskIsWatched(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	st := storetest.Open(t, database)
	if err := st.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Alerts().PutFact(store.AlertFact{Name: store.FactDiskFree, Subject: "elsewhere", At: time.Now(), Value: 4})
	}); err != nil {
		t.Fatal(err)
	}
	apptest.StartOn(t, database)
	if !eventually(func() bool { return len(factsOf(t, st, store.FactDiskFree)) == 2 }) {
		t.Fatal("the machine does not report its free space")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	reported := factsOf(t, st, store.FactDiskFree)
	i := slices.IndexFunc(reported, func(f store.AlertFact) bool { return strings.HasPrefix(f.Subject, host+" ") })
	if i < 0 {
		t.Fatalf("the reports are of %+v, want one of %s", reported, host)
	}
	if free := app.FreeSpace(filepath.Dir(strings.TrimPrefix(database, "sqlite:"))); free < 0 || free > 100 || max(free-reported[i].Value, reported[i].Value-free) > 5 { // other tests write, too
		t.Errorf("%d %% is free, reported %d", free, reported[i].Value)
	}
	const want = "the disk of elsewhere is nearly full. 4 % of it is free."
	if !eventually(func() bool {
		return slices.ContainsFunc(firing(t, st, alert.DiskFull), func(s string) bool { return strings.HasPrefix(s, want) })
	}) {
		t.Errorf("fires %q, want %q", firing(t, st, alert.DiskFull), want)
	}
	if free := app.FreeSpace("/nowhere/at/all"); free != -1 {
		t.Errorf("a folder that is not there has %d %%", free)
	}
}

// TestFailedRequestsFire breaks a table for a moment: three requests that fail are reported, and fire. What is the client's fault does not
// count.
func TestFailedRequestsFire(t *testing.T) {
	t.Parallel()
	d := newData(t)
	a, err := app.New(t.Context(), config.Settings{Data: d, RateLimit: config.Rate{Off: true}}, "127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stopped, stop := context.WithCancel(context.Background())
		stop()
		if err := a.Run(stopped); err != nil {
			t.Error(err)
		}
	})
	st := storetest.Open(t, string(d.Database))
	send := func(want int, r apptest.Request) {
		t.Helper()
		res := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/v1/intake", strings.NewReader(r.JSON()))
		req.Header.Set("Content-Type", "application/json")
		if a.Handler().ServeHTTP(res, req); res.Code != want {
			t.Errorf("%d %s, want %d", res.Code, res.Body, want)
		}
	}
	look := func() []string {
		t.Helper()
		if err := errors.Join(a.ReportFacts(t.Context()), a.LookForAlerts(t.Context())); err != nil {
			t.Fatal(err)
		}
		return firing(t, st, alert.IntakeErrors)
	}
	for range 3 {
		send(http.StatusUnprocessableEntity, apptest.Request{With: map[string]any{"zip_code": "1"}})
	}
	if got := look(); len(got) > 0 {
		t.Errorf("requests that are wrong: %q", got)
	}
	storetest.MustExec(t, string(d.Database), "ALTER TABLE new_leads RENAME TO new_leads_away")
	for range 3 {
		send(http.StatusInternalServerError, apptest.Request{})
	}
	storetest.MustExec(t, string(d.Database), "ALTER TABLE new_leads_away RENAME TO new_leads")
	send(http.StatusAccepted, apptest.Request{})
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	want := "requests fail on " + host + ". 3 requests could not be taken in within ten minutes. The log of the service says why."
	if got := look(); !slices.Equal(got, []string{want}) {
		t.Errorf("fires %q, want %q", got, want)
	}
	storetest.MustExec(t, string(d.Database), "UPDATE alert_facts SET at = at - 660000000") // a machine that reports nothing any more
	if err := a.LookForAlerts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := firing(t, st, alert.IntakeErrors); len(got) > 0 {
		t.Errorf("eleven minutes later fires %q", got)
	}
}

// TestStopWhileMailing stops a service whose mail server hangs: it ends soon, and the next one sends the alert at once.
func TestStopWhileMailing(t *testing.T) {
	t.Parallel()
	hanging, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hanging.Close() })
	database := storetest.Database(t)
	now := time.Now().Truncate(time.Microsecond)
	st := storetest.Open(t, database)
	if err := st.Update(t.Context(), func(tx *store.Tx) error {
		return errors.Join(
			tx.Alerts().AddWay(alert.Way{ID: "way_1", Kind: alert.Mail, Address: "ops@example.com", CreatedAt: now, CreatedBy: "cli:ada"}),
			tx.Alerts().AddMessage(store.AlertMessage{ID: "alert_1", Way: "way_1", NextAt: now, Message: alert.Message{Kind: alert.Fired, Title: "it is down", At: now}}),
		)
	}); err != nil {
		t.Fatal(err)
	}
	var conn net.Conn
	var watch *stopwatch.Stopwatch
	t.Run("hanging", func(t *testing.T) {
		apptest.StartOn(t, database, "--smtp", "smtp://"+hanging.Addr().String(), "--mail-from", "foyer@example.com")
		if conn, err = hanging.Accept(); err != nil {
			t.Fatal(err)
		}
		watch = stopwatch.Start()
	})
	defer conn.Close()
	if took := watch.Stop(); took > 9*time.Second {
		t.Errorf("the stop took %v", took)
	}
	server := smtp.Start(t)
	apptest.StartOn(t, database, "--smtp", "smtp://"+server.Addr, "--mail-from", "foyer@example.com")
	if !eventually(func() bool { return len(server.Mails()) == 1 }) {
		t.Error("the next process does not send it at once")
	}
}
