package alert

import (
	"cmp"
	"fmt"
	"time"

	"foyer/internal/buyer"
)

// Finding is a rule that fires for a subject.
type Finding struct {
	Rule    Name
	Subject string // the id of a buyer, the name of a machine, or ""
	Name    string // of the subject, as texts show it
	Title   string // one line
	Text    string
	Path    string        // of the page of the console that shows the cause
	Hold    time.Duration // how long it has to last before anybody hears of it
}

// How much has to be there before a rule says anything: with less, chance decides.
const (
	minOffers  = 5  // without a sale
	minSamples = 20 // offers on each side of a comparison
)

// Evaluate returns what fires on the facts.
func Evaluate(f Facts, s Settings, now time.Time) (found []Finding) {
	for _, r := range Rules {
		setting := s.Of(r)
		if !setting.On {
			continue
		}
		for _, finding := range evaluators[r.Name](f, setting.Threshold, now) {
			finding.Rule = r.Name
			finding.Path = cmp.Or(finding.Path, pathOf(r.Name, finding.Subject))
			found = append(found, finding)
		}
	}
	return found
}

// pathOf is where the console shows the cause.
func pathOf(rule Name, subject string) string {
	switch rule {
	case ErrorLeads:
		return "/leads?status=error"
	case ReturnWaiting:
		return "/returns"
	case PrivacyWaiting, PrivacyDue:
		return "/privacy"
	case NoSale:
		return "/reports"
	case IntakeErrors, DiskFull, BackupOld, CertificateEnds:
		return "/health"
	}
	return "/buyers/" + subject
}

type evaluator func(f Facts, threshold int, now time.Time) []Finding

var evaluators = map[Name]evaluator{
	BuyerDown:         ofBuyers(BuyerDown, buyerDown),
	BuyerPaused:       ofBuyers(BuyerPaused, buyerPaused),
	AcceptanceDropped: ofBuyers(AcceptanceDropped, acceptanceDropped),
	CapNear:           ofBuyers(CapNear, capNear),
	BalanceNear:       ofBuyers(BalanceNear, balanceNear),
	NoSale:            noSale,
	ErrorLeads:        errorLeads,
	ReturnWaiting:     returnWaiting,
	PrivacyWaiting:    privacyWaiting,
	PrivacyDue:        privacyDue,
	IntakeErrors:      intakeErrors,
	DiskFull:          diskFull,
	BackupOld:         backupOld,
	CertificateEnds:   certificateEnds,
}

// ofBuyers evaluates a rule for each buyer that it watches.
func ofBuyers(rule Name, evaluate func(b Buyer, threshold int, now time.Time) *Finding) evaluator {
	return func(f Facts, threshold int, now time.Time) (found []Finding) {
		for _, b := range f.Buyers {
			if !b.watched(rule) {
				continue
			}
			b.Name = cmp.Or(Clean(b.Name), b.ID)
			if finding := evaluate(b, threshold, now); finding != nil {
				finding.Subject, finding.Name = b.ID, b.Name
				found = append(found, *finding)
			}
		}
		return found
	}
}

func buyerDown(b Buyer, threshold int, _ time.Time) *Finding {
	if !b.Down {
		return nil
	}
	return &Finding{Title: b.Name + " does not answer", Text: "It failed to answer several times in a row. It is asked again now and then, and gets its leads once it answers.", Hold: time.Duration(threshold) * time.Minute}
}

// buyerPaused is at once about what the service did by itself. What an operator did a minute ago surprises nobody; what was forgotten for a
// day does.
func buyerPaused(b Buyer, threshold int, now time.Time) *Finding {
	switch {
	case b.State == buyer.Off:
		return &Finding{Title: b.Name + " is off", Text: "Its address answered that it is gone (410). It gets no more leads."}
	case b.State == buyer.Paused && b.ByService:
		return &Finding{Title: b.Name + " was paused by the service", Text: "Its address refused our requests. It gets no leads until it is resumed."}
	case b.State == buyer.Paused && !b.StoppedAt.IsZero() && now.Sub(b.StoppedAt) >= time.Duration(threshold)*time.Hour:
		return &Finding{Title: b.Name + " is still paused", Text: "An operator paused it " + since(b.StoppedAt, now) + " ago. It gets no leads until it is resumed."}
	}
	return nil
}

func acceptanceDropped(b Buyer, threshold int, _ time.Time) *Finding {
	if b.Recent.Offered < minSamples || b.Before.Offered < minSamples || b.Before.Accepted == 0 {
		return nil
	}
	recent, before := b.Recent.percent(), b.Before.percent()
	if recent > before*float64(100-threshold)/100 {
		return nil
	}
	return &Finding{Title: b.Name + " accepts fewer leads", Text: fmt.Sprintf("It accepted %.0f %% of %d offers in the last 24 hours, and %.0f %% in the seven days before.", recent, b.Recent.Offered, before)}
}

func (a Accepted) percent() float64 { return float64(a.Accepted) * 100 / float64(a.Offered) }

func capNear(b Buyer, threshold int, _ time.Time) *Finding {
	for _, c := range b.Caps {
		switch {
		case c.Of <= 0 || c.Used*100 < c.Of*int64(threshold):
		case c.Used >= c.Of:
			return &Finding{Title: b.Name + " has used up a cap", Text: "Its cap for " + c.Period + " is reached. It gets no leads until that changes."}
		default:
			return &Finding{Title: b.Name + " has nearly used up a cap", Text: fmt.Sprintf("%d %% of its cap for %s is used. At the cap it gets no more leads.", c.Used*100/c.Of, c.Period)}
		}
	}
	return nil
}

