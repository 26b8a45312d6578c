package dbadmin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
	"foyer/internal/store/sources"
)

// checkLeads reads every lead as a service would.
func (c *checkRun) checkLeads() error {
	consents, err := c.checkConsentTexts()
	if err != nil {
		return err
	}
	var total int64
	if c.watch != nil { // the count reads a whole index
		if err := c.snap.QueryRowContext(c.ctx, `SELECT count(*) FROM leads`).Scan(&total); err != nil {
			return err
		}
	}
	c.leads = 0
	return db.Each(c.ctx, c.snap, func(r db.Row) error {
		if c.leads++; c.leads%db.ProgressEvery == 0 {
			c.watch.Report(db.Progress{What: "checking: leads", Done: c.leads, Of: total, Unit: "leads"})
		}
		c.checkLead(r.Text(0), lead.Status(r.Text(1)), r.Text(2), r.Text(3), r.Text(4), consents)
		return nil
	}, `SELECT id, status, job, contact, evidence FROM leads ORDER BY seq`)
}

// checkLead reports what is wrong with one lead. It omits the parser's error, which may quote personal data.
func (c *checkRun) checkLead(id string, status lead.Status, job, contact, evidence string, consents map[string]bool) {
	var l lead.Lead
	for _, part := range []struct {
		name string
		text string
		dest any
	}{{"job", job, &l.Request.Job}, {"contact", contact, &l.Request.Contact}, {"evidence", evidence, &l.Evidence}} {
		if part.name == "contact" && part.text == "" { // erased
			continue
		}
		if json.Unmarshal([]byte(part.text), part.dest) != nil || db.CheckText([]any{part.text}) != nil {
			c.report(db.Finding{What: fmt.Sprintf("%s: its %s cannot be read", id, part.name), Remedy: restoreRow})
			return
		}
	}
	if status != lead.Received && !slices.Contains(store.ListedStatuses, status) {
		c.report(db.Finding{What: id + ": its status is none that is kept", Remedy: restoreRow})
	}
	switch {
	case l.Request.Consent && !consents[l.Evidence.Consent.Hash]:
		c.report(db.Finding{
			What:   id + ": the words that the person agreed to are not kept",
			Remedy: "bring the rows of consent_texts back from a backup; until then nobody can prove this consent",
		})
	case !l.Request.Consent && l.Request.Contact != lead.Contact{}:
		c.report(db.Finding{What: id + ": it holds a contact without consent", Remedy: "foyer leads erase " + id})
	}
}

// checkConsentTexts returns the hashes of the stored consent texts, and reports each text that does not match its hash, since
// that text proves nothing.
func (c *checkRun) checkConsentTexts() (map[string]bool, error) {
	hashes := make(map[string]bool)
	return hashes, db.Each(c.ctx, c.snap, func(r db.Row) error {
		hash, text := r.Text(0), r.Text(1)
		sum := sha256.Sum256([]byte(text))
		if hashes[hash] = true; hex.EncodeToString(sum[:]) != hash {
			c.report(db.Finding{What: fmt.Sprintf("the consent text %.16s… is not the one that its hash was made of", hash), Remedy: "bring the rows of consent_texts back from a backup"})
		}
		return nil
	}, `SELECT hash, text FROM consent_texts ORDER BY hash`)
}

// checkSources reads every source.
func (c *checkRun) checkSources() error {
	return db.Each(c.ctx, c.snap, func(r db.Row) error {
		if s, err := sources.Scan(r); err != nil {
			c.report(db.Finding{What: s.Key + ": its terms cannot be read, and its key counts for nothing", Remedy: restoreRow})
		}
		return nil
	}, `SELECT `+sources.Columns+` FROM sources ORDER BY id`)
}

// checkBuyers reads every buyer.
func (c *checkRun) checkBuyers() error {
	return db.Each(c.ctx, c.snap, func(r db.Row) error {
		if b, err := rows.Buyer(r); err != nil {
			c.report(db.Finding{What: b.ID + ": its terms or secrets cannot be read", Remedy: "bring its row back from a backup, or add the buyer anew"})
		}
		return nil
	}, `SELECT `+rows.BuyerColumns+` FROM buyers ORDER BY id`)
}
