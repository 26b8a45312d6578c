package store

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"foyer/internal/lead"
)

// checkText refuses texts that PostgreSQL cannot keep, whichever engine is below. No door lets one through: whoever sees this
// has found a bug.
func checkText(args []any) error {
	for _, a := range args {
		fine := true
		switch text := a.(type) {
		case string:
			fine = strings.IndexByte(text, 0) < 0 && utf8.ValidString(text)
		case []byte: // JSON
			fine = bytes.IndexByte(text, 0) < 0 && utf8.Valid(text)
		}
		if !fine {
			return &lead.Error{Kind: lead.Invalid, Message: "A text holds a NUL or is not valid UTF-8. Leave such characters out."}
		}
	}
	return nil
}
