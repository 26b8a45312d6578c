package webhook

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Send makes one attempt, and takes 15 seconds at most. The time is that of the signature.
func (s *Sender) Send(ctx context.Context, m Message, now time.Time) (out Outcome) {
	start := time.Now()
	defer func() { out.Took = time.Since(start) }()
	if err := CheckURL(m.URL, s.private); err != nil {
		return Outcome{Failure: RefusedAddress, Detail: err.Error()}
	}
	header, err := m.header(now)
	if err != nil {
		return Outcome{Failure: BadMessage, Detail: err.Error()}
	}
	header.Set("User-Agent", s.agent)
	ctx, cancel := context.WithTimeout(ctx, s.bound)
	defer cancel()
	for {
		var t exchange
		res, err := s.post(t.watch(ctx), m, header)
		switch {
		case err == nil:
			return s.answer(ctx, res, now)
		case ctx.Err() == nil && t.stale(): // each time there is one kept connection less
		default:
			return s.failed(ctx, &t, err)
		}
	}
}

// post calls the transport itself: an http.Client would follow redirects, and put the address into its errors.
func (s *Sender) post(ctx context.Context, m Message, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	req.GetBody = nil // net/http has only one body to send, and so never sends it again by itself
	return s.transport.RoundTrip(req)
}

// answer reads what came. Of a body that goes on and on it takes the first 16 KiB, and then closes the connection.
func (s *Sender) answer(ctx context.Context, res *http.Response, now time.Time) Outcome {
	defer res.Body.Close()
	if res.StatusCode < 200 {
		return Outcome{Failure: BadAnswer, Detail: "the buyer answered with a status below 200", Sent: true}
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1)) // one more, to see the end of those that just fit
	out := Outcome{
		Status:     res.StatusCode,
		Answer:     body[:min(len(body), maxAnswer)],
		RetryAfter: retryAfter(res.Header.Get("Retry-After"), now),
		Sent:       true,
	}
	if err != nil {
		out.Failure, out.Detail = s.cut(ctx, err)
	}
	if out.Failure != "" { // half an answer: its status alone could be taken for the decision
		out.Status, out.Detail = 0, fmt.Sprintf("%s, after the status %d", out.Detail, res.StatusCode)
	}
	return out
}
