package webhook

import "time"

// Outcome is what came of one attempt.
type Outcome struct {
	Status     int           // 0 where there was no whole HTTP answer
	Answer     []byte        // the first 16 KiB of its body, or what came of it
	RetryAfter time.Duration // how long the buyer wants to be left alone: 24 hours at most, 0 where it does not say
	Failure    Failure       // "" where there is a status: one of the two is always empty
	Detail     string        // a short line for the operator, which never holds what we sent
	Sent       bool          // whether the buyer may have seen the body: false only where nothing of it can have arrived
	Took       time.Duration
}

// Failure says why there is no answer.
type Failure string

// What can go wrong.
const (
	BadMessage     Failure = "bad_message"     // it has no usable id or secret: an error of ours
	RefusedAddress Failure = "refused_address" // it is not one that we send to
	DNS            Failure = "dns"             // the name has no address
	Connect        Failure = "connect"         // nobody takes the connection
	TLS            Failure = "tls"             // the certificate is not the buyer's, or no secure connection can be agreed on
	Timeout        Failure = "timeout"         // the whole did not end in time
	Reset          Failure = "reset"           // the connection ended before the answer did
	BadAnswer      Failure = "bad_answer"      // what came is not HTTP, or its headers are too long
	Stopped        Failure = "stopped"         // whoever asked for the attempt gave it up
)
