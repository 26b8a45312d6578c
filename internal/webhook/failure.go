package webhook

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// Outcome is the result of one attempt.
type Outcome struct {
	Status     int           // 0 if there was no complete HTTP response
	Answer     []byte        // the first 16 KiB of the body, or the part that arrived
	RetryAfter time.Duration // the buyer's Retry-After: at most 24 hours, 0 if absent
	Failure    Failure       // "" if there is a status: exactly one of the two is set
	Detail     string        // a short line for the operator, which never contains what we sent
	Sent       bool          // whether the buyer may have seen the body: false only if no part of the request can have arrived
	Took       time.Duration
}

// Failure says why there is no answer.
type Failure string

// The reasons for a failed attempt.
const (
	BadMessage     Failure = "bad_message"     // the message has no usable id or secret: a bug of ours
	RefusedAddress Failure = "refused_address" // the address is not allowed
	DNS            Failure = "dns"             // the host name has no address
	Connect        Failure = "connect"         // the connection was not accepted
	TLS            Failure = "tls"             // the certificate is not valid for the buyer's host, or the handshake failed
	Timeout        Failure = "timeout"         // the attempt did not finish in time
	Reset          Failure = "reset"           // the connection ended before the answer did
	BadAnswer      Failure = "bad_answer"      // the response is not HTTP, or its headers are too long
	Stopped        Failure = "stopped"         // the caller canceled the attempt
)

// failureOutcome is the outcome of an attempt without an answer.
func (s *Sender) failureOutcome(ctx context.Context, ex *exchange, err error) Outcome {
	out := Outcome{Failure: classify(ctx, ex, err), Sent: ex.sent()}
	switch out.Failure {
	case Timeout:
		out.Detail = "no answer within " + s.timeout.String()
		if ex.conn == nil {
			out.Detail = "no connection within " + s.timeout.String()
		}
	case Stopped:
		out.Detail = "the attempt was given up before there was an answer"
	case Reset:
		out.Detail = "the buyer closed the connection without an answer"
	case BadAnswer: // the error would quote the response, which may contain what we sent
		out.Detail = "the answer is not HTTP, or has more than 32 KiB of headers"
	default:
		out.Detail = oneLine(err.Error())
	}
	return out
}

func classify(ctx context.Context, ex *exchange, err error) Failure {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Stopped
	case ctx.Err() != nil:
		return Timeout
	case blockedByGuard(err):
		return RefusedAddress
	case isDNS:
		return DNS
	case timedOut(err):
		return Timeout
	case isOp && op.Op == "dial":
		return Connect
	case ex.conn == nil, isOp && (op.Op == "remote error" || op.Op == "local error"): // an alert after the handshake wants a certificate
		return TLS
	case connectionLost(err), !ex.sent(): // if nothing was sent, there can be no bad answer
		return Reset
	}
	return BadAnswer
}

// bodyFailure explains an incomplete response body, which leaves the buyer's decision unknown.
func (s *Sender) bodyFailure(ctx context.Context, err error) (Failure, string) {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Stopped, "the attempt was given up within the answer"
	case ctx.Err() != nil, timedOut(err):
		return Timeout, "the answer did not end within " + s.timeout.String()
	case connectionLost(err):
		return Reset, "the connection ended within the answer"
	}
	return BadAnswer, "the body of the answer is broken"
}

func timedOut(err error) bool {
	var netErr net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &netErr) && netErr.Timeout()
}

// connectionLost reports whether the connection is gone.
func connectionLost(err error) bool {
	_, isOp := errors.AsType[*net.OpError](err)
	return isOp || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// oneLine makes an error text fit on one line of a list. Some errors quote a foreign server's certificate.
func oneLine(text string) string {
	const maxRunes = 200
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxRunes {
		text = string(runes[:maxRunes]) + "…"
	}
	return text
}
