package evaluation

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Matcher says what an argument has to be. An argument that is left out is null.
type Matcher struct {
	OneOf   []any          // one of these values
	Digits  string         // a phone number with these digits, in any format
	Pattern *regexp.Regexp // matches the text, regardless of case; a missing argument is ""
}

// UnmarshalJSON reads a literal value, or an object that says more.
func (m *Matcher) UnmarshalJSON(text []byte) error {
	var more struct {
		OneOf   []any  `json:"one_of"`
		Digits  string `json:"digits"`
		Pattern string `json:"pattern"`
	}
	if text[0] != '{' {
		m.OneOf = make([]any, 1)
		return json.Unmarshal(text, &m.OneOf[0])
	}
	if err := json.Unmarshal(text, &more); err != nil {
		return err
	}
	m.OneOf, m.Digits = more.OneOf, more.Digits
	if more.Pattern == "" {
		return nil
	}
	var err error
	m.Pattern, err = anyCase(more.Pattern)
	return err
}

func anyCase(pattern string) (*regexp.Regexp, error) { return regexp.Compile("(?i)" + pattern) }

// fits reports whether an argument is as it should be.
func (m Matcher) fits(value any) bool {
	text, isText := value.(string)
	switch {
	case m.Pattern != nil:
		return (isText || value == nil) && m.Pattern.MatchString(text)
	case m.Digits != "":
		return isText && strings.TrimPrefix(digits(text), "1") == m.Digits
	}
	return slices.ContainsFunc(m.OneOf, func(want any) bool {
		if wanted, ok := want.(string); ok && isText {
			return strings.EqualFold(strings.TrimSpace(text), wanted)
		}
		return want == value
	})
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// fit reports whether a call is one of the tool, with arguments that are as they should be.
func fit(c Call, tool string, want map[string]Matcher) bool {
	if c.Tool != tool {
		return false
	}
	for name, matcher := range want {
		if !matcher.fits(c.Arguments[name]) {
			return false
		}
	}
	return true
}

// Takes reports whether a call satisfies the step.
func (s Step) Takes(c Call) bool {
	return slices.ContainsFunc(s.AnyOf, func(e Expected) bool { return fit(c, e.Tool, e.Arguments) && dry(c) == e.dry() })
}

// Is reports whether a call is this wrong one.
func (w Wrong) Is(c Call) bool { return fit(c, w.Tool, w.Arguments) }

// dry reports whether a call is only a dry run, which never counts as the real call.
func dry(c Call) bool { return c.Arguments["dry_run"] == true }

func (e Expected) dry() bool { return dry(Call{Arguments: e.Example}) }

// Sign is a pattern of replies that are worth a look.
type Sign struct {
	Pattern string `json:"pattern"`
	Why     string `json:"why"`
	Caught  string `json:"caught"` // a reply that matches
}

// In reports whether a reply shows the sign.
func (s Sign) In(reply string) bool {
	pattern, err := anyCase(s.Pattern)
	return err == nil && pattern.MatchString(reply)
}
