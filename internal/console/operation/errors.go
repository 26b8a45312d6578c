package operation

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

// FlagNames matches the names of flags in a text.
var FlagNames = regexp.MustCompile(`--[a-z][a-z-]*`)

// MemberName is the name of a flag as the name of a member.
func MemberName(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// PublicError turns an error of package operator into one for clients. Problems get the names that the fields have here.
func (o *Operation) PublicError(err error) error {
	problems, found := errors.AsType[entered.Problems](err)
	if !found {
		return PublicError(err)
	}
	list := make([]lead.Problem, len(problems))
	for i, p := range problems {
		name := MemberName(p.Term)
		if f := slices.IndexFunc(o.Body, func(f Field) bool { return f.Flag != "" && f.Flag == p.Term }); f >= 0 {
			name = o.Body[f].Name
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
func (o *Operation) memberNames(text string) string {
	for _, f := range o.Body {
		if strings.Contains(f.Flag, "-") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "--"+f.Flag, f.Name), f.Flag, f.Name)
		}
	}
	return asMembers.Replace(FlagNames.ReplaceAllStringFunc(strings.TrimSuffix(text, "."), MemberName))
}

// PublicError turns an error that names no fields into one for clients.
func PublicError(err error) error {
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
	text = FlagNames.ReplaceAllStringFunc(strings.TrimSuffix(text, "."), MemberName)
	word, _, _ := strings.Cut(text, " ")
	if first, size := utf8.DecodeRuneInString(text); !strings.ContainsAny(word, `_"`) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return text + "."
}
