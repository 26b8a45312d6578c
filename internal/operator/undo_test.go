package operator_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/source"
	"foyer/internal/store"
)

// undoable is a change, what it changes as a text, and the entry that its undo leaves.
type undoable struct {
	name    string
	prepare func(o *testOperator)
	do      func(o *testOperator, op *operator.Operator) error
	seen    func(o *testOperator) any
	action  audit.Action
	forGood bool // nothing is kept: it cannot be undone
}

const undoBuyer = "buyer_002"

func paused(o *testOperator) {
	if _, err := o.Pause(o.t.Context(), ada, undoBuyer, "on holiday"); err != nil {
		o.t.Fatal(err)
	}
}

func inTest(o *testOperator) {
	if _, _, err := o.Add(o.t.Context(), ada, operator.New{Terms: hvacTerms(func(in *entered.Terms) { in.Name = new("New Air") })}); err != nil {
		o.t.Fatal(err)
	}
}

func blocked(o *testOperator) {
	withSource(o)
	if _, err := o.Sources().Block(o.t.Context(), ada, "src_1", true); err != nil {
		o.t.Fatal(err)
	}
}

func unprepared(*testOperator) {}

func seenBuyer(id string) func(*testOperator) any {
	return func(o *testOperator) any {
		var b buyer.Buyer
		o.update(func(tx *store.Tx) (err error) { b, err = tx.Buyer(id); return err })
		return []any{b.State, b.Why, entered.TermTexts(b.Terms), b.Terms.HeldSince}
	}
}

func seenSource(o *testOperator) any {
	var list []source.Source
	o.update(func(tx *store.Tx) (err error) { list, err = tx.Sources().List(); return err })
	return []any{list[0].State, list[0].Terms}
}

func seenOwed(o *testOperator) any {
	var owed buyer.Cents
	o.update(func(tx *store.Tx) (err error) { owed, err = tx.Ledger().Owed(undoBuyer); return err })
	return owed
}

func seenNumber(o *testOperator) any { return o.store.Suppressed(auditedPhone) }

func seenRule(o *testOperator) any {
	rules, err := o.Alerts().Rules(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	return rules[0].Setting
}

var undoables = []undoable{
	{"pause", unprepared, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Pause(o.t.Context(), ada, undoBuyer, "")
		return err
	}, seenBuyer(undoBuyer), audit.BuyerUndo, false},
	{"resume", paused, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Resume(o.t.Context(), ada, undoBuyer)
		return err
	}, seenBuyer(undoBuyer), audit.BuyerUndo, false},
	{"terms with what the audit trail leaves out", unprepared, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Edit(o.t.Context(), ada, undoBuyer, entered.Terms{Name: new("Hot Air"), URL: new("https://other.example.com/?key=1"), ZIPs: new("331*"), Priority: new(5), CapDay: new(3)})
		return err
	}, seenBuyer(undoBuyer), audit.BuyerUndo, false},
	{"a list of ZIP codes", unprepared, func(o *testOperator, op *operator.Operator) error {
		_, _, err := op.Import(o.t.Context(), ada, undoBuyer, operator.Import{ZIPs: []string{"33139"}, Replace: true})
		return err
	}, seenBuyer(undoBuyer), audit.BuyerUndo, false},
	{"start", inTest, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Start(o.t.Context(), ada, "buyer_004", entered.Held{})
		return err
	}, seenBuyer("buyer_004"), audit.BuyerUndo, false},
	{"start with held leads", inTest, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Start(o.t.Context(), ada, "buyer_004", entered.Held{All: true})
		return err
	}, seenBuyer("buyer_004"), "", true},
	{"block", withSource, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Sources().Block(o.t.Context(), ada, "src_1", true)
		return err
	}, seenSource, audit.SourceUndo, false},
	{"unblock", blocked, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Sources().Unblock(o.t.Context(), ada, "src_1")
		return err
	}, seenSource, audit.SourceUndo, false},
	{"what a source costs", withSource, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Sources().Edit(o.t.Context(), ada, "src_1", new("Mail"), entered.SourceTerms{Cost: new("12.50")})
		return err
	}, seenSource, audit.SourceUndo, false},
	{"a rule", unprepared, func(o *testOperator, op *operator.Operator) error {
		rules, err := op.Alerts().Rules(o.t.Context())
		if err == nil {
			_, err = op.Alerts().EditRule(o.t.Context(), ada, string(rules[0].Name), entered.AlertSetting{On: new(false)})
		}
		return err
	}, seenRule, audit.AlertUndo, false},
	{"a payment", unprepared, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Accounts().TopUp(o.t.Context(), ada, undoBuyer, 500_00, "by mistake")
		return err
	}, seenOwed, audit.BuyerCorrect, false},
	{"a correction", unprepared, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Accounts().Correct(o.t.Context(), ada, undoBuyer, -12_50, "a goodwill")
		return err
	}, seenOwed, audit.BuyerCorrect, false},
	{"a suppressed number", unprepared, func(o *testOperator, op *operator.Operator) error {
		_, err := op.Suppress(o.t.Context(), ada, auditedPhone, "asked for it")
		return err
	}, seenNumber, audit.SuppressionRemove, false},
}

