package lead

import (
	"slices"
	"strings"
)

// Raw is a request as it arrived at a door: JSON, form and tool arguments all become one of these.
type Raw struct {
	spec   *InputSpec
	given  [fieldCount]Value
	query  Value    // dry_run in the address, which counts as much as the one in the body
	strays []string // names that must be refused
	unread *Error
}

// New starts an empty request on this slip.
func (s *InputSpec) New() *Raw { return &Raw{spec: s} }

// Unreadable is a request whose body could not be read at all. It walks the same way and is refused for this reason.
func (s *InputSpec) Unreadable(why *Error) *Raw { return &Raw{spec: s, unread: why} }

// Spoil marks a request as not readable after all. What was typed stays, to fill a form again.
func (r *Raw) Spoil(why *Error) { r.unread = why }

// Set puts a value under its name. A known name that comes twice is remembered as such, because consent must have one value.
func (r *Raw) Set(name string, v Value) { r.Put(name, v) }

// Put does the same, and says whether the field table knows the name.
func (r *Raw) Put(name string, v Value) (known bool) {
	i, known := fieldIndex[name]
	switch {
	case known && r.spec.accepts[i] && r.given[i].form != absent:
		r.given[i].twice = true
	case known && r.spec.accepts[i]:
		r.given[i] = v
	case !r.spec.tolerant || nearDryRun(name):
		r.stray(name)
	}
	return known
}

// SetQuery takes a parameter of the address. Only dry_run means anything there.
func (r *Raw) SetQuery(name string, v Value) {
	switch {
	case name == DryRun && r.query.form != absent:
		r.query.twice = true
	case name == DryRun:
		r.query = v
	case nearDryRun(name):
		r.stray(name)
	}
}

// MeantDry says that the sender asked for a check only, or tried to: a form shown again must not turn that into a real
// request.
func (r *Raw) MeantDry() bool {
	f := FieldNamed(DryRun)
	body, badBody := f.read(r.given[mustIndex(DryRun)])
	query, badQuery := f.read(r.query)
	return body.yes || query.yes || badBody != "" || badQuery != "" || r.query.form != absent && f.missing(r.query) ||
		slices.ContainsFunc(r.strays, nearDryRun)
}

// Typed gives a field back as the person typed it, to fill a form again.
func (r *Raw) Typed(name string) string {
	if i, known := r.spec.index(name); known {
		return r.given[i].text
	}
	return ""
}

// maxStrays bounds how many unknown names one answer lists.
const maxStrays = 16

func (r *Raw) stray(name string) {
	if len(r.strays) < maxStrays && !slices.Contains(r.strays, name) {
		r.strays = append(r.strays, name)
	}
}

// nearDryRun finds the misspellings of dry_run. Dropping one silently would store a real person's data.
func nearDryRun(name string) bool {
	return name != DryRun && len(name) <= 16 && distance(plain(name), "dryrun") <= 1
}

// plain folds the ways a name is written (dryRun, dry-run, Dry Run) into one.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return -1
	}, name)
}
