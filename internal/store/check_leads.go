package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
)

// checkLeads reads every lead as a service would.
func (x *checkRun) checkLeads() error {
	consents, err := x.checkConsentTexts()
	if err != nil {
		return err
	}
	all, err := x.countLeads()
	if err != nil {
		return err
	}
	x.leads = 0
	return each(x.ctx, x.snap, func(r scanner) error {
		var id string
		var status lead.Status
		var job, contact, evidence []byte
		if err := r.Scan(&id, &status, &job, &contact, &evidence); err != nil {
			return err
		}
		if x.leads++; x.leads%progressEvery == 0 {
			x.watch(Progress{What: "checking: leads", Done: x.leads, Of: all, Unit: "leads"})
		}
		x.checkLead(id, status, job, contact, evidence, consents)
		return nil
	}, `SELECT id, status, job, contact, evidence FROM leads ORDER BY seq`)
}

// progressEvery is after how many rows whoever watches is told.
const progressEvery = 500

// countLeads is how many leads there are to look at. It reads through an index, so it is asked only where somebody watches.
func (x *checkRun) countLeads() (all int64, err error) {
	if x.wantsTotal {
		err = x.snap.QueryRowContext(x.ctx, `SELECT count(*) FROM leads`).Scan(&all)
	}
	return all, err
}

// checkLead says what is wrong with one. The parser's words are kept back: they may hold a part of what they could not read.
func (x *checkRun) checkLead(id string, status lead.Status, job, contact, evidence []byte, consents map[string]bool) {
	var l lead.Lead
	for _, part := range []struct {
		name string
		text []byte
		into any
	}{{"job", job, &l.Request.Job}, {"contact", contact, &l.Request.Contact}, {"evidence", evidence, &l.Evidence}} {
		if part.name == "contact" && len(part.text) == 0 { // erased
			continue
		}
		if json.Unmarshal(part.text, part.into) != nil || checkText([]any{part.text}) != nil {
			x.report(Finding{What: fmt.Sprintf("%s: its %s cannot be read", id, part.name), Remedy: restoreRow})
			return
		}
	}
	if status != lead.Received && !slices.Contains(listed, status) {
		x.report(Finding{What: id + ": its status is none that is kept", Remedy: restoreRow})
	}
	switch {
	case l.Request.Consent && !consents[l.Evidence.Consent.Hash]:
		x.report(Finding{
			What:   id + ": the words that the person agreed to are not kept",
			Remedy: "bring the rows of consent_texts back from a backup; until then nobody can prove this consent",
		})
	case !l.Request.Consent && l.Request.Contact != lead.Contact{}:
		x.report(Finding{What: id + ": it holds a contact without consent", Remedy: "foyer leads erase " + id})
	}
}

// checkConsentTexts are the hashes of the words that are kept. Words that are not those of their hash prove nothing.
func (x *checkRun) checkConsentTexts() (map[string]bool, error) {
	kept := make(map[string]bool)
	return kept, each(x.ctx, x.snap, func(r scanner) error {
		var hash, text string
		if err := r.Scan(&hash, &text); err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(text))
		if kept[hash] = true; hex.EncodeToString(sum[:]) != hash {
			x.report(Finding{What: fmt.Sprintf("the consent text %.16s… is not the one that its hash was made of", hash), Remedy: "bring the rows of consent_texts back from a backup"})
		}
		return nil
	}, `SELECT hash, text FROM consent_texts ORDER BY hash`)
}

// checkBuyers reads every buyer.
func (x *checkRun) checkBuyers() error {
	return each(x.ctx, x.snap, func(r scanner) error {
		b, err := scanBuyer(r)
		if err != nil && b.ID == "" {
			return err
		}
		if err != nil {
			x.report(Finding{What: b.ID + ": its terms or secrets cannot be read", Remedy: "bring its row back from a backup, or add the buyer anew"})
		}
		return nil
	}, `SELECT `+buyerColumns+` FROM buyers ORDER BY id`)
}
