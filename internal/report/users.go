package report

import (
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// User is the user of an operator as JSON. Members that are shown only once follow the id.
func User(a store.User, once ...wire.Member) wire.Object {
	return append(append(wire.Object{{"user_id", a.ID}}, once...), wire.Object{
		{"name", a.Name},
		{"role", a.Role},
		{"has_password", a.Password != ""},
		{"created_at", a.CreatedAt},
		{"created_by", a.CreatedBy},
		{"signed_in_at", wire.TimeOrNull(a.SignedInAt)},
	}...)
}

// UserHeadings are the headings of UserRow.
const UserHeadings = "ACCOUNT\tNAME\tROLE\tPASSWORD\tADDED\tLAST SIGNED IN"

// UserRow is the user of an operator in a table.
func UserRow(a store.User) []any {
	password := "not chosen yet"
	if a.Password != "" {
		password = "chosen"
	}
	return []any{a.ID, a.Name, a.Role, password, terminal.Time(a.CreatedAt), terminal.Time(a.SignedInAt)}
}
