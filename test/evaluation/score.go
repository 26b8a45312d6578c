package evaluation

import (
	"fmt"
	"slices"
	"time"
)

// Transcript is what happened in one conversation, in order.
type Transcript struct {
	Task   string  `json:"task"`
	On     string  `json:"on"`      // the day, as 2027-03-15
	LeadID string  `json:"lead_id"` // of the earlier call, if the task has one
	Events []Event `json:"events"`
}

// Event is one of three things: the person says something, the assistant says something, or the assistant calls a tool.
type Event struct {
	Person    string `json:"person,omitempty"`
	Consents  bool   `json:"consents,omitempty"` // the person agrees to be called or texted
	Assistant string `json:"assistant,omitempty"`
	Call      *Call  `json:"call,omitempty"`
}

// Weight is how bad a finding is.
type Weight string

// The weights of findings.
const (
	Fault Weight = "fault" // the task has failed
	Slip  Weight = "slip"  // a call that the service refused: it cost a round trip
	Look  Weight = "look"  // may be fine: read the reply
)

// Finding is something that is not as it should be.
type Finding struct {
	Weight Weight
	Text   string
}

func (f Finding) String() string { return string(f.Weight) + ": " + f.Text }

// Blanks returns the values for the task's blanks.
func (t Transcript) Blanks() (Blanks, error) {
	day, err := time.Parse(time.DateOnly, t.On)
	if err != nil {
		return Blanks{}, fmt.Errorf("%s: on is not a day: %w", t.Task, err)
	}
	return Blanks{Today: day, LeadID: t.LeadID}, nil
}

// requests are the tools that store something about a person.
var requests = []string{"request_home_service", "request_cleaning"}

// tools are all tools of the service.
var tools = append([]string{"get_plumbing_call_number", "get_lead_status", "list_supported_services"}, requests...)

// Score compares a conversation with its task. A reader has to judge what the assistant must say and must never say.
func Score(file File, task Task, events []Event) []Finding {
	s := scorer{task: task, done: make([]bool, len(task.Steps))}
	for _, e := range events {
		s.consent = s.consent || e.Consents
		if e.Call != nil {
			s.call(*e.Call)
		}
		for _, sign := range slices.Concat(file.Signs, task.Signs) {
			if e.Assistant != "" && sign.In(e.Assistant) {
				s.find(Look, "%s %q", sign.Why, e.Assistant)
			}
		}
	}
	for i, step := range task.Steps {
		if !s.done[i] && !step.Optional {
			s.find(Fault, "%s was not called as it should be", step.AnyOf[0].Tool)
		}
	}
	return s.findings
}

type scorer struct {
	task     Task
	done     []bool
	consent  bool // given so far
	findings []Finding
}

func (s *scorer) find(weight Weight, format string, args ...any) {
	s.findings = append(s.findings, Finding{weight, fmt.Sprintf(format, args...)})
}

// call scores one call. A request is one too many unless the task asks for it and the person has agreed.
func (s *scorer) call(c Call) {
	if i := slices.IndexFunc(s.task.Wrong, func(w Wrong) bool { return w.Is(c) }); i >= 0 {
		weight := Slip
		if s.task.Wrong[i].Accepted() {
			weight = Fault
		}
		s.find(weight, "wrong call of %s: %s", c.Tool, s.task.Wrong[i].Why)
		return
	}
	request := slices.Contains(requests, c.Tool)
	switch step := s.openStep(c); {
	case request && !s.consent:
		s.find(Fault, "%s was called before the person agreed to be called or texted", c.Tool)
	case step >= 0:
		s.done[step] = true
	case request && !dry(c):
		s.find(Fault, "%s made a request that the task does not ask for, or made it twice", c.Tool)
	case !slices.Contains(tools, c.Tool):
		s.find(Look, "%s is no tool of this service: what did it do?", c.Tool)
	}
}

// openStep returns the first step that still waits for such a call, or -1.
func (s *scorer) openStep(c Call) int {
	for i, step := range s.task.Steps {
		if !s.done[i] && step.Takes(c) {
			return i
		}
	}
	return -1
}
