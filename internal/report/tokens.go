package report

import (
	"time"

	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Token is a token as JSON. Members that are shown only once follow the id.
func Token(t store.Token, now time.Time, once ...wire.Member) wire.Object {
	return append(append(wire.Object{{"token_id", t.ID}}, once...), wire.Object{
		{"name", t.Name},
		{"scope", t.Scope},
		{"personal_data", t.PersonalData},
		{"state", tokenState(t, now)},
		{"created_at", t.CreatedAt},
		{"created_by", t.CreatedBy},
		{"expires_at", t.ExpiresAt},
		{"revoked_at", wire.TimeOrNull(t.RevokedAt)},
		{"used_at", wire.TimeOrNull(t.UsedAt)},
	}...)
}

func tokenState(t store.Token, now time.Time) string {
	switch {
	case !t.RevokedAt.IsZero():
		return "revoked"
	case !t.Valid(now):
		return "expired"
	}
	return "valid"
}

// TokenHeadings are the headings of TokenRow.
const TokenHeadings = "TOKEN\tNAME\tMAY\tPERSONAL DATA\tSTATE\tEXPIRES\tLAST USED"

// TokenRow is a token in a table.
func TokenRow(t store.Token, now time.Time) []any {
	personal := "no"
	if t.PersonalData {
		personal = "yes"
	}
	return []any{t.ID, terminal.OneLine(t.Name), t.Scope, personal, tokenState(t, now), terminal.Time(t.ExpiresAt), terminal.Time(t.UsedAt)}
}
