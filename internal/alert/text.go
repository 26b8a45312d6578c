package alert

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxName bounds the name of a subject in a text.
const maxName = 60

// Clean makes a name safe for a subject line, a chat and a page: one line, without signs that turn the direction of text around.
func Clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r): // marks of direction, too
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName-1])) + "…"
	}
	return name
}

// Sentence begins a title as a sentence does.
func Sentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + title[size:]
}

// counted is a number of things.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// of is how many things wait.
func (c Count) of(what string) string {
	if c.N >= CountLimit {
		return fmt.Sprintf("%d or more %ss", CountLimit, what)
	}
	return counted(c.N, what)
}

// Period is a length of time in words, such as a cooldown.
func Period(d time.Duration) string {
	switch {
	case d%(24*time.Hour) == 0:
		return counted(int(d/(24*time.Hour)), "day")
	case d%time.Hour == 0:
		return counted(int(d/time.Hour), "hour")
	}
	return counted(int(d.Minutes()), "minute")
}

// since is how much time passed, in the largest unit of which there are two.
func since(from, now time.Time) string {
	d := now.Sub(from)
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return counted(int(d.Minutes()), "minute")
	case d < 48*time.Hour:
		return counted(int(d.Hours()), "hour")
	}
	return counted(int(d.Hours()/24), "day")
}
