package store

import (
	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
	"foyer/internal/store/search"
)

// Erase deletes personal data: the contact of a lead, where it came from, free text, what buyers answered and were told, which may name
// the person, who sent privacy requests about the lead, its fingerprint, and its terms in the search index. left is what stays of the
// evidence. After the commit, the engine's TruncateLog deletes what remains on the disk.
func (tx *Tx) Erase(seq int64, left lead.Evidence, fingerprint string, terms []int64) error {
	var job lead.Job
	var id string
	if err := tx.query(`SELECT job, id FROM leads WHERE seq = $1`, []any{seq}, func(r db.Row) error {
		if id = r.Text(1); json.Unmarshal([]byte(r.Text(0)), &job) != nil {
			job = lead.Job{} // unreadable JSON may contain anything, so nothing of it stays
		}
		return nil
	}); err != nil {
		return err
	}
	tx.erased = true
	if err := tx.exec(`UPDATE leads SET contact = NULL, job = $1, evidence = $2 WHERE seq = $3`,
		string(rows.EncodeJob(nil, new(job.Anonymized()))), string(rows.EncodeEvidence(nil, &left)), seq); err != nil {
		return err
	}
	for _, statement := range []string{
		`UPDATE attempts SET answer = '' WHERE lead_seq = $1`,
		`UPDATE offers SET returned_reason = '', buyer_ref = '' WHERE lead_seq = $1`,
		`UPDATE returns SET note = '' WHERE offer_id IN (SELECT id FROM offers WHERE lead_seq = $1)`,
	} {
		if err := tx.exec(statement, seq); err != nil {
			return err
		}
	}
	if err := tx.exec(`UPDATE privacy_requests SET evidence = '' WHERE lead_id = $1 AND lead_id <> ''`, id); err != nil {
		return err
	}
	if err := search.Forget(tx.conn, seq, terms); err != nil {
		return err
	}
	return tx.deleteFingerprint(seq, fingerprint)
}
