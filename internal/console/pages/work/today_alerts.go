package work

import (
	"slices"

	"foyer/internal/alert"
	"foyer/internal/buyer"
	"foyer/internal/operator/query"
)

// todayKinds are the rules that Today shows, with their tags. It has lines of its own for leads in error, returns, privacy, and buyers that
// are not asked.
var todayKinds = map[alert.Name]string{
	alert.NoSale: "no sale", alert.AcceptanceDropped: "accepts less", alert.CapNear: "cap", alert.BalanceNear: "money", alert.IntakeErrors: "requests fail",
	alert.DiskFull: "disk", alert.BackupOld: "backup", alert.CertificateEnds: "certificate",
}

// onToday returns the tag of an alert on Today, or "" if that says the same already.
func onToday(s alert.State, buyers []query.Summary) string {
	listed := slices.ContainsFunc(buyers, func(b query.Summary) bool { return b.ID == s.Subject && b.NoRoom.Rule == buyer.RuleBalance })
	if s.Rule == alert.BalanceNear && listed {
		return ""
	}
	return todayKinds[s.Rule]
}
