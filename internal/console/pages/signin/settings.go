package signin

import (
	"errors"
	"net/http"
	"strconv"

	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

var roles = []string{string(store.RoleViewer), string(store.RoleOperator), string(store.RoleOwner)}

// Settings shows the person's own sessions, and to an owner who else may sign in and which programs have tokens.
func (p *Pages) Settings(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Settings"}
	own, err := p.ownPanels(v)
	if err != nil {
		return shown, err
	}
	shown.Parts, shown.Aside = own[:1], own[1:]
	shown.Aside = append(shown.Aside, page.Panel{Title: "Alerts", Parts: []page.Part{page.Prose("When something breaks: who hears about it, how, and what fires now."), page.Facts{{Name: "Alerts", Text: "Open the alerts", Href: v.Address("/settings/alerts")}}}})
	if v.May(store.RoleOperator) {
		shown.Aside = append(shown.Aside, page.Panel{Title: "Audit trail", Parts: []page.Part{page.Prose("Who changed what, who looked at persons, and who signed in."), page.Facts{{Name: "Newest entries", Text: "Open the audit trail", Href: v.Address("/settings/audit")}}}})
	}
	if !v.May(store.RoleOwner) {
		return shown, nil
	}
	people, err := peoplePanel(v)
	if err != nil {
		return shown, err
	}
	tokens, err := tokensPanel(v)
	shown.Parts = append(shown.Parts, people, tokens)
	return shown, err
}

// ownPanels are the person's own sessions, password and passkeys.
func (p *Pages) ownPanels(v *page.Visit) ([]page.Part, error) {
	sessions, err := v.Operator.Access().Sessions(v.Ctx, v.Who.User.ID)
	if err != nil {
		return nil, err
	}
	t := page.Table{Caption: "Your sessions", Head: page.Heads("Session", "Device", "Signed in", "Last seen")}
	var others []string
	for _, s := range sessions {
		which := page.Text(s.ID)
		if s.ID == v.Who.Session.ID {
			which = page.Tagged("this one", "good")
		} else {
			others = append(others, s.ID)
		}
		seen := s.SeenAt // to the minute
		if seen.Before(s.CreatedAt) {
			seen = s.CreatedAt
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Tight(which), page.Text(s.Device), page.When(s.CreatedAt), page.When(seen)}})
	}
	parts := []page.Part{t}
	if len(others) > 0 {
		one := page.TextInput("session", "Session", "", "")
		one.Choices, one.Required = others, true
		parts = append(parts, v.FormFor("/settings/end-session", page.Form{Title: "End another session", Submit: "End it", What: "That device is signed out at once.", Inputs: []page.Input{one}}, nil))
	}
	parts = append(parts, v.FormFor("/settings/end-all", page.Form{Title: "Sign out everywhere", What: "All your sessions end, this one included.", Inputs: []page.Input{}}, nil))
	password := v.FormFor("/settings/password", page.Form{Submit: "Change the password", What: "Your other sessions end.", Inputs: []page.Input{
		{Input: console.Input{Name: "old", Label: "Current password", Kind: "text", Required: true}, Secret: true, Auto: "current-password"},
		{Input: console.Input{Name: "password", Label: "New password", Kind: "text", Required: true, Help: "At least 12 characters."}, Secret: true, Auto: "new-password"},
	}}, nil)
	passkeys, err := p.passkeysPanel(v)
	return []page.Part{page.Panel{Title: "Your sessions", Parts: parts}, page.Panel{Title: "Your password", Parts: []page.Part{password}}, passkeys}, err
}

// peoplePanel lists who may sign in.
func peoplePanel(v *page.Visit) (page.Part, error) {
	list, err := v.Operator.Access().Users(v.Ctx)
	if err != nil {
		return nil, err
	}
	t := page.Table{Caption: "People", Head: page.Heads("Name", "Role", "Password", "Last signed in", "Added by")}
	var names []string
	for _, a := range list {
		set := page.Tagged("set", "good")
		if a.Password == "" {
			set = page.Tagged("not yet", "wait")
		}
		names = append(names, a.Name)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Text(a.Name), page.Text(string(a.Role)), set, page.When(a.SignedInAt), page.Soft(a.CreatedBy)}})
	}
	who := func() page.Input {
		in := page.TextInput("name", "Name", "", "")
		in.Choices, in.Required = names, true
		return in
	}
	role := page.TextInput("role", "Role", string(store.RoleViewer), "A viewer sees everything but persons; an operator does the daily work; an owner also decides who may sign in.")
	role.Choices, role.Required = roles, true
	newName := page.TextInput("name", "Name", "", "Letters, digits, and . _ @ -")
	newName.Required = true
	return page.Panel{Title: "People", Broad: true, Parts: []page.Part{
		t,
		v.FormFor("/settings/add-person", page.Form{Title: "Add a person", Submit: "Add", What: "You get a link that works once, for 30 minutes. Whoever opens it chooses the password.", Inputs: withPasswordInput(v, newName, role)}, nil),
		v.FormFor("/settings/link-person", page.Form{Title: "Make another link", Submit: "Make a link", What: "For a person who has not chosen a password, or forgot it.", Inputs: withPasswordInput(v, who())}, nil),
		v.FormFor("/settings/set-role", page.Form{Title: "Change a role", Submit: "Change", What: "It counts from the next page that the person opens.", Inputs: withPasswordInput(v, who(), role), Confirm: "Let the person do what cannot be undone, as operators and owners may."}, nil),
		page.Folding{Title: "Reset or remove a person", Parts: resetAndRemove(v, names), Open: v.Refused == "/settings/reset-person" || v.Refused == "/settings/remove-person"},
	}}, nil
}

