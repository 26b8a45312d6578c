package store_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/migrations"
	"foyer/internal/store/storetest"
)

// canaries is a contact with values that are easy to search for.
var canaries = lead.Contact{
	Name: "Canary Pat Example", Phone: "+13055550177", Email: "canary-email@example.com",
	Street: "77 Canary Street", Notes: "canary notes", ClickIDs: lead.ClickIDs{Google: "canary-gclid", Facebook: "canary-fbclid"},
}

// At intake the person is in the contact column alone. Rows that come later may name the person, too: see Tx.Erase.
func TestPersonalDataSitsInOneColumn(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	l := storetest.FullLead("lead_canary")
	l.Request.Contact = canaries
	if _, err := s.SaveLead(t.Context(), &l, storetest.IdempotencyKey("key", "request", "answer"), storetest.Noon); err != nil {
		t.Fatal(err)
	}
	values := canaryValues(reflect.ValueOf(canaries))
	tables := slices.Collect(maps.Keys(migrations.Transient))
	for _, table := range migrations.Tables {
		tables = append(tables, table.Name)
	}
	for _, table := range tables {
		for _, row := range rowsOf(t, database, table) {
			for column, cell := range row {
				for field, value := range values {
					belongs := table == "leads" && column == "contact"
					if found := strings.Contains(cell, value); found != belongs {
						t.Errorf("%s in %s.%s: found %v, want %v", field, table, column, found, belongs)
					}
				}
			}
		}
	}
}

// canaryValues returns the values of a struct, by the names of their fields.
func canaryValues(v reflect.Value) map[string]string {
	values := make(map[string]string)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Struct {
			maps.Copy(values, canaryValues(f))
		} else {
			values[v.Type().Field(i).Name] = f.String()
		}
	}
	return values
}

// A lead whose person was erased is still a lead.
func TestAnErasedContactIsEmpty(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.Database(t))
	l := storetest.FullLead("lead_erased")
	storetest.Save(t, s, l)
	if err := s.Exec(t.Context(), "UPDATE leads SET contact = NULL"); err != nil {
		t.Fatal(err)
	}
	got, err := storetest.Find(t, s, l.ID)
	if err != nil || got.Request.Contact != (lead.Contact{}) || got.Request.ZIP != l.Request.ZIP {
		t.Errorf("got %+v, %v", got.Request, err)
	}
}

// Erased data does not stay in the pages of the file, where it could be read from a copy.
func TestAnErasedContactIsNotLeftInTheFile(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s, err := store.Open(t.Context(), database, storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		l := storetest.FullLead(fmt.Sprint("lead_", i))
		l.Request.Contact = canaries
		storetest.Save(t, s, l)
	}
	for i := range 50 {
		storetest.Erase(t, s, fmt.Sprint("lead_", i))
	}
	if err := s.Close(); err != nil { // writes the log to the file and deletes the log
		t.Fatal(err)
	}
	file, err := os.ReadFile(strings.TrimPrefix(database, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{canaries.Name, canaries.Phone, canaries.Notes} {
		if n := bytes.Count(file, []byte(value)); n > 0 {
			t.Errorf("%q is %d times in the file", value, n)
		}
	}
}
