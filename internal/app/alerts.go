package app

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"foyer/internal/alerter"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/console/pages/page"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// alertGrace is how long an alert that is being sent may take when the service stops, like a message to a buyer.
const alertGrace = 5 * time.Second

// setUpAlerts builds what looks for alerts and sends them.
func (a *App) setUpAlerts(s config.Settings) {
	console := a.consoleURL + page.Prefix
	if s.Console == "off" {
		console = ""
	}
	a.operator.SendAlert = alertSender(a.brand, console, s.Mail, a.sender).Send
	a.alerter = &alerter.Alerter{Store: a.store, Send: a.operator.SendAlert, NewID: newID, Now: clock, Grace: alertGrace, Log: a.log}
	if u, err := url.Parse(a.brand.BaseURL); err == nil && u.Scheme == "https" {
		a.alerter.Host = u.Host
	}
	if file, ok := strings.CutPrefix(string(s.Database), "sqlite:"); ok {
		a.disk = filepath.Dir(file)
	}
}

// UseMail gives the commands of an operator a mail server, and the address that links in messages begin with.
func (o *Operator) UseMail(brand catalog.Brand, c config.ConsoleListener, m config.Mail) {
	o.SendAlert = alertSender(brand, ConsoleURL(brand, c)+page.Prefix, m, o.sender).Send
}

func alertSender(brand catalog.Brand, console string, m config.Mail, sender *webhook.Sender) alerter.Sender {
	s := alerter.Sender{Brand: brand.Name, Console: console, Post: sendNow(sender), Now: clock}
	if server := m.Sender(); server != nil {
		s.Mail = server.Send
	}
	return s
}

// recentCount counts what happened in the last minutes.
type recentCount struct {
	mu    sync.Mutex
	times []time.Time // of the last ones, oldest first
}

const (
	recentSpan = 10 * time.Minute
	mostRecent = 10_000 // more is many
)

func (c *recentCount) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.times) < mostRecent {
		c.times = append(c.times, clock())
	}
}

// count forgets what is long ago, and counts the rest.
func (c *recentCount) count(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := 0
	for old < len(c.times) && now.Sub(c.times[old]) > recentSpan {
		old++
	}
	c.times = append(c.times[:0], c.times[old:]...)
	return len(c.times)
}

// reportFacts is the job by which each process reports what only it knows. The process that looks for alerts reads it.
func (a *App) reportFacts() job {
	last, lastAt := [2]int64{-1, -1}, time.Time{}
	return job{"report what alerts are about", time.Minute, func(ctx context.Context, _ time.Time) error {
		now := clock()
		facts := [2]int64{int64(a.intakeErrors.count(now)), freeSpace(a.disk)}
		if facts == last && now.Sub(lastAt) < recentSpan/2 { // the row is still fresh enough
			return nil
		}
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		subject := host + " " + a.owner // several processes may run on a machine
		err = a.store.Update(ctx, func(tx *store.Tx) error {
			err := tx.Alerts().PutFact(store.AlertFact{Name: store.FactIntakeErrors, Subject: subject, At: now, Value: facts[0]})
			if err != nil || facts[1] < 0 {
				return err
			}
			return tx.Alerts().PutFact(store.AlertFact{Name: store.FactDiskFree, Subject: subject, At: now, Value: facts[1]})
		})
		if err == nil {
			last, lastAt = facts, now
		}
		return err
	}}
}

// freeSpace is how much of the disk with a folder is free, in percent: -1 if that is unknown.
func freeSpace(folder string) int64 {
	var disk syscall.Statfs_t
	if folder == "" || syscall.Statfs(folder, &disk) != nil || disk.Blocks == 0 { // some network disks report no sizes
		return -1
	}
	return int64(disk.Bavail * 100 / disk.Blocks)
}

// lookForAlerts evaluates the rules.
func (a *App) lookForAlerts(ctx context.Context, j *store.Job, now time.Time) error {
	if err := a.checkCertificate(ctx, j, now); err != nil {
		return err
	}
	return a.alerter.Look(ctx, j.Update)
}

// certificateInterval is how often the certificate of the base URL is looked at.
const certificateInterval = 12 * time.Hour

// checkCertificate notes until when the certificate of the base URL is valid. That it cannot be reached from here says nothing: it may be
// behind a proxy that only the outside sees.
func (a *App) checkCertificate(ctx context.Context, j *store.Job, now time.Time) error {
	if a.alerter.Host == "" {
		return nil
	}
	due, known := true, false
	err := a.store.View(ctx, func(tx *store.Tx) error {
		facts, err := tx.Alerts().Facts()
		for _, f := range facts {
			if f.Name != store.FactCertificate || f.Subject != a.alerter.Host {
				continue
			}
			age := now.Sub(f.At)
			due = age < 0 || age >= certificateInterval
			known = f.Value > 0 && age >= 0 && age < store.CertificateMaxAge
		}
		return err
	})
	if err != nil || !due {
		return err
	}
	ends := certificateEnd(ctx, a.alerter.Host)
	if ends == 0 && known { // one connection that fails takes nothing back
		return nil
	}
	return j.Update(ctx, func(tx *store.Tx) error {
		return tx.Alerts().PutFact(store.AlertFact{Name: store.FactCertificate, Subject: a.alerter.Host, At: now, Value: ends})
	})
}

// certificateEnd returns until when the certificate of a host is valid, in seconds since 1970: 0 if it could not be asked. The certificate
// is not verified, because one that has ended is what the operator must hear of; nothing is sent.
func certificateEnd(ctx context.Context, host string) int64 {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name, host = host, net.JoinHostPort(host, "443")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{ServerName: name, InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return 0
	}
	defer conn.Close()
	certificates := conn.(*tls.Conn).ConnectionState().PeerCertificates
	if len(certificates) == 0 {
		return 0
	}
	return certificates[0].NotAfter.Unix()
}

// sendInterval is how often a process looks whether an alert is to be sent.
const sendInterval = 5 * time.Second

// sendAlerts is the job that sends messages about alerts. It takes its lease only when there is something to send.
func (a *App) sendAlerts() job {
	leader := a.leaderJob("send alerts", 0, func(ctx context.Context, j *store.Job, _ time.Time) error { return a.alerter.Deliver(ctx, j.Update) })
	return job{leader.name, sendInterval, func(ctx context.Context, now time.Time) error {
		due, err := a.alerter.Due(ctx)
		if err != nil || !due {
			return err
		}
		return leader.run(ctx, now)
	}}
}
