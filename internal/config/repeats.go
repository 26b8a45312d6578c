package config

import (
	"strconv"
	"strings"
	"time"

	"foyer/internal/lead"
)

// Window is how far apart two equal requests of a person may come for one to be held once the other is sold; 0 means off.
type Window time.Duration

// UnmarshalText parses hours or days.
func (w *Window) UnmarshalText(text []byte) error {
	given := strings.TrimSpace(string(text))
	if given == "off" {
		*w = 0
		return nil
	}
	const accepted = `hours or days such as 24h or 2d, at most 30d, or "off"`
	number, unit := strings.TrimRight(given, "hd"), time.Hour
	if strings.HasSuffix(given, "d") {
		unit = 24 * time.Hour
	}
	n, err := strconv.Atoi(number)
	if window := time.Duration(n) * unit; err != nil || len(given) != len(number)+1 || n < 1 || n > 720 || window > lead.RepeatWindow {
		return invalidValue(string(text), accepted)
	}
	*w = Window(time.Duration(n) * unit)
	return nil
}

// PhoneLimit is how many leads of one phone number are forwarded in a period; 0 leads mean no limit.
type PhoneLimit struct {
	Leads int
	Per   time.Duration
}

// UnmarshalText parses the limit: a rate in hours or days, without a burst.
func (p *PhoneLimit) UnmarshalText(text []byte) error {
	var r Rate
	if err := r.UnmarshalText(text); err != nil || r.Burst != r.Count || !r.Off && r.Per < time.Hour {
		return invalidValue(string(text), `a number of leads such as 3/day (hour or day), or "off"`)
	}
	*p = PhoneLimit{r.Count, r.Per}
	return nil
}

// Repeats limit how many leads of one person are forwarded.
type Repeats struct {
	DuplicateWindow Window     `name:"duplicate-window" env:"FOYER_DUPLICATE_WINDOW" default:"24h" placeholder:"TIME" help:"Once a request is sold, the same one of that person is held if it came within this time of it, or 'off' (default: ${default})."`
	PhoneLimit      PhoneLimit `name:"phone-limit" env:"FOYER_PHONE_LIMIT" default:"3/day" placeholder:"LEADS" help:"Leads of one phone number that are passed on, or 'off'; more are held until you release them (default: ${default})."`
}

// Rules converts the settings for the forwarder.
func (r Repeats) Rules() lead.RepeatRules {
	return lead.RepeatRules{Window: time.Duration(r.DuplicateWindow), MaxPerPeriod: r.PhoneLimit.Leads, Period: r.PhoneLimit.Per}
}
