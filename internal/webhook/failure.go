package webhook

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"unicode"
)

// handshakeError is any failure to agree on TLS, a connection that ended meanwhile included.
type handshakeError struct{ error }

func (e *handshakeError) Unwrap() error { return e.error }

// failed tells of an attempt without an answer.
func (s *Sender) failed(ctx context.Context, t *exchange, err error) Outcome {
	out := Outcome{Failure: kind(ctx, t, err), Sent: t.sent()}
	switch out.Failure {
	case Timeout:
		out.Detail = "no answer within " + s.bound.String()
		if t.conn == nil {
			out.Detail = "no connection within " + s.bound.String()
		}
	case Stopped:
		out.Detail = "the attempt was given up before there was an answer"
	case Reset:
		out.Detail = "the buyer closed the connection without an answer"
	case BadAnswer: // the error would quote what came, and that may be what we sent
		out.Detail = "the answer is not HTTP, or has more than 32 KiB of headers"
	default:
		out.Detail = oneLine(err.Error())
	}
	return out
}

func kind(ctx context.Context, t *exchange, err error) Failure {
	var dns *net.DNSError
	var handshake *handshakeError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Stopped
	case ctx.Err() != nil:
		return Timeout
	case refused(err):
		return RefusedAddress
	case errors.As(err, &dns):
		return DNS
	case timedOut(err):
		return Timeout
	case errors.As(err, &handshake), isAlert(err):
		return TLS
	case t.conn == nil:
		return Connect
	case lost(err), !t.sent(): // with nothing sent there is nothing that could have been answered badly
		return Reset
	}
	return BadAnswer
}

// cut tells of an answer whose body does not end: nobody knows what was decided in it.
func (s *Sender) cut(ctx context.Context, err error) (Failure, string) {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Stopped, "the attempt was given up within the answer"
	case ctx.Err() != nil, timedOut(err):
		return Timeout, "the answer did not end within " + s.bound.String()
	case lost(err):
		return Reset, "the connection ended within the answer"
	}
	return BadAnswer, "the body of the answer is broken"
}

func timedOut(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}

// isAlert finds what the other side says about TLS after the handshake: that it wants a certificate of ours, above all.
func isAlert(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error")
}

// lost says that the connection is gone.
func lost(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.As(err, &op)
}

// oneLine makes an error fit for a list. Certificates of strangers are quoted in some.
func oneLine(text string) string {
	const most = 200
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
