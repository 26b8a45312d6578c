package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Send makes one attempt, which takes at most 15 seconds. now is the time in the signature.
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
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for {
		var ex exchange
		res, err := s.post(ex.withTrace(ctx), m, header)
		switch {
		case err == nil:
			return s.readResponse(ctx, res, now)
		case ctx.Err() == nil && ex.stale(): // terminates: each round uses up one idle connection
		default:
			return s.failureOutcome(ctx, &ex, err)
		}
	}
}

// post calls the transport directly: an http.Client would follow redirects and put the address into its errors.
func (s *Sender) post(ctx context.Context, m Message, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return nil, err
	}
	req.Header = header
	req.GetBody = nil // without GetBody, net/http cannot send the body again by itself
	return s.transport.RoundTrip(req)
}

// readResponse reads the response. It keeps the first 16 KiB of a longer body, and then closes the connection.
func (s *Sender) readResponse(ctx context.Context, res *http.Response, now time.Time) Outcome {
	defer res.Body.Close()
	if res.StatusCode < 200 {
		return Outcome{Failure: BadAnswer, Detail: "the buyer answered with a status below 200", Sent: true}
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1)) // one byte more, to see the end of a body that just fits
	out := Outcome{
		Status:     res.StatusCode,
		Answer:     body[:min(len(body), maxAnswer)],
		RetryAfter: retryAfter(res.Header.Get("Retry-After"), now),
		Sent:       true,
	}
	if err != nil {
		out.Failure, out.Detail = s.bodyFailure(ctx, err)
	}
	if out.Failure != "" { // an incomplete response: its status alone could be mistaken for the decision
		out.Status, out.Detail = 0, fmt.Sprintf("%s, after the status %d", out.Detail, res.StatusCode)
	}
	return out
}

// maxRetryAfter is the longest wait that a buyer can ask for; a longer one is cut. It is buyer.MaxRetryAfter.
const maxRetryAfter = 24 * time.Hour

// retryAfter parses a Retry-After header: a number of seconds or a date. Anything else, or a date in the past, is no
// delay.
func retryAfter(header string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(header, 10, 32)
	if err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if errors.Is(err, strconv.ErrRange) {
		return maxRetryAfter
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(0, date.Sub(now)), maxRetryAfter)
}
