package console

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
)

// flagNames matches the names of flags in a text.
var flagNames = regexp.MustCompile(`--[a-z][a-z-]*`)

// memberName is the name of a flag as the name of a member.
func memberName(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// publicError turns an error of package operator into one for clients. Problems get the names that the fields have here.
func (o *operation) publicError(err error) error {
	problems, found := errors.AsType[entered.Problems](err)
	if !found {
		return publicError(err)
	}
	list := make([]lead.Problem, len(problems))
	for i, p := range problems {
		name := memberName(p.Term)
		if f := slices.IndexFunc(o.body, func(f field) bool { return f.flag != "" && f.flag == p.Term }); f >= 0 {
			name = o.body[f].name
		}
		if name == "" {
			name = "name" // an argument of the command line
		}
		list[i] = lead.Problem{Field: name, Text: name + ": " + o.memberNames(p.Text) + "."}
	}
	return lead.InvalidFields(list)
}

// asMembers writes values of the command line as members have them.
var asMembers = strings.NewReplacer("hvac=45.00", `{"hvac": 4500}`, "with 0.00 for", "with 0 for", "; none for", "; null for")

// memberNames writes the names of members for those of flags.
func (o *operation) memberNames(text string) string {
	for _, f := range o.body {
		if strings.Contains(f.flag, "-") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "--"+f.flag, f.name), f.flag, f.name)
		}
	}
	return asMembers.Replace(flagNames.ReplaceAllStringFunc(strings.TrimSuffix(text, "."), memberName))
}

func publicError(err error) error {
	if refusal, ok := errors.AsType[entered.Refusal](err); ok {
		return &lead.Error{Kind: lead.Conflict, Message: Sentence(string(refusal))}
	}
	if known, ok := errors.AsType[*lead.Error](err); ok && known.Kind == lead.Unavailable {
		return catalog.NotChanged(err)
	}
	return err
}

// Sentence makes a sentence of a text that the command line prints: with a capital unless it begins with an id, and with the names of
// members for those of flags.
func Sentence(text string) string {
	text = flagNames.ReplaceAllStringFunc(strings.TrimSuffix(text, "."), memberName)
	word, _, _ := strings.Cut(text, " ")
	if first, size := utf8.DecodeRuneInString(text); !strings.ContainsAny(word, `_"`) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return text + "."
}
