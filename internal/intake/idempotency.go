package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// usable says that there is no idempotency key, or one that can be one.
func usable(keys []string) bool {
	return len(keys) == 0 || len(keys) == 1 && keys[0] != "" && utf8.RuneCountInString(keys[0]) <= lead.MaxKey
}

// key is the idempotency key the sender gave, or "".
func (o *Submission) key() string {
	if len(o.Keys) == 0 {
		return ""
	}
	return o.Keys[0]
}

// newIdempotency binds an idempotency key to a request and its answer. Without a key there is none. Both are hashed: a key
// may be made of personal data, and the request is.
func newIdempotency(key string, req *lead.Request, answer lead.Receipt) (*lead.Idempotency, error) {
	if key == "" {
		return nil, nil
	}
	parsed, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &lead.Idempotency{Key: hash([]byte(key)), Request: hash(parsed), Answer: text}, nil
}

// replay answers a key that was known, as a try and not as a lead. Where no try is left the lead stays charged: repeating a
// key must not be a way to have the store asked without end.
func (r *Service) replay(ctx context.Context, o *Submission, s lead.Service, earlier, now lead.Idempotency) (lead.Receipt, error) {
	if err := r.chargeRepeat(ctx, o, s); err != nil {
		return lead.Receipt{}, err
	}
	if err := r.giveBack(ctx, o.Client); err != nil {
		return lead.Receipt{}, err
	}
	return replayedReceipt(earlier, now)
}

// chargeRepeat counts a repeat as a try.
func (r *Service) chargeRepeat(ctx context.Context, o *Submission, s lead.Service) error {
	return r.charge(ctx, o.Client, lead.BucketAttempts, 1, func(a lead.Allowance) *lead.Error { return r.Brand.TooManyRepeats(s, a) })
}

// replayAnswer gives a client that is over its limit the answer to what it sent before: what was kept must not be called refused.
// To look for it is a try, whether or not there is one.
func (r *Service) replayAnswer(ctx context.Context, o *Submission, req *lead.Request, over error) (lead.Receipt, error) {
	if o.key() == "" || req.Service == "" || lead.KindOf(over) != lead.RateLimited {
		return lead.Receipt{}, over
	}
	if err := r.chargeRepeat(ctx, o, req.Service); err != nil {
		return lead.Receipt{}, err
	}
	now, err := newIdempotency(o.key(), req, lead.Receipt{})
	if err != nil {
		return lead.Receipt{}, err
	}
	earlier, err := r.Store.IdempotentAnswer(ctx, now.Key, r.Now().Add(-lead.IdempotencyWindow))
	if err != nil || earlier == nil || earlier.Request != now.Request {
		return lead.Receipt{}, over
	}
	return replayedReceipt(*earlier, *now)
}

// replayedReceipt gives the first answer again, if the request is the same.
func replayedReceipt(earlier, now lead.Idempotency) (lead.Receipt, error) {
	var receipt lead.Receipt
	if earlier.Request != now.Request {
		return receipt, catalog.KeyReused()
	}
	return receipt, json.Unmarshal(earlier.Answer, &receipt)
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
