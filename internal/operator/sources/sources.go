// Package sources is what an operator does about where leads come from: partners and campaigns, with keys for their links. Each change names
// its actor, and is written to the audit trail in the transaction that makes it.
//
// The package marks and holds no lead: the intake does, by the state of the source that a request names.
package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/source"
	"foyer/internal/store"
)

// Sources carries out what an operator does about sources.
type Sources struct {
	Store  Store
	Now    func() time.Time
	NewKey func(prefix string) string
	Record func(tx *store.Tx, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error // in the audit trail
	Keep   func(tx *store.Tx, was source.Source, at time.Time) error                                          // for Undo
}

// Store is what Sources needs of the database.
type Store interface {
	Update(ctx context.Context, do func(*store.Tx) error) error
	View(ctx context.Context, do func(*store.Tx) error) error
}

// Add adds a source and gives it a key.
func (so *Sources) Add(ctx context.Context, by audit.Actor, name string, in entered.SourceTerms) (s source.Source, err error) {
	terms, problems := in.ApplyTo(source.Terms{})
	entered.ParseField(&problems, "", &name, &terms.Name, entered.ParseSourceName) // an argument, and no flag
	if err := problems.OrNil(); err != nil {
		return s, err
	}
	s = source.Source{Key: so.NewKey(entered.SourceKeyPrefix), Terms: terms, State: source.Active}
	err = so.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil {
			return err
		}
		if err := checkNameFree(all, s); err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(other source.Source) bool { return other.Key == s.Key }) {
			return entered.Refuse("the new key is taken: try again")
		}
		return so.put(tx, by, audit.SourceAdd, source.Source{}, &s)
	})
	return s, err
}

func checkNameFree(all []source.Source, s source.Source) error {
	for _, other := range all {
		if other.Key != s.Key && strings.EqualFold(other.Terms.Name, s.Terms.Name) {
			return entered.Problem("", fmt.Sprintf("%q is the name of %s already: write another, or change that source", other.Terms.Name, other.Key))
		}
	}
	return nil
}

// Edit changes what the input mentions, and the name unless it is nil. What leads cost changes for those that come from now on.
func (so *Sources) Edit(ctx context.Context, by audit.Actor, word string, name *string, in entered.SourceTerms) (source.Source, error) {
	return so.change(ctx, by, audit.SourceEdit, word, func(all []source.Source, s *source.Source) error {
		terms, problems := in.ApplyTo(s.Terms)
		entered.ParseField(&problems, "name", name, &terms.Name, entered.ParseSourceName)
		if err := problems.OrNil(); err != nil {
			return err
		}
		s.Terms = terms
		return checkNameFree(all, *s)
	})
}

// Block makes a key count for nothing: requests that name it are kept as if they named none, and marked. With hold, they are held
// until the operator releases them.
func (so *Sources) Block(ctx context.Context, by audit.Actor, word string, hold bool) (source.Source, error) {
	return so.change(ctx, by, audit.SourceBlock, word, func(_ []source.Source, s *source.Source) error {
		s.State, s.Terms.Hold = source.Blocked, hold
		return nil
	})
}

// Unblock makes a key count again. Leads that are held stay held.
func (so *Sources) Unblock(ctx context.Context, by audit.Actor, word string) (source.Source, error) {
	return so.change(ctx, by, audit.SourceUnblock, word, func(_ []source.Source, s *source.Source) error {
		s.State, s.Terms.Hold = source.Active, false
		return nil
	})
}

func (so *Sources) change(ctx context.Context, by audit.Actor, action audit.Action, word string, edit func(all []source.Source, s *source.Source) error) (s source.Source, err error) {
	err = so.Store.Update(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil {
			return err
		}
		if s, err = find(all, word); err != nil {
			return err
		}
		before := s
		if err := edit(all, &s); err != nil {
			return err
		}
		return so.put(tx, by, action, before, &s)
	})
	return s, err
}

func (so *Sources) put(tx *store.Tx, by audit.Actor, action audit.Action, was source.Source, s *source.Source) error {
	if s.UpdatedAt = so.Now(); s.CreatedAt.IsZero() {
		s.CreatedAt = s.UpdatedAt
	}
	if err := tx.Sources().Put(*s); err != nil {
		return err
	}
	if was.Key != "" {
		if err := so.Keep(tx, was, s.UpdatedAt); err != nil {
			return err
		}
	}
	return so.Record(tx, by, action, s.Key, entered.ChangedSource(was, *s))
}

// PutBack gives a source the terms and the state that it had, in a transaction.
func (so *Sources) PutBack(tx *store.Tx, by audit.Actor, was source.Source) error {
	all, err := tx.Sources().List()
	if err != nil {
		return err
	}
	now, err := find(all, was.Key)
	if err != nil {
		return err
	}
	after := now
	after.Terms, after.State = was.Terms, was.State
	if err := checkNameFree(all, after); err != nil {
		return err
	}
	return so.put(tx, by, audit.SourceUndo, now, &after)
}

// find finds a source by its key or name.
func find(all []source.Source, word string) (source.Source, error) {
	for _, s := range all {
		if s.Key == word || strings.EqualFold(s.Terms.Name, strings.TrimSpace(word)) {
			return s, nil
		}
	}
	return source.Source{}, &lead.Error{Kind: lead.NotFound, Message: "There is no source with this name or key."}
}

// Summary is a source with what it sent lately.
type Summary struct {
	source.Source
	Month query.LeadsRow // of the current month, as far as it is counted
	Range query.ReportRange
}

// List lists all sources, oldest first, with what they sent this month.
func (so *Sources) List(ctx context.Context) (list []Summary, err error) {
	err = so.Store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Sources().List()
		if err != nil || len(all) == 0 {
			return err
		}
		rows := []query.LeadsRow(nil)
		r, err := query.NewReportRange(tx, "", "", so.Now())
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
			sum := Summary{Source: s, Range: r}
			if i := slices.IndexFunc(rows, func(row query.LeadsRow) bool { return row.Key == s.Key }); i >= 0 {
				sum.Month = rows[i]
			}
			list = append(list, sum)
		}
		return nil
	})
	return list, err
}

// Find returns one source, by its name or key, with what it sent this month.
func (so *Sources) Find(ctx context.Context, word string) (Summary, error) {
	all, err := so.List(ctx)
	if err != nil {
		return Summary{}, err
	}
	plain := make([]source.Source, len(all))
	for i, s := range all {
		plain[i] = s.Source
	}
	s, err := find(plain, word)
	if err != nil {
		return Summary{}, err
	}
	return all[slices.IndexFunc(all, func(sum Summary) bool { return sum.Key == s.Key })], nil
}
