// Package alert decides what an operator hears about: which rules there are, whether they fire on the facts of this minute, what was said
// already, and in which words. Like package buyer it is pure: it stores nothing, sends nothing, and gets the time as an argument.
//
// No text of it can hold personal data. Buyers are named by their names, machines by theirs, and leads are only counted.
package alert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Name names a rule. The names are stable: programs filter by them.
type Name string

// The rules.
const (
	BuyerDown         Name = "buyer_down"
	BuyerPaused       Name = "buyer_paused"
	NoSale            Name = "no_sale"
	AcceptanceDropped Name = "acceptance_dropped"
	CapNear           Name = "cap_near"
	BalanceNear       Name = "balance_near"
	ErrorLeads        Name = "error_leads"
	ReturnWaiting     Name = "return_waiting"
	PrivacyWaiting    Name = "privacy_waiting"
	PrivacyDue        Name = "privacy_due"
	IntakeErrors      Name = "intake_errors"
	BackupOld         Name = "backup_old"
	CertificateEnds   Name = "certificate_ends"
	DiskFull          Name = "disk_full"
)

// Rule is something that an operator hears about. Every rule is on until it is switched off.
type Rule struct {
	Name      Name
	Title     string
	When      string // when it fires, with N for its threshold
	Unit      string // of the threshold
	Threshold int    // unless the operator sets another
	Min, Max  int
	Cooldown  time.Duration // how long it stays silent about a subject after a message, unless the operator sets another
}

const (
	urgent = time.Hour
	daily  = 24 * time.Hour
)

// Rules lists the rules, the urgent ones first.
var Rules = []Rule{
	{BuyerDown, "A buyer does not answer", "an active buyer has failed to answer several times in a row, for N minutes", "minutes", 5, 0, 1440, urgent},
	{BuyerPaused, "A buyer is paused", "the service stopped a buyer because of its answers, at once; or an operator paused it N hours ago, and it still is", "hours", 24, 1, 720, daily},
	{NoSale, "Nothing is sold", "buyers have been asked for N hours, five times at least, and none accepted a lead", "hours", 4, 1, 168, urgent},
	{IntakeErrors, "Requests fail", "N requests or more could not be taken in within the last ten minutes, on one machine", "requests", 3, 1, 10_000, urgent},
	{DiskFull, "The disk fills up", "less than N percent of the disk with the database is free", "percent", 10, 1, 50, urgent},
	{ErrorLeads, "Leads are in error", "the number of leads in error is N or more", "leads", 1, 1, 100, daily},
	{AcceptanceDropped, "A buyer accepts less", "a buyer's share of accepted offers in the last 24 hours is N percent lower than in the seven days before, with twenty offers in each", "percent", 50, 10, 100, daily},
	{BalanceNear, "A balance runs out", "what a buyer may still be charged lasts for less than N days at the pace of the last seven", "days", 3, 1, 60, daily},
	{CapNear, "A cap is nearly used up", "a buyer has used N percent of a cap for the month, or for all time", "percent", 90, 50, 100, daily},
	{ReturnWaiting, "Returns wait", "a return has waited for a decision for N hours", "hours", 24, 1, 720, daily},
	{PrivacyWaiting, "Privacy requests wait", "a privacy request has been open for N days", "days", 2, 1, 45, daily},
	{PrivacyDue, "Privacy requests are due", "a privacy request has to be settled within N days", "days", 3, 1, 45, daily},
	{CertificateEnds, "The certificate ends", "the certificate of the base URL is valid for less than N days", "days", 14, 1, 60, daily},
	{BackupOld, "The backup is old", "the newest backup by foyer backup is older than N days", "days", 2, 1, 365, daily},
}

// Find finds a rule by its name.
func Find(name Name) (Rule, bool) {
	if i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Name == name }); i >= 0 {
		return Rules[i], true
	}
	return Rule{}, false
}

// The bounds of a cooldown: a reminder every few minutes helps nobody, and one a month is as good as none.
const (
	MinCooldown = 5 * time.Minute
	MaxCooldown = 30 * 24 * time.Hour
)

// Setting is how an operator wants a rule.
type Setting struct {
	On        bool
	Threshold int
	Cooldown  time.Duration
}

// Default is the setting of a rule that nobody changed.
func (r Rule) Default() Setting {
	return Setting{On: true, Threshold: r.Threshold, Cooldown: r.Cooldown}
}

// Fires says when the rule fires with a threshold.
func (r Rule) Fires(threshold int) string {
	if threshold == 0 {
		return strings.Replace(r.When, ", for N "+r.Unit, "", 1) // at once
	}
	return strings.NewReplacer("N "+r.Unit, r.Amount(threshold), "N ", strconv.Itoa(threshold)+" ").Replace(r.When)
}

// Amount is a threshold with its unit.
func (r Rule) Amount(threshold int) string {
	if one, plural := strings.CutSuffix(r.Unit, "s"); plural {
		return counted(threshold, one)
	}
	return fmt.Sprint(threshold, " ", r.Unit)
}

// Check returns what is wrong with a threshold, or nil.
func (r Rule) Check(threshold int) error {
	if threshold < r.Min || threshold > r.Max {
		return fmt.Errorf("%d is not possible: write a number of %s from %d to %d", threshold, r.Unit, r.Min, r.Max)
	}
	return nil
}

// CheckCooldown returns what is wrong with a cooldown, or nil.
func CheckCooldown(d time.Duration) error {
	if d < MinCooldown || d > MaxCooldown {
		return fmt.Errorf("%d is not possible: write a number of minutes from %d to %d", int(d.Minutes()), int(MinCooldown.Minutes()), int(MaxCooldown.Minutes()))
	}
	return nil
}

// Settings are the settings of the rules that an operator changed.
type Settings map[Name]Setting

// Of is the setting of a rule.
func (s Settings) Of(r Rule) Setting {
	if changed, ok := s[r.Name]; ok {
		return changed
	}
	return r.Default()
}