// resetAndRemove are the forms that take something from a person, two for each.
func resetAndRemove(v *page.Visit, names []string) (forms []page.Part) {
	asked := v.Form.Get("name")
	for _, name := range names {
		who := []page.Pair{{Name: "name", Value: name}}
		forms = append(forms,
			v.OwnForm(name, asked, "/settings/reset-person", page.Form{Title: "Reset " + name, Danger: true, Submit: "Reset", What: "All sessions end, and you get a link for a new password.", Hidden: who, Inputs: withPasswordInput(v), Confirm: "Reset " + name + ". The password and the passkeys are gone."}, nil),
			v.OwnForm(name, asked, "/settings/remove-person", page.Form{Title: "Remove " + name, Danger: true, Submit: "Remove", What: "All sessions end at once. The audit trail keeps what the person did.", Hidden: who, Inputs: []page.Input{}, Confirm: "Remove " + name + ". The person cannot sign in any more."}, nil))
	}
	return forms
}

// tokensPanel lists which programs may use the API.
func tokensPanel(v *page.Visit) (page.Part, error) {
	list, err := v.Operator.Access().Tokens(v.Ctx)
	if err != nil {
		return nil, err
	}
	now := v.Now()
	t := page.Table{Caption: "Tokens of programs", Head: page.Heads("Token", "Program", "May", "Persons", "State", "Expires", "Last used"), Empty: "No program has a token."}
	var revoke []page.Part
	for _, x := range list {
		state := page.Tagged("valid", "good")
		switch {
		case !x.RevokedAt.IsZero():
			state = page.Tagged("revoked", "soft")
		case !x.Valid(now):
			state = page.Tagged("expired", "soft")
		default:
			name := page.Short(x.Name) + " (" + x.ID + ")"
			revoke = append(revoke, v.OwnForm(x.ID, v.Form.Get("token"), "/settings/revoke-token", page.Form{Title: "Revoke " + name, Danger: true, Submit: "Revoke", What: "Requests with it are refused at once.", Hidden: []page.Pair{{Name: "token", Value: x.ID}}, Inputs: []page.Input{}, Confirm: "Revoke the token of " + name + ". It cannot be made valid again."}, nil))
		}
		sees := "no"
		if x.PersonalData {
			sees = "yes"
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Text(x.ID), page.Text(x.Name), page.Text(string(x.Scope)), page.Text(sees), state, page.When(x.ExpiresAt), page.When(x.UsedAt)}})
	}
	name := page.TextInput("name", "Program", "", "Which program uses it.")
	name.Required = true
	days := page.TextInput("days", "Days", strconv.Itoa(access.DefaultTokenDays), "For how many days it is valid.")
	write, personal := page.TextInput("write", "It may change things", "", ""), page.TextInput("personal_data", "It may see persons", "", "And decide where contacts are sent, if it may change things.")
	write.Kind, personal.Kind = "boolean", "boolean"
	parts := []page.Part{t, v.FormFor("/settings/add-token", page.Form{Title: "Add a token", Submit: "Add", What: "For a program that uses the API under /v1/operator. It is shown once.", Inputs: withPasswordInput(v, name, days, write, personal)}, nil)}
	return page.Panel{Title: "Programs", Broad: true, Parts: append(parts, revoke...)}, nil
}

// SignOut ends this session.
func (p *Pages) SignOut(v *page.Visit) error {
	err := v.Operator.Access().EndSession(v.Ctx, v.Who, page.CameFrom(v.R), v.Who.Session.ID)
	if err != nil {
		return err
	}
	return p.leave(v)
}

func (p *Pages) EndAllSessions(v *page.Visit) error {
	if err := v.Operator.Access().EndAllSessions(v.Ctx, v.Who, page.CameFrom(v.R)); err != nil {
		return err
	}
	return p.leave(v)
}

