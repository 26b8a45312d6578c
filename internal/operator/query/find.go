// Package query answers what operators ask: which leads match a filter, what reports say, what edited terms would do, who would be asked
// about a lead, where a buyer stands, and what is on a statement.
//
// The package reads one snapshot, given to it as a transaction, and changes nothing.
package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/source"
	"foyer/internal/store"
)

// FilterWord is a word by which leads are filtered. It is the same in every place where leads are listed.
type FilterWord struct {
	Name  string
	Value string // what stands for the value in a help text
	Help  string
	parse func(q *Filter, values []string, c entered.Clock) error
	whole bool // a comma is part of the value
	once  bool // there is only one value
}

// FilterWords are the words by which leads are filtered, in the order in which they are explained.
var FilterWords = []FilterWord{
	{Name: "id", Value: "ID", Help: "The lead with this id, with the id that a buyer has for it, or of an offer.", parse: func(q *Filter, values []string, _ entered.Clock) error {
		q.ids = values
		return nil
	}},
	{Name: "phone", Value: "NUMBER", Help: "Leads of this phone number.", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.Phones, err = parseEach(values, lead.Phone, "not a US phone number: write ten digits")
		return err
	}},
	{Name: "email", Value: "ADDRESS", Help: "Leads of this e-mail address.", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.Emails, err = parseEach(values, lead.Email, "not an e-mail address: write one such as pat@example.com")
		return err
	}},
	{Name: "name", Value: "TEXT", Help: "Leads whose name has this text in it. Needs --received.", whole: true, once: true, parse: func(q *Filter, values []string, _ entered.Clock) error {
		q.filter.Name = values[0]
		return nil
	}},
	{Name: "status", Value: "STATUS", Help: "Leads with this status: " + words(listedStatuses) + ".", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.Statuses, err = choose(values, listedStatuses)
		return err
	}},
	{Name: "service", Value: "SERVICE", Help: "Leads for this service.", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.Services, err = choose(values, lead.Services)
		return err
	}},
	{Name: "zip", Value: "ZIP", Help: "Leads in this ZIP code, or in all that begin like 303*.", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.ZIPs, err = parseEach(values, zipOrPrefix, "not a ZIP code: write five digits, or how it begins, such as 303*")
		return err
	}},
	{Name: "state", Value: "STATE", Help: "Leads whose ZIP code is in this state, such as GA or Georgia.", parse: filterStates},
	{Name: "mark", Value: "MARK", Help: "Leads with this mark: " + words(lead.Marks) + ".", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.Marks, err = choose(values, lead.Marks)
		return err
	}},
	{Name: "source", Value: "SOURCE", Help: "Leads of this source, by its name or key, or direct for leads without one.", whole: true, parse: func(q *Filter, values []string, _ entered.Clock) error {
		q.sources = values
		return nil
	}},
	{Name: "buyer", Value: "BUYER", Help: "Leads that this buyer has or may have, by its name or id.", whole: true, parse: func(q *Filter, values []string, _ entered.Clock) error {
		q.buyers = values
		return nil
	}},
	{Name: "offered", Value: "BUYER", Help: "Leads that this buyer was asked about.", whole: true, parse: func(q *Filter, values []string, _ entered.Clock) error {
		q.offered = values
		return nil
	}},
	{Name: "outcome", Value: "OUTCOME", Help: "Leads that reports count as " + words(buyer.Outcomes) + ".", parse: func(q *Filter, values []string, _ entered.Clock) (err error) {
		q.filter.Outcomes, err = choose(values, buyer.Outcomes)
		return err
	}},
	{Name: "received", Value: "DATES", Help: "Leads that came on these dates: 2026-11-05, 2026-11, 2026-11-01..2026-11-07, 2026-11-01.., today, yesterday, 7d or 12h.", parse: func(q *Filter, values []string, c entered.Clock) (err error) {
		q.filter.Received, err = entered.ParseSpan(values[0], c)
		return err
	}, whole: true, once: true},
	{Name: "sold", Value: "DATES", Help: "Leads whose contact a buyer acknowledged on these dates.", parse: func(q *Filter, values []string, c entered.Clock) (err error) {
		q.filter.Sold, err = entered.ParseSpan(values[0], c)
		return err
	}, whole: true, once: true},
}

var listedStatuses = append([]lead.Status{lead.Received}, store.ListedStatuses...)

// Filter is a filter that was read. Ids and buyers are looked up when it runs.
type Filter struct {
	filter                        store.LeadFilter
	ids, buyers, offered, sources []string
}

// ParseFilter reads a filter, by its words. Several values, separated by commas or given one by one, mean that one of them has to match.
// Days begin in the zone.
func ParseFilter(given map[string][]string, now time.Time, zone *time.Location) (q Filter, err error) {
	for _, w := range FilterWords {
		texts := given[w.Name]
		if len(texts) == 0 {
			continue
		}
		values := texts
		if !w.whole {
			values = entered.SplitList(strings.Join(texts, ","))
		}
		switch err = nil; {
		case len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return strings.TrimSpace(v) == "" }):
			err = errors.New("it is empty: write a value, or leave it out")
		case w.once && len(values) > 1:
			err = errors.New("it is given twice: write one value")
		default:
			err = w.parse(&q, values, entered.Clock{Now: now, Zone: zone})
		}
		if err != nil {
			return q, lead.InvalidField(w.Name, w.Name+": "+err.Error()+".")
		}
	}
	for name := range given {
		if !slices.ContainsFunc(FilterWords, func(w FilterWord) bool { return w.Name == name }) {
			return q, lead.InvalidField(name, name+": there is no such filter. Leads are filtered by "+words(FilterNames())+".")
		}
	}
	if q.filter.Name != "" && q.filter.Received.From.IsZero() {
		return q, lead.InvalidField("name", "name: names are searched one by one: give a range of dates with received, too, such as 30d.")
	}
	return q, nil
}

