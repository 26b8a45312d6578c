package operator

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
	"foyer/internal/store"
)

// SourceInput is what an operator entered for a source, as text. Nil fields were not mentioned. The tags make it the flags of
// foyer sources add and edit, and the members of a source in the operator's API.
type SourceInput struct {
	Cost     *string `placeholder:"AMOUNT" help:"What you pay for each lead, such as 12.50, or none." api:"cents,cost_cents" api-help:"What you pay for each lead, in cents."`
	CapDay   *int    `name:"cap-day" placeholder:"N" help:"How many leads of a day you pay for; 0 for all. Further ones are taken all the same, and cost nothing." api:"number,cap_day,0"`
	CapMonth *int    `name:"cap-month" placeholder:"N" help:"How many leads of a month you pay for." api:"number,cap_month,0"`
	Origins  *string `placeholder:"LIST" help:"The websites that may use the key from their own pages, such as https://partner.example.com, separated by commas, or all. Our own form and programs may always use it." api:"list,origins,all" api-help:"The websites that may use the key from their own pages, such as https://partner.example.com; an empty list for all. Our own form and programs may always use it."`
	Consent  *string `placeholder:"TEXT" help:"The wording beside the consent box for its visitors, 40 to 2000 characters, or none for the usual one." api:"text,consent_text,none" api-help:"The wording beside the consent box for its visitors, 40 to 2000 characters; null for the usual one."`
}

// applyTo parses the fields that were mentioned.
func (in SourceInput) applyTo(t source.Terms) (_ source.Terms, problems Problems) {
	parseField(&problems, "cost", in.Cost, &t.Cost, parseCost)
	parseField(&problems, "cap-day", in.CapDay, &t.CapDay, parseUpTo(maxCap))
	parseField(&problems, "cap-month", in.CapMonth, &t.CapMonth, parseUpTo(maxCap))
	parseField(&problems, "origins", in.Origins, &t.Origins, parseOrigins)
	parseField(&problems, "consent", in.Consent, &t.Consent, parseWording)
	return t, problems
}

// Check validates each value by itself.
func (in SourceInput) Check() error {
	_, problems := in.applyTo(source.Terms{})
	return problems.orNil()
}

// parseCost parses what a lead costs. none is nothing.
func parseCost(text string) (buyer.Cents, error) {
	if strings.TrimSpace(text) == "none" {
		return 0, nil
	}
	return parseLimit(text)
}

// maxOrigins bounds how many websites may use a key.
const maxOrigins = 50

func parseOrigins(text string) (origins []string, err error) {
	if strings.TrimSpace(text) == "all" {
		return nil, nil
	}
	for _, part := range splitList(text) {
		u, err := url.Parse(part)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || strings.ContainsAny(part, "?#") {
			return nil, fmt.Errorf("%.80q is not the origin of a website: write https:// and a host, such as https://partner.example.com, or all", part)
		}
		if strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
			return nil, fmt.Errorf("%.80q has letters that browsers write in another way: open the website and copy its address from the browser, it has xn-- in it", part)
		}
		port := map[string]string{"https": ":443", "http": ":80"}[u.Scheme] // browsers leave it out
		origins = append(origins, u.Scheme+"://"+strings.ToLower(strings.TrimSuffix(u.Host, port)))
	}
	if len(origins) == 0 || len(origins) > maxOrigins {
		return nil, fmt.Errorf("%d origins: write 1 to %d, separated by commas, or all", len(origins), maxOrigins)
	}
	return origins, nil
}

// parseWording cleans a wording.
func parseWording(text string) (string, error) {
	text, ok := lead.CleanConsentText(text)
	switch {
	case text == "none":
		return "", nil
	case !ok || !utf8.ValidString(text) || strings.ContainsFunc(text, isInvisible):
		return "", fmt.Errorf("it has %d characters, or is not plain text: write %d to %d that say who may contact the person and how, or none",
			utf8.RuneCountInString(text), lead.MinConsentText, lead.MaxConsentText)
	}
	return text, nil
}

// parseSourceName parses the name of a source. Commands and reports name leads without a source direct.
func parseSourceName(text string) (string, error) {
	name, err := plainText(text)
	switch {
	case err != nil:
		return "", err
	case name == "":
		return "", fmt.Errorf("a source needs a name: write 1 to %d characters on one line", maxNameLength)
	case strings.EqualFold(name, source.Direct):
		return "", errors.New("direct is what leads without a source are called: write another name")
	case strings.HasPrefix(strings.ToLower(name), keyPrefix):
		return "", fmt.Errorf("%s begins a key: write another name", keyPrefix)
	}
	return name, nil
}

// A key is the beginning of an id: people type it, and nobody has to guess it.
const (
	keyPrefix = "src_"
	keyLength = len(keyPrefix) + 10
)

// AddSource adds a source and gives it a key.
func (op *Operator) AddSource(ctx context.Context, by audit.Actor, name string, in SourceInput) (s source.Source, err error) {
	terms, problems := in.applyTo(source.Terms{})
	parseField(&problems, "", &name, &terms.Name, parseSourceName) // an argument, and no flag
	if err := problems.orNil(); err != nil {
		return s, err
	}
	id := op.NewID(keyPrefix)
	s = source.Source{Key: id[:min(len(id), keyLength)], Terms: terms, State: source.Active}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil {
			return err
		}
		if err := checkSourceNameFree(all, s); err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(other source.Source) bool { return other.Key == s.Key }) {
			return refuse("the new key is taken: try again")
		}
		return op.putSource(tx, by, audit.SourceAdd, source.Source{}, &s)
	})
	return s, err
}