// balanceNear counts in days, because a number of dollars means something else for each buyer.
func balanceNear(b Buyer, threshold int, _ time.Time) *Finding {
	if !b.HasBalance {
		return nil
	}
	switch {
	case b.Left < b.Price || b.Left <= 0:
		return &Finding{Title: "The balance of " + b.Name + " is used up", Text: "It may be charged " + b.Left.String() + " more, less than a lead costs. It gets no leads until it pays."}
	case b.Week > 0 && b.Left*7 < b.Week*buyer.Cents(threshold):
		return &Finding{Title: "The balance of " + b.Name + " runs out", Text: fmt.Sprintf("It may be charged %s more. At the pace of the last seven days that lasts for less than %s.", b.Left, counted(threshold, "day"))}
	}
	return nil
}

// noSale needs offers: without them it was a quiet night, or what keeps buyers from being asked has a rule of its own.
func noSale(f Facts, threshold int, now time.Time) []Finding {
	if f.Offers.N < minOffers || f.Offers.Since.IsZero() || now.Sub(f.Offers.Since) < time.Duration(threshold)*time.Hour {
		return nil
	}
	return []Finding{{Title: "no lead was sold for " + since(f.Offers.Since, now), Text: fmt.Sprintf("Buyers were asked %s since then, and none accepted.", counted(f.Offers.N, "time"))}}
}

func errorLeads(f Facts, threshold int, _ time.Time) []Finding {
	if f.Errors.N < threshold {
		return nil
	}
	text := "They are not sent again by themselves: release each, or send it again."
	if f.Errors.N == 1 {
		text = "It is not sent again by itself: release it, or send it again."
	}
	return []Finding{{Title: f.Errors.of("lead") + " in error", Text: text}}
}

func returnWaiting(f Facts, threshold int, now time.Time) []Finding {
	return waiting(f.Returns, time.Duration(threshold)*time.Hour, now, "return", "waits for a decision", "wait for a decision")
}

func privacyWaiting(f Facts, threshold int, now time.Time) []Finding {
	return waiting(f.Privacy, time.Duration(threshold)*24*time.Hour, now, "privacy request", "is open", "are open")
}

func privacyDue(f Facts, threshold int, now time.Time) []Finding {
	left := f.PrivacyDue.Sub(now)
	switch {
	case f.Privacy.N == 0 || left >= time.Duration(threshold)*24*time.Hour:
		return nil
	case left <= 0:
		return []Finding{{Title: "a privacy request is overdue", Text: "It had to be settled " + since(f.PrivacyDue, now) + " ago."}}
	}
	return []Finding{{Title: "a privacy request is due in " + since(now, f.PrivacyDue), Text: "It has to be settled by " + f.PrivacyDue.UTC().Format("2 January 15:04") + " UTC."}}
}

func waiting(c Count, limit time.Duration, now time.Time, what, one, many string) []Finding {
	if c.N == 0 || now.Sub(c.Oldest) < limit {
		return nil
	}
	if c.N > 1 {
		one = many
	}
	return []Finding{{Title: c.of(what) + " " + one, Text: "The oldest came " + since(c.Oldest, now) + " ago."}}
}

func intakeErrors(f Facts, threshold int, _ time.Time) (found []Finding) {
	for _, m := range f.Machines {
		if m.IntakeErrors >= threshold {
			name := Clean(m.Name)
			found = append(found, Finding{Subject: m.Name, Name: name, Title: "requests fail on " + name, Text: fmt.Sprintf("%s could not be taken in within ten minutes. The log of the service says why.", counted(m.IntakeErrors, "request"))})
		}
	}
	return found
}

func diskFull(f Facts, threshold int, _ time.Time) (found []Finding) {
	for _, m := range f.Machines {
		if m.DiskFree >= 0 && m.DiskFree < threshold {
			name := Clean(m.Name)
			found = append(found, Finding{Subject: m.Name, Name: name, Title: fmt.Sprintf("the disk of %s is nearly full", name), Text: fmt.Sprintf("%d %% of it is free. Without space no lead can be kept.", m.DiskFree)})
		}
	}
	return found
}

// backupOld says nothing before the first backup: whoever makes backups in another way would hear of it for ever.
func backupOld(f Facts, threshold int, now time.Time) []Finding {
	if f.Backup.IsZero() || now.Sub(f.Backup) < time.Duration(threshold)*24*time.Hour {
		return nil
	}
	return []Finding{{Title: "the newest backup is " + since(f.Backup, now) + " old", Text: "foyer backup makes a new one."}}
}

func certificateEnds(f Facts, threshold int, now time.Time) []Finding {
	left := f.Certificate.Sub(now)
	switch {
	case f.Certificate.IsZero() || left >= time.Duration(threshold)*24*time.Hour:
		return nil
	case left <= 0:
		return []Finding{{Title: "the certificate has ended", Text: "Browsers refuse " + Clean(f.Host) + " since " + f.Certificate.UTC().Format("2 January 15:04") + " UTC."}}
	}
	return []Finding{{Title: "the certificate ends in " + since(now, f.Certificate), Text: "Browsers refuse " + Clean(f.Host) + " from " + f.Certificate.UTC().Format("2 January 15:04") + " UTC on."}}
}
