package search

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"io"
	"math"
	"strings"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
)

// Terms of persons are keyed hashes and negative; the others are plain and positive. Two terms may have the same hash, so Find compares
// what it found with the lead itself.

func keyedTerm(key []byte, kind, value string) int64 {
	h := hmac.New(sha256.New, key)
	_, _ = io.WriteString(h, "search "+kind+"\x00"+value) // a hash never fails
	return int64(binary.BigEndian.Uint64(h.Sum(nil))) | math.MinInt64
}

func plainTerm(kind, value string) int64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, kind+"\x00"+value)
	return int64(h.Sum64() >> 1)
}

func phoneTerm(key []byte, phone string) int64 { return keyedTerm(key, "phone", phone) }

func emailTerm(key []byte, email string) int64 {
	return keyedTerm(key, "email", strings.ToLower(email))
}

func zipTerm(zip string) int64 { return plainTerm("zip", zip) }

func sourceTerm(key string) int64 { return plainTerm("source", key) }

func buyerTerm(id string) int64 { return plainTerm("buyer", id) }

// contact is what the index knows of a person.
type contact struct {
	Name  string `json:"name"`
	Phone string `json:"phone"`
	Email string `json:"email"`
}

// ContactTerms are the terms by which a person is found: nil without a key, and only then.
func ContactTerms(key []byte, c lead.Contact) []int64 {
	return contact{Phone: c.Phone, Email: c.Email}.terms(key)
}

func (c contact) terms(key []byte) []int64 {
	if key == nil {
		return nil
	}
	terms := []int64{} // not nil: Forget would read the whole index for a person who was erased before
	if c.Phone != "" {
		terms = append(terms, phoneTerm(key, c.Phone))
	}
	if c.Email != "" {
		terms = append(terms, emailTerm(key, c.Email))
	}
	return terms
}

// decodeContact reads who sent a lead. It is empty if the lead is erased or damaged: an index must not fail for one lead.
func decodeContact(text string) (c contact) {
	if text == "" || json.Unmarshal([]byte(text), &c) != nil {
		return contact{}
	}
	return c
}

// Forget deletes the terms of a person from the index. If they are nil, because the key is missing, it reads the whole index.
func Forget(c db.Conn, leadSeq int64, terms []int64) error {
	if terms == nil {
		return c.Exec(`DELETE FROM search_index WHERE hash < 0 AND lead_seq = $1`, []any{leadSeq})
	}
	for _, term := range terms {
		if err := c.Exec(`DELETE FROM search_index WHERE hash = $1 AND lead_seq = $2`, []any{term, leadSeq}); err != nil {
			return err
		}
	}
	return nil
}

// The followers that fill the index.
const (
	leadsFollower    = "search leads"
	attemptsFollower = "search attempts"
)

// Reset has the job empty the index and fill it again: the keys were replaced.
func Reset(c db.Conn) error { return follow.Reset(c, leadsFollower, attemptsFollower) }

// BacklogQuery counts the leads and attempts that are not in the index yet.
const BacklogQuery = `SELECT COALESCE((SELECT MAX(seq) FROM leads), 0) + COALESCE((SELECT MAX(seq) FROM attempts), 0)
	- CAST(COALESCE((SELECT SUM(seq) FROM follow_progress WHERE name IN ('` + leadsFollower + `', '` + attemptsFollower + `')), 0) AS BIGINT)`