func FilterNames() (names []string) {
	for _, w := range FilterWords {
		names = append(names, w.Name)
	}
	return names
}

// Find runs the query on a snapshot. key is that of the search index, or nil if it is missing.
func (q Filter) Find(tx *store.Tx, key []byte, page store.LeadPage) (found store.FoundLeads, err error) {
	for _, id := range q.ids {
		seq, err := tx.LeadOf(id)
		if err != nil {
			return found, err
		}
		q.filter.Leads = append(q.filter.Leads, seq)
	}
	if len(q.buyers)+len(q.offered) > 0 {
		buyers, err := tx.Ledger().Buyers()
		if err != nil {
			return found, err
		}
		if q.filter.Buyers, err = buyerIDs(buyers, "buyer", q.buyers); err != nil {
			return found, err
		}
		if q.filter.Offered, err = buyerIDs(buyers, "offered", q.offered); err != nil {
			return found, err
		}
	}
	if len(q.sources) > 0 {
		if q.filter.Sources, err = sourceKeys(tx, q.sources); err != nil {
			return found, err
		}
	}
	return tx.FindLeads(q.filter, key, page)
}

// SearchTime is how long a page may be searched, so that it is there within 200 ms: the last batch and the rows of the page come on top.
const SearchTime = 140 * time.Millisecond

// buyerIDs finds buyers by their names or ids. Several may have had a name: leads of each of them are meant.
func buyerIDs(all []buyer.Buyer, filter string, given []string) (ids []string, err error) {
	ids, unknown := findAll(given, func(word string) (list []string) {
		for _, b := range all {
			if b.ID == word || strings.EqualFold(b.Terms.Name, word) {
				list = append(list, b.ID)
			}
		}
		return list
	})
	if unknown != "" {
		return nil, &lead.Error{Kind: lead.NotFound, Message: fmt.Sprintf("%s: there is no buyer with the name or id %.80q.", filter, unknown)}
	}
	return ids, nil
}

// sourceKeys finds sources by their names or keys.
func sourceKeys(tx *store.Tx, given []string) (keys []string, err error) {
	all, err := tx.Sources().List()
	if err != nil {
		return nil, err
	}
	keys, unknown := findAll(given, func(word string) (list []string) {
		for _, s := range all {
			if s.Key == word || strings.EqualFold(s.Terms.Name, word) {
				list = append(list, s.Key)
			}
		}
		if strings.EqualFold(word, source.Direct) {
			list = append(list, "")
		}
		return list
	})
	if unknown != "" {
		return nil, &lead.Error{Kind: lead.NotFound, Message: fmt.Sprintf("source: there is no source with the name or key %.80q.", unknown)}
	}
	return keys, nil
}

// findAll finds what texts name. A name may have a comma; otherwise commas separate names. unknown is the first that names nothing.
func findAll(given []string, named func(word string) []string) (ids []string, unknown string) {
	for _, text := range given {
		found := named(strings.TrimSpace(text))
		if ids = append(ids, found...); len(found) > 0 {
			continue
		}
		for _, word := range entered.SplitList(text) {
			found := named(word)
			if ids = append(ids, found...); len(found) == 0 {
				return nil, word
			}
		}
	}
	return ids, ""
}

// parseEach parses values. The error does not repeat one that may be personal.
func parseEach(values []string, parse func(string) (string, bool), problem string) (list []string, err error) {
	for i, v := range values {
		parsed, ok := parse(v)
		switch {
		case !ok && len(values) > 1:
			return nil, fmt.Errorf("value %d of %d is %s", i+1, len(values), problem)
		case !ok:
			return nil, errors.New(problem)
		}
		list = append(list, parsed)
	}
	return list, nil
}

func choose[T ~string](values []string, from []T) (list []T, err error) {
	for _, v := range values {
		word := T(entered.NormalizeWord(v))
		if !slices.Contains(from, word) {
			return nil, fmt.Errorf("%.40q is unknown: write %s", v, words(from))
		}
		list = append(list, word)
	}
	return list, nil
}

func words[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = string(w)
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

func zipOrPrefix(text string) (string, bool) {
	begin, isPrefix := strings.CutSuffix(text, "*")
	if !isPrefix {
		return lead.ZIP(text)
	}
	return text, begin != "" && len(begin) < 5 && strings.Trim(begin, "0123456789") == ""
}

const noState = "not a state with ZIP codes of its own: write its code or its name, such as GA or Georgia"

func filterStates(q *Filter, values []string, _ entered.Clock) error {
	states, err := parseEach(values, entered.ParseState, noState)
	q.filter.InState = func(zip string) bool { return slices.Contains(states, buyer.StateOf(zip)) }
	return err
}
