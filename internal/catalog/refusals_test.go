package catalog_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

func TestRefusals(t *testing.T) {
	unavailable := &lead.Error{Kind: lead.Unavailable, Retry: time.Second}
	over := lead.Allowance{Retry: time.Minute, Quota: lead.Quota{Name: "leads", Limit: 60, Window: time.Minute}}
	for want, e := range map[lead.Kind][]*lead.Error{
		"rejected":               {brand.Suppressed()},
		"not_found":              {catalog.UnknownLead},
		"idempotency_key_reused": {catalog.KeyReused},
		"invalid_request":        {catalog.BadKey},
		"rate_limited":           {brand.TooMany(lead.HVAC, over), brand.TooMany(lead.Plumbing, over), brand.TooManyRepeats(lead.HVAC, over), catalog.TooManyLookUps(over)},
		"unavailable":            {catalog.Busy, catalog.NotNow(unavailable), brand.NotKept(lead.HVAC, unavailable), brand.NotKept(lead.Plumbing, unavailable)},
	} {
		for _, e := range e {
			if e.Kind != want || e.Message == "" {
				t.Errorf("got %s with %q, want %s", e.Kind, e.Message, want)
			}
		}
	}
	if e := brand.TooMany(lead.HVAC, over); e.Retry != time.Minute || *e.Quota != over.Quota || !strings.Contains(e.Message, "in 60 seconds") {
		t.Errorf("got %+v", e)
	}
	for _, e := range []*lead.Error{brand.TooMany(lead.Plumbing, over), brand.TooManyRepeats(lead.Plumbing, over)} {
		if !strings.Contains(e.Message, "(800) 555-0199") {
			t.Errorf("over the limit, the number is withheld: %s", e.Message)
		}
	}
}

// Plumbing is always answered: the person gets the number even if the store is down.
func TestNotKept(t *testing.T) {
	cause := &lead.Error{Kind: lead.Unavailable, Message: "database is locked", Retry: time.Second}
	if e := brand.NotKept(lead.Plumbing, cause); !strings.Contains(e.Message, "(800) 555-0199") || e.Retry != time.Second {
		t.Errorf("got %+v", e)
	}
	if e := brand.NotKept(lead.HVAC, cause); strings.Contains(e.Message, "(800)") || cause.Message != "database is locked" {
		t.Errorf("got %+v", e)
	}
}
