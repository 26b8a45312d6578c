// Package webhook sends one signed POST to a buyer, as Standard Webhooks has it, and tells what came of it. Buyers choose
// where it goes, so it cannot be aimed at our own network: each address is checked at the moment it is dialled. It also
// checks the signatures of what buyers send to us.
//
// It does not try again, follow a redirect, use a proxy or decide what an answer means: that is the business of those who
// send. It writes no log, and what we sent is in none of its texts.
package webhook