// TestUndo makes each change that can be undone, undoes it twice, and wants what was there before, once, with an entry of its own.
func TestUndo(t *testing.T) {
	for _, c := range undoables {
		t.Run(c.name, func(t *testing.T) {
			o := newTestOperator(t)
			o.add(noTerms)
			c.prepare(o)
			was := c.seen(o)
			key := o.changes(c)
			if same(c.seen(o), was) {
				t.Fatal("it changes nothing")
			}
			can, err := o.CanUndo(t.Context(), key.Key)
			if err != nil || can == c.forGood {
				t.Fatalf("can be undone: %v %v", can, err)
			}
			if c.forGood {
				wantError(t, o.Undo(t.Context(), ada, key.Key), "cannot be undone any more")
				return
			}
			entries := len(o.trail())
			for range 2 {
				o.now = o.now.Add(time.Second)
				if err := o.Undo(t.Context(), ada, key.Key); err != nil {
					t.Fatal(err)
				}
			}
			if now := c.seen(o); !same(now, was) {
				t.Errorf("it became\n%v, not\n%v", now, was)
			}
			if trail := o.trail(); len(trail) != entries+1 || trail[0].Action != c.action || trail[0].Actor != ada {
				t.Errorf("the trail has %d more: %+v", len(trail)-entries, trail[0])
			}
			if can, err := o.CanUndo(t.Context(), key.Key); err != nil || can {
				t.Errorf("it can be undone again: %v", err)
			}
		})
	}
}

// TestUndoAfterAnotherChange leaves alone what somebody else changed since, what is too old, and what was removed.
func TestUndoAfterAnotherChange(t *testing.T) {
	since := map[string]func(o *testOperator) error{
		"pause": func(o *testOperator) error {
			_, err := o.Edit(o.t.Context(), ada, undoBuyer, entered.Terms{Priority: new(1)})
			return err
		},
		"resume": func(o *testOperator) error {
			_, _, err := o.Remove(o.t.Context(), ada, undoBuyer, true)
			return err
		},
		"block": func(o *testOperator) error {
			_, err := o.Sources().Edit(o.t.Context(), ada, "src_1", nil, entered.SourceTerms{CapDay: new(7)})
			return err
		},
		"a rule": func(o *testOperator) error {
			_, err := o.Alerts().EditRule(o.t.Context(), ada, "buyer_down", entered.AlertSetting{Cooldown: new(77)})
			return err
		},
		"a suppressed number": func(o *testOperator) error {
			_, err := o.Unsuppress(o.t.Context(), ada, auditedPhone)
			return err
		},
		"a payment": func(o *testOperator) error { o.now = o.now.Add(lead.IdempotencyWindow); return nil },
	}
	for _, c := range undoables {
		change := since[c.name]
		if change == nil {
			continue
		}
		delete(since, c.name)
		t.Run(c.name, func(t *testing.T) {
			o := newTestOperator(t)
			o.add(noTerms)
			c.prepare(o)
			key := o.changes(c)
			o.now = o.now.Add(time.Second)
			if err := change(o); err != nil {
				t.Fatal(err)
			}
			entries := len(o.trail())
			if can, err := o.CanUndo(t.Context(), key.Key); err != nil || can {
				t.Errorf("it can be undone: %v", err)
			}
			wantError(t, o.Undo(t.Context(), ada, key.Key), "cannot be undone any more")
			if len(o.trail()) != entries {
				t.Error("a refused undo is in the trail")
			}
		})
	}
	if len(since) > 0 {
		t.Errorf("not tried: %v", since)
	}
}

// TestUndoIsUndone takes an undo back, as any other change.
func TestUndoIsUndone(t *testing.T) {
	o := newTestOperator(t)
	o.add(noTerms)
	was := seenBuyer(undoBuyer)(o)
	key := o.changes(undoables[0])
	changed := seenBuyer(undoBuyer)(o)
	again := lead.Idempotency{Key: "again", Request: "undo"}
	o.now = o.now.Add(time.Second)
	if err := o.Undoable(again).Undo(t.Context(), ada, key.Key); err != nil {
		t.Fatal(err)
	}
	if err := o.Undoable(again).Undo(t.Context(), ada, key.Key); !errors.Is(err, operator.ErrKeyUsed) || !same(seenBuyer(undoBuyer)(o), was) {
		t.Errorf("the same form again: %v", err)
	}
	o.now = o.now.Add(time.Second)
	if err := o.Undo(t.Context(), ada, again.Key); err != nil || !same(seenBuyer(undoBuyer)(o), changed) {
		t.Errorf("the undo is not undone: %v", err)
	}
}

// changes makes a change that can be undone, and returns its key.
func (o *testOperator) changes(c undoable) lead.Idempotency {
	o.t.Helper()
	key := lead.Idempotency{Key: "form", Request: c.name}
	o.now = o.now.Add(time.Second)
	if err := c.do(o, o.Undoable(key)); err != nil {
		o.t.Fatal(err)
	}
	return key
}

// trail is the audit trail, newest first.
func (o *testOperator) trail() (list []audit.Entry) {
	o.t.Helper()
	o.update(func(tx *store.Tx) (err error) { list, err = tx.Audit(store.AuditFilter{Limit: 100}); return err })
	return list
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
