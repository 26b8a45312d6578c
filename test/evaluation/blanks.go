package evaluation

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"time"
)

// Blanks is what the tasks leave open, because it differs between runs.
type Blanks struct {
	Today   time.Time // {date+10} is 2027-03-25 and {day+10} is March 25, 2027, ten days from Today
	Number  string    // {number}, as people read it
	Contact string    // {contact}
	LeadID  string    // {lead_id} of the earlier call
}

var dates = regexp.MustCompile(`\{(date|day)([+-][0-9]+)\}`)

// fill inserts the values into the text of a JSON file. Unknown ones stay as they are.
func (b Blanks) fill(text []byte) []byte {
	text = dates.ReplaceAllFunc(text, func(blank []byte) []byte {
		part := dates.FindSubmatch(blank)
		days, _ := strconv.Atoi(string(part[2]))
		layout := time.DateOnly
		if string(part[1]) == "day" {
			layout = "January 2, 2006"
		}
		return []byte(b.Today.AddDate(0, 0, days).Format(layout))
	})
	for blank, value := range map[string]string{"{number}": b.Number, "{contact}": b.Contact, "{lead_id}": b.LeadID} {
		if value != "" {
			text = bytes.ReplaceAll(text, []byte(blank), inJSON(value))
		}
	}
	return text
}

// inJSON returns a text as it appears between the quotes of a JSON string.
func inJSON(text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always marshals
	}
	return quoted[1 : len(quoted)-1]
}
