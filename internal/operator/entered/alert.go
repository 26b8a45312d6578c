package entered

import (
	"time"

	"foyer/internal/alert"
	"foyer/internal/audit"
)

// AlertSetting is a change of a rule. What is nil stays as it is.
type AlertSetting struct {
	On        *bool `name:"on" help:"Whether the rule is on."`
	Threshold *int  `name:"threshold" placeholder:"N" help:"From where on it fires, in the unit of the rule."`
	Cooldown  *int  `name:"cooldown" placeholder:"MINUTES" help:"How many minutes it stays silent about the same thing after a message, 5 to 43200." api:",cooldown_minutes"`
}

// Check validates each value for a rule.
func (in AlertSetting) Check(rule alert.Rule) error {
	var problems Problems
	if in.Threshold != nil && rule.Check(*in.Threshold) != nil {
		problems.Add(FieldError{"threshold", rule.Check(*in.Threshold).Error()})
	}
	if in.Cooldown != nil {
		if err := alert.CheckCooldown(time.Duration(*in.Cooldown) * time.Minute); err != nil {
			problems.Add(FieldError{"cooldown", err.Error()})
		}
	}
	return problems.OrNil()
}

// ApplyTo returns a setting with the values that were mentioned.
func (in AlertSetting) ApplyTo(s alert.Setting) alert.Setting {
	SetBool(in.On, &s.On)
	if in.Threshold != nil {
		s.Threshold = *in.Threshold
	}
	if in.Cooldown != nil {
		s.Cooldown = time.Duration(*in.Cooldown) * time.Minute
	}
	return s
}

// ChangedSetting returns the values before and after that differ.
func ChangedSetting(before, after alert.Setting) audit.Detail {
	d := audit.Detail{}
	if before.On != after.On {
		d["on"] = []bool{before.On, after.On}
	}
	if before.Threshold != after.Threshold {
		d["threshold"] = []int{before.Threshold, after.Threshold}
	}
	if before.Cooldown != after.Cooldown {
		d["cooldown_minutes"] = []int{int(before.Cooldown.Minutes()), int(after.Cooldown.Minutes())}
	}
	return d
}