func checkSourceNameFree(all []source.Source, s source.Source) error {
	for _, other := range all {
		if other.Key != s.Key && strings.EqualFold(other.Terms.Name, s.Terms.Name) {
			return Problems{{"", fmt.Sprintf("%q is the name of %s already: write another, or change that source", other.Terms.Name, other.Key)}}
		}
	}
	return nil
}

// EditSource changes what the input mentions, and the name unless it is nil. What leads cost changes for those that come from now on.
func (op *Operator) EditSource(ctx context.Context, by audit.Actor, word string, name *string, in SourceInput) (source.Source, error) {
	return op.changeSource(ctx, by, audit.SourceEdit, word, func(all []source.Source, s *source.Source) error {
		terms, problems := in.applyTo(s.Terms)
		parseField(&problems, "name", name, &terms.Name, parseSourceName)
		if err := problems.orNil(); err != nil {
			return err
		}
		s.Terms = terms
		return checkSourceNameFree(all, *s)
	})
}

// BlockSource makes a key count for nothing: requests that name it are kept as if they named none, and marked. With hold, they are held
// until the operator releases them.
func (op *Operator) BlockSource(ctx context.Context, by audit.Actor, word string, hold bool) (source.Source, error) {
	return op.changeSource(ctx, by, audit.SourceBlock, word, func(_ []source.Source, s *source.Source) error {
		s.State, s.Terms.Hold = source.Blocked, hold
		return nil
	})
}

// UnblockSource makes a key count again. Leads that are held stay held.
func (op *Operator) UnblockSource(ctx context.Context, by audit.Actor, word string) (source.Source, error) {
	return op.changeSource(ctx, by, audit.SourceUnblock, word, func(_ []source.Source, s *source.Source) error {
		s.State, s.Terms.Hold = source.Active, false
		return nil
	})
}

func (op *Operator) changeSource(ctx context.Context, by audit.Actor, action audit.Action, word string, edit func(all []source.Source, s *source.Source) error) (s source.Source, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil {
			return err
		}
		if s, err = findSource(all, word); err != nil {
			return err
		}
		before := s
		if err := edit(all, &s); err != nil {
			return err
		}
		return op.putSource(tx, by, action, before, &s)
	})
	return s, err
}

func (op *Operator) putSource(tx *store.Tx, by audit.Actor, action audit.Action, before source.Source, s *source.Source) error {
	if s.UpdatedAt = op.now(); s.CreatedAt.IsZero() {
		s.CreatedAt = s.UpdatedAt
	}
	if err := tx.Sources().Put(*s); err != nil {
		return err
	}
	return op.record(tx, by, action, s.Key, changedSource(before, *s))
}

// changedSource returns what differs, each with its old and its new value. Names are left out: they may be a person's.
func changedSource(before, after source.Source) audit.Detail {
	changed := audit.Detail{}
	b, a := before.Terms, after.Terms
	for _, term := range []struct {
		name     string
		old, new any
	}{
		{"state", before.State, after.State},
		{"hold", b.Hold, a.Hold},
		{"cost_cents", b.Cost, a.Cost},
		{"cap-day", b.CapDay, a.CapDay},
		{"cap-month", b.CapMonth, a.CapMonth},
		{"origins", audit.Text(strings.Join(b.Origins, ",")), audit.Text(strings.Join(a.Origins, ","))},
		{"consent", consentVersion(before), consentVersion(after)},
	} {
		if term.old != term.new {
			changed[term.name] = []any{term.old, term.new}
		}
	}
	if b.Name != a.Name {
		changed["name"] = "changed"
	}
	return changed
}

// consentVersion is the version of the wording that a source has, or "".
func consentVersion(s source.Source) string {
	if s.Terms.Consent == "" {
		return ""
	}
	return s.ConsentShown().Version
}

// findSource finds a source by its key or name.
func findSource(all []source.Source, word string) (source.Source, error) {
	for _, s := range all {
		if s.Key == word || strings.EqualFold(s.Terms.Name, strings.TrimSpace(word)) {
			return s, nil
		}
	}
	return source.Source{}, &lead.Error{Kind: lead.NotFound, Message: "There is no source with this name or key."}
}

// SourceSummary is a source with what it sent lately.
type SourceSummary struct {
	source.Source
	Month LeadsRow // of the current month, as far as it is counted
	Range ReportRange
}

// Sources lists all sources, oldest first, with what they sent this month.
func (op *Operator) Sources(ctx context.Context) (list []SourceSummary, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil || len(all) == 0 {
			return err
		}
		rows := []LeadsRow(nil)
		r, err := NewReportRange(tx, "", "", op.now())
		switch {
		case lead.KindOf(err) == lead.NotFound: // nothing is counted yet
		case err != nil:
			return err
		default:
			if rows, _, err = SourcesReport(tx, r); err != nil {
				return err
			}
		}
		for _, s := range all {
			sum := SourceSummary{Source: s, Range: r}
			if i := slices.IndexFunc(rows, func(row LeadsRow) bool { return row.Key == s.Key }); i >= 0 {
				sum.Month = rows[i]
			}
			list = append(list, sum)
		}
		return nil
	})
	return list, err
}

// Source returns one source, by its name or key, with what it sent this month.
func (op *Operator) Source(ctx context.Context, word string) (SourceSummary, error) {
	all, err := op.Sources(ctx)
	if err != nil {
		return SourceSummary{}, err
	}
	plain := make([]source.Source, len(all))
	for i, s := range all {
		plain[i] = s.Source
	}
	s, err := findSource(plain, word)
	if err != nil {
		return SourceSummary{}, err
	}
	return all[slices.IndexFunc(all, func(sum SourceSummary) bool { return sum.Key == s.Key })], nil
}
