package main_test

import (
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// execSQL changes the database of a test without the store, as other processes do.
func execSQL(t *testing.T, database string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", strings.TrimPrefix(database, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		_, failed := db.Exec(s)
		err = errors.Join(err, failed)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestTimelineShowsPassedOver wants the passed-over buyers with the offer that went to another buyer, and where a lead was
// held. A name with bidirectional marks must not reverse the text.
func TestTimelineShowsPassedOver(t *testing.T) {
	storetest.Parallel(t)
	database := newLongHistory(t)
	execSQL(t, database,
		`UPDATE buyers SET state = 'removed' WHERE id = 'buyer_b'`,
		`UPDATE offers SET passed_over = '[{"buyer":"buyer_b","name":"Breeze & Sons","rule":"hours","reason":"it is closed"}]' WHERE id = 'offer_1'`,
		"UPDATE history SET passed_over = '[{\"buyer\":\"buyer_c\",\"name\":\"\u202eeliW\",\"rule\":\"cap\",\"reason\":\"its cap of 3 for the day is reached\"},{\"buyer\":\"buyer_d\",\"name\":\"\",\"rule\":\"state\",\"reason\":\"it is paused\"}]' WHERE status = 'collected'",
	)
	show, _, _ := run(t, "leads", "show", "lead_1", "--database", database)
	for _, want := range []string{
		"offer_1 to buyer_a (Cool Air): declined (cap), buyer's lead id: lead_1a\n" + strings.Repeat(" ", 36) + "passed over: buyer_b (Breeze & Sons), hours: it is closed\n",
		"offer_3 to buyer_b (Breeze & Sons, removed), in one step",
		"collected: nobody who covers it took it (by the service)\n" + strings.Repeat(" ", 36) + "passed over: buyer_c (eliW), cap: its cap of 3 for the day is reached\n" +
			strings.Repeat(" ", 36) + "passed over: buyer_d (removed), state: it is paused\n",
	} {
		if !strings.Contains(show, want) {
			t.Errorf("nothing like\n%s\nin\n%s", want, show)
		}
	}
	document, _, _ := run(t, "leads", "show", "lead_1", "--json", "--database", database)
	if !strings.Contains(document, `"rule": "hours"`) || !strings.Contains(document, `\u202eeliW`) || strings.Contains(show+document, "\u202e") {
		t.Errorf("as JSON:\n%s", document)
	}
}

// TestTimelineOfErrorsAndErasure checks the wording: a lead is in error, and an erased one keeps its status. The lines are
// in the order in which they were written, even if a clock was set back.
func TestTimelineOfErrorsAndErasure(t *testing.T) {
	storetest.Parallel(t)
	database := newLongHistory(t)
	st, err := store.Open(t.Context(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	err = st.Update(t.Context(), func(p *store.Tx) error {
		seq, err := p.LeadOf("lead_2")
		from := lead.Collected
		for i, to := range []lead.Status{lead.Received, lead.Errored, lead.Collected} {
			err = errors.Join(err, p.Change(seq, from, lead.Change{At: after(time.Duration(-i) * time.Minute), Status: to, Actor: lead.ByOperator, Reason: "reason " + string(to)}))
			from = to
		}
		return err
	})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := run(t, "keys", "init", "--database", database); code != 0 {
		t.Fatal(stderr)
	}
	for _, id := range []string{"lead_1", "lead_2"} {
		if _, stderr, code := run(t, "leads", "erase", id, "--database", database); code != 0 {
			t.Fatal(stderr)
		}
	}
	forwarded, _, _ := run(t, "leads", "show", "lead_1", "--database", database)
	if !strings.Contains(forwarded, "erased    personal details erased (by the operator); the lead stays forwarded\n") {
		t.Errorf("an erased lead that was forwarded:\n%s", forwarded)
	}
	execSQL(t, database, `UPDATE history SET status = 'error' WHERE status = 'forwarded'`)
	if failed, _, _ := run(t, "leads", "show", "lead_1", "--database", database); !strings.Contains(failed, "the lead stays in error\n") {
		t.Errorf("an erased lead in error:\n%s", failed)
	}
	show, _, _ := run(t, "leads", "show", "lead_2", "--database", database)
	last := 0
	for _, want := range []string{
		"arrived  via JSON API\n", "status   received: reason received (by the operator)\n", "status   in error: reason error (by the operator)\n",
		"status   collected: reason collected (by the operator)\n", "erased   personal details erased (by the operator); the lead is now rejected\n",
	} {
		at := strings.Index(show, want)
		if at < last {
			t.Errorf("%q is missing, or out of order:\n%s", want, show)
		}
		last = at
	}
}
