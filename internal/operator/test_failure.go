package operator

import (
	"cmp"
	"fmt"
	"net/url"

	"foyer/internal/webhook"
)

// explainTest says in plain words why there was no answer to a test, or else what is wrong with the answer.
func explainTest(msg webhook.Message, o webhook.Outcome, why string) string {
	if o.Failure == "" {
		return why
	}
	host := "its address"
	if u, err := url.Parse(msg.URL); err == nil {
		host = cmp.Or(u.Host, host)
	}
	if text, known := failureTexts[o.Failure]; known {
		return fmt.Sprintf(text, host)
	}
	return fmt.Sprintf("nothing was sent to %s: %s", host, o.Detail) // it says what is wrong with the address or the secret
}

// failureTexts say what an operator can do about a buyer that did not answer.
var failureTexts = map[webhook.Failure]string{
	webhook.DNS:       "nobody answers at %s: the name does not exist, or cannot be looked up from here. Check the address",
	webhook.Connect:   "nobody answers at %s: the connection is not accepted. Check the address and its port, and ask whether the server runs",
	webhook.TLS:       "the connection to %s is not safe: its certificate is missing, too old, or for another name. Its engineer has to put that right",
	webhook.Timeout:   "%s did not answer in time. Ask its engineer whether it is slow, or whether a firewall drops messages",
	webhook.Reset:     "%s closed the connection before it had answered. Its engineer finds the reason in the server's log",
	webhook.BadAnswer: "what answers at %s cannot be read as a web server's answer. Check the port",
	webhook.Stopped:   "the test was given up before %s answered. Try again",
}
