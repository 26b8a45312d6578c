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

// isTerminal says whether somebody looks at a file, or types into it.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

var errUnanswered = errors.New("no answer was given: nothing was changed")

// agrees asks a question on the terminal and wants y or n. Enter alone is no.
func (s env) agrees(question string) (bool, error) {
	fmt.Fprint(s.stderr, shown(question), " [y/N] ")
	line, err := bufio.NewReader(s.stdin).ReadString('\n')
	if err != nil {
		fmt.Fprintln(s.stderr)
		return false, errUnanswered
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

// harmless writes for a terminal: whatever came from outside, no character acts on it or turns the text around. What is
// dangerous is written as \u202e, which inside a JSON string means the same character.
type harmless struct{ to io.Writer }

func (h harmless) Write(text []byte) (int, error) {
	if _, err := io.WriteString(h.to, shown(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// shown makes a text fit for a terminal.
func shown(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, dangerous) {
		return text
	}
	var out strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case !dangerous(r):
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

// dangerous are control and format characters, bidirectional marks among them, and what breaks lines unseen.
func dangerous(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
