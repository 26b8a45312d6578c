package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/term"
)

// isTerminal reports whether a file is a terminal.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

var errUnanswered = errors.New("no answer was given: nothing was changed")

// confirm asks a yes-or-no question on the terminal. Enter alone means no.
func (e env) confirm(question string) (bool, error) {
	fmt.Fprint(e.stderr, escapeUnsafe(question), " [y/N] ")
	line, err := bufio.NewReader(e.stdin).ReadString('\n')
	if err != nil {
		fmt.Fprintln(e.stderr)
		return false, errUnanswered
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

// escapingWriter makes text from outside safe for a terminal: no character controls the terminal or reverses the text. It
// writes unsafe characters as \u202e, which inside a JSON string means the same character.
type escapingWriter struct{ to io.Writer }

func (h escapingWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(h.to, escapeUnsafe(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// escapeUnsafe escapes the characters that are unsafe on a terminal.
func escapeUnsafe(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, isUnsafe) {
		return text
	}
	var out strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case !isUnsafe(r):
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// isUnsafe reports whether r is a control or format character, bidirectional marks included, or an invisible line break.
func isUnsafe(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
