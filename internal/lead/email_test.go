package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

func TestEmail(t *testing.T) {
	const no = "not an email address"
	longest := strings.Repeat("a", 254-len("@example.com")) + "@example.com"
	judge(t, "customer_email", []verdict{
		{name: "plain", value: lead.Quoted("pat@example.com"), want: "pat@example.com"},
		{name: "in a form", value: lead.Typed("pat@example.com"), want: "pat@example.com"},
		{name: "blanks around", value: lead.Quoted(" pat@example.com "), want: "pat@example.com"},
		{name: "a tag", value: lead.Quoted("pat+home@example.com"), want: "pat+home@example.com"},
		{name: "a domain without a dot", value: lead.Quoted("pat@localhost"), want: "pat@localhost"},
		{name: "an international domain", value: lead.Quoted("pat@exämple.com"), want: "pat@exämple.com"},
		{name: "case stays", value: lead.Quoted("Pat@Example.com"), want: "Pat@Example.com"},
		{name: "254 characters", value: lead.Quoted(longest), want: longest},
		{name: "255 characters", value: lead.Quoted("a" + longest), wrong: "too long"},
		{name: "no @", value: lead.Quoted("pat.example.com"), wrong: no},
		{name: "two @", value: lead.Quoted("pat@home@example.com"), wrong: no},
		{name: "nothing before", value: lead.Quoted("@example.com"), wrong: no},
		{name: "nothing behind", value: lead.Quoted("pat@"), wrong: no},
		{name: "only @", value: lead.Quoted("@"), wrong: no},
		{name: "a header smuggled in", value: lead.Quoted("pat@example.com\r\nBcc: x"), wrong: "control character"},
	})
}
