package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// newIdempotency binds an idempotency key to a request and its answer. Both are hashed: the key may contain personal data, and the
// request does.
func newIdempotency(key string, req *lead.Request, answer lead.Receipt) (*lead.Idempotency, error) {
	parsed, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	answerJSON, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &lead.Idempotency{Key: hash([]byte(key)), Request: hash(parsed), Answer: answerJSON}, nil
}

// replay answers a key that is already stored, and charges an attempt instead of a lead. If no attempt is left, the lead
// stays charged: repeating a key must not be a way to query the store without limit.
func (s *Service) replay(ctx context.Context, sub *Submission, service lead.Service, earlier, current lead.Idempotency) (lead.Receipt, error) {
	if err := s.chargeReplay(ctx, sub, service); err != nil {
		return lead.Receipt{}, err
	}
	if err := s.refund(ctx, sub.Client); err != nil {
		return lead.Receipt{}, err
	}
	return replayedReceipt(earlier, current)
}

// chargeReplay counts a replay as an attempt.
func (s *Service) chargeReplay(ctx context.Context, sub *Submission, service lead.Service) error {
	return s.charge(ctx, sub.Client, lead.BucketAttempts, 1, func(a lead.Allowance) *lead.Error { return s.Brand.TooManyRepeats(service, a) })
}

// replayAnswer gives a client that is over its limit the answer to its earlier request: a saved lead must not be reported
// as refused. The look-up costs an attempt, whether or not it finds an answer.
func (s *Service) replayAnswer(ctx context.Context, sub *Submission, req *lead.Request, overLimit error) (lead.Receipt, error) {
	if sub.idempotencyKey() == "" || req.Service == "" || lead.KindOf(overLimit) != lead.RateLimited {
		return lead.Receipt{}, overLimit
	}
	if err := s.chargeReplay(ctx, sub, req.Service); err != nil {
		return lead.Receipt{}, err
	}
	current, err := newIdempotency(sub.idempotencyKey(), req, lead.Receipt{})
	if err != nil {
		return lead.Receipt{}, err
	}
	earlier, err := s.Store.IdempotentAnswer(ctx, current.Key, s.Now().Add(-lead.IdempotencyWindow))
	if err != nil || earlier == nil || earlier.Request != current.Request {
		return lead.Receipt{}, overLimit
	}
	return replayedReceipt(*earlier, *current)
}

// replayedReceipt returns the first answer again if the request is the same.
func replayedReceipt(earlier, current lead.Idempotency) (lead.Receipt, error) {
	var receipt lead.Receipt
	if earlier.Request != current.Request {
		return receipt, catalog.KeyReused
	}
	return receipt, json.Unmarshal(earlier.Answer, &receipt)
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
