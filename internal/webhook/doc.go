// Package webhook sends one signed POST to a buyer, following Standard Webhooks, and reports the outcome. Buyers choose
// the address, so the package keeps requests away from our own network: it checks each IP address when it is dialed. It
// also verifies the signatures of requests from buyers.
//
// It does not retry, follow redirects, use a proxy or interpret answers: that is up to the caller. It writes no log,
// and none of its texts contain what we sent.
package webhook
