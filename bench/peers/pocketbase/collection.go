package main

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

var (
	services = []string{
		"house_cleaning", "deep_cleaning", "move_in_out_cleaning", "recurring_cleaning", "pest_control", "plumbing", "hvac", "handyman", "other",
	}
	homeTypes   = []string{"apartment", "condo", "townhouse", "single_family", "other"}
	frequencies = []string{"one_time", "weekly", "biweekly", "monthly"}
)

// prepare makes the collection, and turns off the log that PocketBase writes to a second database for each request.
// Rate limits are off unless somebody turns them on.
func prepare(app core.App) error {
	settings := app.Settings()
	settings.Logs.MaxDays = 0
	settings.RateLimits.Enabled = false
	if err := app.Save(settings); err != nil {
		return err
	}
	if _, err := app.FindCollectionByNameOrId("leads"); err == nil {
		return nil
	}
	leads := core.NewBaseCollection("leads")
	leads.CreateRule = types.Pointer("") // anybody
	leads.Fields.Add(fields()...)
	// The unique index on the id is PocketBase's own. These are the two others that Foyer keeps on leads.
	leads.AddIndex("leads_held", false, "created, service_type, zip_code", "status = 'collected'")
	leads.AddIndex("leads_failed", false, "created", "status = 'error'")
	return app.Save(leads)
}

// fields are those of internal/lead/fields.go with their rules, and what the server adds to a lead.
func fields() []core.Field {
	most := func(n float64) *float64 { return &n }
	return []core.Field{
		&core.SelectField{Name: "service_type", Required: true, MaxSelect: 1, Values: services},
		&core.TextField{Name: "zip_code", Required: true, Pattern: `^[0-9]{5}$`},
		&core.TextField{Name: "city"},
		&core.TextField{Name: "state", Pattern: `^[A-Za-z]{2}$`},
		&core.TextField{Name: "address_line"},
		&core.NumberField{Name: "bedrooms", OnlyInt: true, Min: most(0), Max: most(20)},
		&core.NumberField{Name: "bathrooms", Min: most(0), Max: most(20)},
		&core.NumberField{Name: "square_feet", OnlyInt: true, Min: most(100), Max: most(50000)},
		&core.SelectField{Name: "home_type", MaxSelect: 1, Values: homeTypes},
		&core.SelectField{Name: "frequency", MaxSelect: 1, Values: frequencies},
		&core.DateField{Name: "preferred_date"},
		&core.BoolField{Name: "flexible_dates"},
		&core.TextField{Name: "notes", Max: 2000},
		&core.TextField{Name: "customer_name", Required: true, Min: 2, Max: 120},
		&core.TextField{Name: "customer_phone", Required: true, Pattern: `^(\+?1[ .-]?)?\(?[0-9]{3}\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}$`},
		&core.EmailField{Name: "customer_email"},
		&core.BoolField{Name: "consent_to_contact", Required: true},
		&core.TextField{Name: "source_agent"},
		&core.TextField{Name: "status", Hidden: true},
		&core.TextField{Name: "marks", Hidden: true},
		&core.JSONField{Name: "evidence", Hidden: true},
		&core.AutodateField{Name: "created", OnCreate: true},
		&core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true},
	}
}

// stamp adds what Foyer keeps beside what was sent: the status, how the request came, and the words that were agreed to.
func stamp(e *core.RecordRequestEvent) error {
	e.Record.Set("status", "collected")
	e.Record.Set("evidence", map[string]any{
		"door": "json", "client": e.RealIP(), "user_agent": e.Request.UserAgent(),
		"consent": map[string]string{"version": "stated", "hash": "bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"},
	})
	return e.Next()
}
