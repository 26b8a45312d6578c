package lead

import (
	"slices"
	"strings"
)

// Raw is a request before parsing. JSON, forms and tool arguments all become a Raw.
type Raw struct {
	spec       *InputSpec
	given      [fieldCount]Value
	query      Value    // dry_run in the query, which counts as much as the one in the body
	unknown    []string // names to refuse
	unreadable *Error
}

// New returns an empty request with this input spec.
func (s *InputSpec) New() *Raw { return &Raw{spec: s} }

// Unreadable returns a request whose body could not be read. It takes the same path as others and is refused with this
// error.
func (s *InputSpec) Unreadable(err *Error) *Raw { return &Raw{spec: s, unreadable: err} }

// Spoil makes a request unreadable after the fact. Its values stay, to fill in the form again.
func (r *Raw) Spoil(err *Error) { r.unreadable = err }

// Set sets a value. A known name that is given twice is flagged, because consent must have one value.
func (r *Raw) Set(name string, v Value) { r.Put(name, v) }

// Put does the same as Set, and reports whether the name is in the field table.
func (r *Raw) Put(name string, v Value) (known bool) {
	i, known := fieldIndex[name]
	switch {
	case known && r.spec.accepts[i] && r.given[i].kind != absent:
		r.given[i].repeated = true
	case known && r.spec.accepts[i]:
		r.given[i] = v
	case !r.spec.ignoreUnknown || nearDryRun(name):
		r.addUnknown(name)
	}
	return known
}

// SetQuery sets a query parameter. Only dry_run is used there.
func (r *Raw) SetQuery(name string, v Value) {
	switch {
	case name == DryRun && r.query.kind != absent:
		r.query.repeated = true
	case name == DryRun:
		r.query = v
	case nearDryRun(name):
		r.addUnknown(name)
	}
}

// MeantDry reports whether the sender requested a dry run, or tried to. Showing the form again must not turn that into a
// real request.
func (r *Raw) MeantDry() bool {
	f := FieldNamed(DryRun)
	body, badBody := f.parse(r.given[mustIndex(DryRun)])
	query, badQuery := f.parse(r.query)
	return body.yes || query.yes || badBody != "" || badQuery != "" || r.query.kind != absent && f.missing(r.query) ||
		slices.ContainsFunc(r.unknown, nearDryRun)
}

// Typed returns a field as the person typed it, to fill in the form again.
func (r *Raw) Typed(name string) string {
	if i, known := r.spec.index(name); known {
		return r.given[i].text
	}
	return ""
}

// maxUnknown bounds how many unknown names one error lists.
const maxUnknown = 16

func (r *Raw) addUnknown(name string) {
	if len(r.unknown) < maxUnknown && !slices.Contains(r.unknown, name) {
		r.unknown = append(r.unknown, name)
	}
}

// nearDryRun reports whether name is a misspelling of dry_run. Ignoring one silently would store a real person's data.
func nearDryRun(name string) bool {
	return name != DryRun && len(name) <= 16 && editDistance(normalizeName(name), "dryrun") <= 1
}

// normalizeName maps the spellings of a name (dryRun, dry-run, Dry Run) to one.
func normalizeName(name string) string {
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