func (p *Pages) leave(v *page.Visit) error {
	p.endSession(v.W)
	http.Redirect(v.W, v.R, v.Address("/sign-in"), http.StatusSeeOther)
	return page.ErrLeft
}

func EndOneSession(v *page.Visit) error {
	return v.Operator.Access().EndSession(v.Ctx, v.Who, page.CameFrom(v.R), v.Form.Get("session"))
}

func (p *Pages) ChangePassword(v *page.Visit) error {
	return page.AsForm(p.withPassword(v, "old", func() error {
		return v.Operator.Access().ChangePassword(v.Ctx, v.Who, page.CameFrom(v.R), v.Form.Get("old"), v.Form.Get("password"))
	}))
}

// withPassword does what needs the person's password, which is in a field. Wrong ones count as they do at the sign-in: a session that was
// taken over must not be used to guess it.
func (p *Pages) withPassword(v *page.Visit, field string, do func() error) error {
	a := p.attemptOf(v.R, v.Who.User.Name)
	a.by, a.userID = v.By(), v.Who.User.ID
	err := p.try(v.Ctx, a, do)
	if errors.Is(err, access.ErrWrongPassword) {
		err = lead.InvalidField(field, field+": this is not your current password.")
	}
	return err
}

// showLink shows a link once.
func showLink(v *page.Visit, link string, err error) error {
	if err != nil {
		return err
	}
	v.Secret = origin(v) + v.Address("/link/"+link)
	return nil
}

// origin is the scheme and the host by which the person reaches the console.
func origin(v *page.Visit) string {
	if v.Brand.HTTPS() {
		return v.Brand.Origin()
	}
	return "http://" + v.R.Host
}

// givesAccess does what lets somebody in. Whoever has taken over a session cannot do it a while after its person signed in, because
// then it would outlast the session.
func (p *Pages) givesAccess(v *page.Visit, do func() error) error {
	return page.AsForm(p.withPassword(v, "password", func() error {
		if err := v.Operator.Access().Confirm(v.Ctx, v.Who, page.CameFrom(v.R), v.Form.Get("password")); err != nil {
			return err
		}
		return do()
	}))
}

// withPasswordInput adds the field for the person's password to a form that gives access, unless they have just signed in.
func withPasswordInput(v *page.Visit, inputs ...page.Input) []page.Input {
	if v.Operator.Access().Fresh(v.Who) {
		return inputs
	}
	help := "You signed in a while ago. If you use a passkey and do not know it, sign out and in again."
	return append(inputs, page.Input{Input: console.Input{Name: "password", Label: "Your password", Kind: "text", Required: true, Help: help}, Secret: true, Auto: "current-password"})
}

func (p *Pages) AddPerson(v *page.Visit) error {
	return p.givesAccess(v, func() error {
		_, link, err := v.Operator.Access().AddUser(v.Ctx, v.By(), v.Form.Get("name"), store.Role(v.Form.Get("role")))
		return showLink(v, link, err)
	})
}

func (p *Pages) LinkPerson(v *page.Visit) error {
	if v.Form.Get("name") == "" {
		return lead.InvalidField("name", "name: choose a person.")
	}
	return p.givesAccess(v, func() error {
		_, link, err := v.Operator.Access().LinkUser(v.Ctx, v.By(), v.Form.Get("name"))
		return showLink(v, link, err)
	})
}

func (p *Pages) ResetPerson(v *page.Visit) error {
	return p.givesAccess(v, func() error {
		_, link, err := v.Operator.Access().ResetUser(v.Ctx, v.By(), v.Form.Get("name"))
		return showLink(v, link, err)
	})
}

func (p *Pages) SetRole(v *page.Visit) error {
	return p.givesAccess(v, func() error {
		_, err := v.Operator.Access().SetRole(v.Ctx, v.By(), v.Form.Get("name"), store.Role(v.Form.Get("role")))
		return err
	})
}

func RemovePerson(v *page.Visit) error {
	_, err := v.Operator.Access().RemoveUser(v.Ctx, v.By(), v.Form.Get("name"))
	return page.AsForm(err)
}

func (p *Pages) AddToken(v *page.Visit) error {
	days, err := strconv.Atoi(v.Form.Get("days"))
	if err != nil {
		return lead.InvalidField("days", "days: write a whole number.")
	}
	return p.givesAccess(v, func() error {
		_, token, err := v.Operator.Access().AddToken(v.Ctx, v.By(), access.NewToken{Name: v.Form.Get("name"), Write: v.Form.Get("write") == "true", PersonalData: v.Form.Get("personal_data") == "true", Days: days})
		if err == nil {
			v.Secret = token
		}
		return err
	})
}

func RevokeToken(v *page.Visit) error {
	_, err := v.Operator.Access().RevokeToken(v.Ctx, v.By(), v.Form.Get("token"))
	return page.AsForm(err)
}
