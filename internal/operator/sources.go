package operator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/source"
	"foyer/internal/store"
)

// AddSource adds a source and gives it a key.
func (op *Operator) AddSource(ctx context.Context, by audit.Actor, name string, in entered.SourceTerms) (s source.Source, err error) {
	terms, problems := in.ApplyTo(source.Terms{})
	entered.ParseField(&problems, "", &name, &terms.Name, entered.ParseSourceName) // an argument, and no flag
	if err := problems.OrNil(); err != nil {
		return s, err
	}
	s = source.Source{Key: op.shortID(entered.SourceKeyPrefix), Terms: terms, State: source.Active}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil {
			return err
		}
		if err := checkSourceNameFree(all, s); err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(other source.Source) bool { return other.Key == s.Key }) {
			return entered.Refuse("the new key is taken: try again")
		}
		return op.putSource(tx, by, audit.SourceAdd, source.Source{}, &s)
	})
	return s, err
}

func checkSourceNameFree(all []source.Source, s source.Source) error {
	for _, other := range all {
		if other.Key != s.Key && strings.EqualFold(other.Terms.Name, s.Terms.Name) {
			return entered.Problem("", fmt.Sprintf("%q is the name of %s already: write another, or change that source", other.Terms.Name, other.Key))
		}
	}
	return nil
}

// EditSource changes what the input mentions, and the name unless it is nil. What leads cost changes for those that come from now on.
func (op *Operator) EditSource(ctx context.Context, by audit.Actor, word string, name *string, in entered.SourceTerms) (source.Source, error) {
	return op.changeSource(ctx, by, audit.SourceEdit, word, func(all []source.Source, s *source.Source) error {
		terms, problems := in.ApplyTo(s.Terms)
		entered.ParseField(&problems, "name", name, &terms.Name, entered.ParseSourceName)
		if err := problems.OrNil(); err != nil {
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

func (op *Operator) putSource(tx *store.Tx, by audit.Actor, action audit.Action, was source.Source, s *source.Source) error {
	if s.UpdatedAt = op.now(); s.CreatedAt.IsZero() {
		s.CreatedAt = s.UpdatedAt
	}
	if err := tx.Sources().Put(*s); err != nil {
		return err
	}
	if was.Key != "" {
		if err := op.keep(tx, before{At: s.UpdatedAt, Source: &was}); err != nil {
			return err
		}
	}
	return op.record(tx, by, action, s.Key, entered.ChangedSource(was, *s))
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
	Month query.LeadsRow // of the current month, as far as it is counted
	Range query.ReportRange
}

// Sources lists all sources, oldest first, with what they sent this month.
func (op *Operator) Sources(ctx context.Context) (list []SourceSummary, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil || len(all) == 0 {
			return err
		}
		rows := []query.LeadsRow(nil)
		r, err := query.NewReportRange(tx, "", "", op.now())
		switch {
		case lead.KindOf(err) == lead.NotFound: // nothing is counted yet
		case err != nil:
			return err
		default:
			if rows, _, err = query.SourcesReport(tx, r); err != nil {
				return err
			}
		}
		for _, s := range all {
			sum := SourceSummary{Source: s, Range: r}
			if i := slices.IndexFunc(rows, func(row query.LeadsRow) bool { return row.Key == s.Key }); i >= 0 {
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
