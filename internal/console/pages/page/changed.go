package page

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/console"
	"foyer/internal/lead"
)

// Fingerprint tells whether something was changed by somebody else since it was shown. A form carries it: optimistic locking.
func Fingerprint(typed map[string]string) string {
	keys := make([]string, 0, len(typed))
	for k := range typed {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	sum := sha256.New()
	for _, k := range keys {
		fmt.Fprintf(sum, "%s=%q\n", k, typed[k])
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// Changed leaves the fields of a form that differ from what is typed there now, or refuses it if that changed since it was shown.
func (v *Visit) Changed(operation string, typed map[string]string) (url.Values, error) {
	if v.Form.Get("seen") != Fingerprint(typed) {
		return nil, &lead.Error{Kind: lead.Conflict, Message: "Somebody else changed this since you opened it, and nothing was saved. Open the page again, and make your change to what it shows then."}
	}
	changed := Differing(operation, v.Form, typed)
	if len(changed) == 0 {
		return nil, &lead.Error{Kind: lead.Invalid, Message: "Nothing was changed: the form is as it was."}
	}
	return changed, nil
}

// Differing leaves the fields of a form that differ from what is typed there now. A box that is not ticked is not sent.
func Differing(operation string, form url.Values, typed map[string]string) url.Values {
	changed := url.Values{}
	for _, in := range console.Inputs(operation) {
		sent := strings.TrimSpace(form.Get(in.Name))
		if in.Kind == "boolean" {
			sent = fmt.Sprint(sent == "true")
		}
		now := typed[cmp.Or(in.Flag, in.Name)]
		if in.Kind == "list" && in.Choices != nil {
			sent, now = inOrder(in.Choices, sent), inOrder(in.Choices, now)
		}
		if !same(sent, now) {
			changed.Set(in.Name, sent)
		}
	}
	return changed
}

// inOrder writes a list in the order of its choices. What is not among them is left as it is, to be refused.
func inOrder(choices []string, text string) string {
	words := listed(text)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(slices.Index(choices, a), slices.Index(choices, b)) })
	return strings.Join(words, ", ")
}

// same compares texts as browsers send them: with other ends of lines.
func same(a, b string) bool {
	return strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(strings.TrimSpace(b), "\r\n", "\n")
}
