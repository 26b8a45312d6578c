package alert

import "time"

// State is what is remembered of a rule and a subject.
type State struct {
	Rule    Name
	Subject string
	Name    string
	Title   string
	Text    string
	Path    string
	Since   time.Time // since when it fires
	Cleared time.Time // since when it does not; zero while it fires
	Told    bool      // the last message said that it fires
	SentAt  time.Time // of the last message that said so; zero if there was none
}

// Kind is what a message says.
type Kind string

// The kinds.
const (
	Fired     Kind = "fired"
	Reminder  Kind = "reminder"
	Recovered Kind = "recovered"
	Test      Kind = "test"
)

// Contradicts lists the kinds of earlier messages about the same that are wrong once a message of this kind is made.
func (k Kind) Contradicts() []Kind {
	if k == Recovered {
		return []Kind{Fired, Reminder}
	}
	return []Kind{Recovered}
}

// Message is what operators are told.
type Message struct {
	Kind    Kind
	Rule    Name
	Subject string
	Title   string
	Text    string
	Path    string
	Since   time.Time
	At      time.Time
}

// settle is how long something has to be well before it counts as recovered. What comes back within it was never gone.
const settle = 2 * time.Minute

type key struct {
	rule    Name
	subject string
}

// Plan compares what fires with what was said. It returns what to remember from now on, and what to say.
//
// After a message, the cooldown of its rule and subject begins, which throttles the messages. While something fires, a reminder follows when that has ended. Once it has
// been well for a moment, one message says that it recovered. If it then fires again within the cooldown, nothing is said until that
// ends: however often something comes and goes, there are at most two messages in a cooldown.
func Plan(states []State, found []Finding, f Facts, s Settings, now time.Time) (next []State, say []Message) {
	fires := make(map[key]Finding, len(found))
	for _, x := range found {
		fires[key{x.Rule, x.Subject}] = x
	}
	for _, st := range states {
		st.limitTimes(now)
		rule, known := Find(st.Rule)
		x, firing := fires[key{st.Rule, st.Subject}]
		delete(fires, key{st.Rule, st.Subject})
		setting := s.Of(rule)
		var message *Message
		keep := true
		switch {
		case firing:
			message = st.fire(x, setting.Cooldown, now)
		case !known || !setting.On || !f.Know(st.Rule, st.Subject):
			keep = false // nobody can tell whether it recovered, or wants to know
		default:
			message, keep = st.clear(setting.Cooldown, now)
		}
		if message != nil {
			say = append(say, *message)
		}
		if keep {
			next = append(next, st)
		}
	}
	for _, x := range found {
		if _, isNew := fires[key{x.Rule, x.Subject}]; !isNew {
			continue
		}
		rule, _ := Find(x.Rule)
		st := State{Rule: x.Rule, Subject: x.Subject, Since: now}
		if message := st.fire(x, s.Of(rule).Cooldown, now); message != nil {
			say = append(say, *message)
		}
		next = append(next, st)
	}
	return next, say
}

// limitTimes takes times after now for now: a clock that was ahead wrote them, and nothing would be said before they come.
func (st *State) limitTimes(now time.Time) {
	for _, at := range []*time.Time{&st.Since, &st.Cleared, &st.SentAt} {
		if at.After(now) {
			*at = now
		}
	}
}

// fire is for something that fires now.
func (st *State) fire(x Finding, cooldown time.Duration, now time.Time) *Message {
	if !st.Cleared.IsZero() && !st.Told {
		st.Since = now
	}
	st.Cleared, st.Name, st.Title, st.Text, st.Path = time.Time{}, x.Name, x.Title, x.Text, x.Path
	kind := Fired
	switch {
	case now.Sub(st.SentAt) < cooldown && !st.SentAt.IsZero():
		return nil
	case st.Told:
		kind = Reminder
	case now.Sub(st.Since) < x.Hold:
		return nil
	}
	st.Told, st.SentAt = true, now
	return st.message(kind, now)
}

// clear is for something that does not fire now. keep is false once there is nothing to remember.
func (st *State) clear(cooldown time.Duration, now time.Time) (message *Message, keep bool) {
	if st.Cleared.IsZero() {
		st.Cleared = now
	}
	if st.Told && now.Sub(st.Cleared) >= settle {
		st.Told = false
		message = st.message(Recovered, now)
		message.Title, message.Text = recovered(st.Rule, st.Name), "It lasted for "+since(st.Since, st.Cleared)+"."
	}
	return message, st.Told || !st.SentAt.IsZero() && now.Sub(st.SentAt) < cooldown
}

func (st *State) message(kind Kind, now time.Time) *Message {
	m := &Message{Kind: kind, Rule: st.Rule, Subject: st.Subject, Title: st.Title, Text: st.Text, Path: st.Path, Since: st.Since, At: now}
	if kind == Reminder {
		m.Text += " It has been so for " + since(st.Since, now) + "."
	}
	return m
}

// Firing reports whether it fires.
func (st State) Firing() bool { return st.Cleared.IsZero() }

// recovered says that something is over.
func recovered(rule Name, name string) string {
	switch rule {
	case BuyerDown:
		return name + " answers again"
	case BuyerPaused:
		return name + " is active again"
	case AcceptanceDropped:
		return name + " accepts about as many leads as in the week before"
	case CapNear:
		return name + " has room under its cap again"
	case BalanceNear:
		return "the balance of " + name + " lasts again"
	case NoSale:
		return "leads are sold again"
	case ErrorLeads:
		return "fewer leads are in error"
	case ReturnWaiting:
		return "no return waits for long any more"
	case PrivacyWaiting:
		return "no privacy request waits for long any more"
	case PrivacyDue:
		return "no privacy request is due soon"
	case IntakeErrors:
		return "requests are taken in again on " + name
	case DiskFull:
		return "the disk of " + name + " has space again"
	case BackupOld:
		return "there is a new backup"
	case CertificateEnds:
		return "there is a new certificate"
	}
	return "it is over"
}
