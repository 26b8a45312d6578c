// Package terminal is what commands share with a person at a terminal: questions, a line of progress, log lines, and text and numbers
// in a form that is easy to read and cannot control the terminal.
//
// It knows nothing of leads and buyers.
package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/term"
)

// Is reports whether a file is a terminal.
func Is(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

var ErrUnanswered = errors.New("no answer was given: nothing was changed")

// Confirm asks a yes-or-no question on the terminal. Enter alone means no.
func Confirm(in io.Reader, out io.Writer, question string) (bool, error) {
	fmt.Fprint(out, Escape(question), " [y/N] ")
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		fmt.Fprintln(out)
		return false, ErrUnanswered
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// SafeWriter makes text from outside safe for a terminal: no character controls the terminal or reverses the text. It
// writes unsafe characters as \u202e, which inside a JSON string means the same character.
type SafeWriter struct {
	To   io.Writer
	rest []byte // the beginning of a character whose end was not written yet
}

func (h *SafeWriter) Write(text []byte) (int, error) {
	all := append(h.rest, text...)
	end := len(all)
	for i := max(0, end-utf8.UTFMax+1); i < end; i++ { // whoever buffers may split a character
		if utf8.RuneStart(all[i]) && !utf8.FullRune(all[i:]) {
			end = i
		}
	}
	h.rest = slices.Clone(all[end:])
	if _, err := io.WriteString(h.To, Escape(string(all[:end]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush writes what is left of a character that never ended.
func (h *SafeWriter) Flush() error {
	_, err := io.WriteString(h.To, Escape(string(h.rest)))
	h.rest = nil
	return err
}

// Escape escapes the characters that are unsafe on a terminal.
func Escape(text string) string {
	var out strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		if !isUnsafe(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.String()
}

// isUnsafe reports whether r is a control or format character, bidirectional marks included, or an invisible line break.
func isUnsafe(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
