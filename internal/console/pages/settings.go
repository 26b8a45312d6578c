package pages

import (
	"errors"
	"net/http"
	"strconv"

	"foyer/internal/console"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

var roles = []string{string(viewer), string(operates), string(owner)}

// settings shows the person's own sessions, and to an owner who else may sign in and which programs have tokens.
func (p *signInPages) settings(v *visit) (view, error) {
	shown := view{Title: "Settings"}
	own, err := p.ownPanels(v)
	if err != nil {
		return shown, err
	}
	shown.Parts, shown.Aside = own[:1], own[1:]
	shown.Aside = append(shown.Aside, panel{Title: "Alerts", Parts: []part{prose("When something breaks: who hears about it, how, and what fires now."), facts{{Name: "Alerts", Text: "Open the alerts", Href: v.address("/settings/alerts")}}}})
	if v.may(operates) {
		shown.Aside = append(shown.Aside, panel{Title: "Audit trail", Parts: []part{prose("Who changed what, who looked at persons, and who signed in."), facts{{Name: "Newest entries", Text: "Open the audit trail", Href: v.address("/settings/audit")}}}})
	}
	if !v.may(owner) {
		return shown, nil
	}
	people, err := v.peoplePanel()
	if err != nil {
		return shown, err
	}
	tokens, err := v.tokensPanel()
	shown.Parts = append(shown.Parts, people, tokens)
	return shown, err
}

// ownPanels are the person's own sessions, password and passkeys.
func (p *signInPages) ownPanels(v *visit) ([]part, error) {
	sessions, err := v.Operator.Access().Sessions(v.ctx, v.who.User.ID)
	if err != nil {
		return nil, err
	}
	t := table{Caption: "Your sessions", Head: heads("Session", "Device", "Signed in", "Last seen")}
	var others []string
	for _, s := range sessions {
		which := text(s.ID)
		if s.ID == v.who.Session.ID {
			which = tagged("this one", "good")
		} else {
			others = append(others, s.ID)
		}
		seen := s.SeenAt // to the minute
		if seen.Before(s.CreatedAt) {
			seen = s.CreatedAt
		}
		t.Rows = append(t.Rows, row{Cells: []cell{tight(which), text(s.Device), when(s.CreatedAt), when(seen)}})
	}
	parts := []part{t}
	if len(others) > 0 {
		one := field("session", "Session", "", "")
		one.Choices, one.Required = others, true
		parts = append(parts, v.formFor("/settings/end-session", form{Title: "End another session", Submit: "End it", What: "That device is signed out at once.", Inputs: []input{one}}, nil))
	}
	parts = append(parts, v.formFor("/settings/end-all", form{Title: "Sign out everywhere", What: "All your sessions end, this one included.", Inputs: []input{}}, nil))
	password := v.formFor("/settings/password", form{Submit: "Change the password", What: "Your other sessions end.", Inputs: []input{
		{Input: console.Input{Name: "old", Label: "Current password", Kind: "text", Required: true}, Secret: true, Auto: "current-password"},
		{Input: console.Input{Name: "password", Label: "New password", Kind: "text", Required: true, Help: "At least 12 characters."}, Secret: true, Auto: "new-password"},
	}}, nil)
	passkeys, err := p.passkeysPanel(v)
	return []part{panel{Title: "Your sessions", Parts: parts}, panel{Title: "Your password", Parts: []part{password}}, passkeys}, err
}

// peoplePanel lists who may sign in.
func (v *visit) peoplePanel() (part, error) {
	list, err := v.Operator.Access().Users(v.ctx)
	if err != nil {
		return nil, err
	}
	t := table{Caption: "People", Head: heads("Name", "Role", "Password", "Last signed in", "Added by")}
	var names []string
	for _, a := range list {
		set := tagged("set", "good")
		if a.Password == "" {
			set = tagged("not yet", "wait")
		}
		names = append(names, a.Name)
		t.Rows = append(t.Rows, row{Cells: []cell{text(a.Name), text(string(a.Role)), set, when(a.SignedInAt), soft(a.CreatedBy)}})
	}
	who := func() input { in := field("name", "Name", "", ""); in.Choices, in.Required = names, true; return in }
	role := field("role", "Role", string(viewer), "A viewer sees everything but persons; an operator does the daily work; an owner also decides who may sign in.")
	role.Choices, role.Required = roles, true
	newName := field("name", "Name", "", "Letters, digits, and . _ @ -")
	newName.Required = true
	return panel{Title: "People", Broad: true, Parts: []part{
		t,
		v.formFor("/settings/add-person", form{Title: "Add a person", Submit: "Add", What: "You get a link that works once, for 30 minutes. Whoever opens it chooses the password.", Inputs: []input{newName, role}}, nil),
		v.formFor("/settings/link-person", form{Title: "Make another link", Submit: "Make a link", What: "For a person who has not chosen a password, or forgot it.", Inputs: []input{who()}}, nil),
		v.formFor("/settings/set-role", form{Title: "Change a role", Submit: "Change", What: "It counts from the next page that the person opens.", Inputs: []input{who(), role}}, nil),
		folding{Title: "Reset or remove a person", Parts: v.resetAndRemove(names), Open: v.refused == "/settings/reset-person" || v.refused == "/settings/remove-person"},
	}}, nil
}

// resetAndRemove are the forms that take something from a person, two for each.
func (v *visit) resetAndRemove(names []string) (forms []part) {
	asked := v.form.Get("name")
	for _, name := range names {
		who := []pair{{"name", name}}
		forms = append(forms,
			v.ownForm(name, asked, "/settings/reset-person", form{Title: "Reset " + name, Danger: true, Submit: "Reset", What: "All sessions end, and you get a link for a new password.", Hidden: who, Inputs: []input{}, Confirm: "Reset " + name + ". The password and the passkeys are gone."}, nil),
			v.ownForm(name, asked, "/settings/remove-person", form{Title: "Remove " + name, Danger: true, Submit: "Remove", What: "All sessions end at once. The audit trail keeps what the person did.", Hidden: who, Inputs: []input{}, Confirm: "Remove " + name + ". The person cannot sign in any more."}, nil))
	}
	return forms
}

// tokensPanel lists which programs may use the API.
func (v *visit) tokensPanel() (part, error) {
	list, err := v.Operator.Access().Tokens(v.ctx)
	if err != nil {
		return nil, err
	}
	now := v.Now()
	t := table{Caption: "Tokens of programs", Head: heads("Token", "Program", "May", "Persons", "State", "Expires", "Last used"), Empty: "No program has a token."}
	var revoke []part
	for _, x := range list {
		state := tagged("valid", "good")
		switch {
		case !x.RevokedAt.IsZero():
			state = tagged("revoked", "soft")
		case !x.Valid(now):
			state = tagged("expired", "soft")
		default:
			name := short(x.Name) + " (" + x.ID + ")"
			revoke = append(revoke, v.ownForm(x.ID, v.form.Get("token"), "/settings/revoke-token", form{Title: "Revoke " + name, Danger: true, Submit: "Revoke", What: "Requests with it are refused at once.", Hidden: []pair{{"token", x.ID}}, Inputs: []input{}, Confirm: "Revoke the token of " + name + ". It cannot be made valid again."}, nil))
		}
		sees := "no"
		if x.PersonalData {
			sees = "yes"
		}
		t.Rows = append(t.Rows, row{Cells: []cell{text(x.ID), text(x.Name), text(string(x.Scope)), text(sees), state, when(x.ExpiresAt), when(x.UsedAt)}})
	}
	name := field("name", "Program", "", "Which program uses it.")
	name.Required = true
	days := field("days", "Days", strconv.Itoa(access.DefaultTokenDays), "For how many days it is valid.")
	write, personal := field("write", "It may change things", "", ""), field("personal_data", "It may see persons", "", "And decide where contacts are sent, if it may change things.")
	write.Kind, personal.Kind = "boolean", "boolean"
	parts := []part{t, v.formFor("/settings/add-token", form{Title: "Add a token", Submit: "Add", What: "For a program that uses the API under /v1/operator. It is shown once.", Inputs: []input{name, days, write, personal}}, nil)}
	return panel{Title: "Programs", Broad: true, Parts: append(parts, revoke...)}, nil
}

// signOut ends this session.
func (p *signInPages) signOut(v *visit) error {
	err := v.Operator.Access().EndSession(v.ctx, v.who, from(v.r), v.who.Session.ID)
	if err != nil {
		return err
	}
	return p.leave(v)
}

func (p *signInPages) endAllSessions(v *visit) error {
	if err := v.Operator.Access().EndAllSessions(v.ctx, v.who, from(v.r)); err != nil {
		return err
	}
	return p.leave(v)
}

func (p *signInPages) leave(v *visit) error {
	p.endSession(v.w)
	http.Redirect(v.w, v.r, v.address("/sign-in"), http.StatusSeeOther)
	return errLeft
}

func (v *visit) endOneSession() error {
	return v.Operator.Access().EndSession(v.ctx, v.who, from(v.r), v.form.Get("session"))
}

func (p *signInPages) changePassword(v *visit) error {
	return asForm(p.withPassword(v, "old", func() error {
		return v.Operator.Access().ChangePassword(v.ctx, v.who, from(v.r), v.form.Get("old"), v.form.Get("password"))
	}))
}

// withPassword does what needs the person's password, which is in a field. Wrong ones count as they do at the sign-in: a session that was
// taken over must not be used to guess it.
func (p *signInPages) withPassword(v *visit, field string, do func() error) error {
	a := p.attemptOf(v.r, v.who.User.Name)
	a.by, a.userID = v.by(), v.who.User.ID
	if err := p.mayAttempt(v.ctx, a); err != nil {
		return err
	}
	err := do()
	if !errors.Is(err, access.ErrWrongPassword) {
		return err
	}
	if err := p.failed(v.ctx, a); err != nil {
		return err
	}
	return lead.InvalidField(field, field+": this is not your current password.")
}

// showLink shows a link once.
func (v *visit) showLink(link string, err error) error {
	if err != nil {
		return asForm(err)
	}
	v.secret = v.origin() + v.address("/link/"+link)
	return nil
}

// origin is the scheme and the host by which the person reaches the console.
func (v *visit) origin() string {
	if v.Brand.HTTPS() {
		return v.Brand.Origin()
	}
	return "http://" + v.r.Host
}

func (v *visit) addPerson() error {
	_, link, err := v.Operator.Access().AddUser(v.ctx, v.by(), v.form.Get("name"), store.Role(v.form.Get("role")))
	return v.showLink(link, err)
}

func (v *visit) linkPerson() error {
	if v.form.Get("name") == "" {
		return lead.InvalidField("name", "name: choose a person.")
	}
	_, link, err := v.Operator.Access().LinkUser(v.ctx, v.by(), v.form.Get("name"))
	return v.showLink(link, err)
}

func (v *visit) resetPerson() error {
	_, link, err := v.Operator.Access().ResetUser(v.ctx, v.by(), v.form.Get("name"))
	return v.showLink(link, err)
}

func (v *visit) setRole() error {
	_, err := v.Operator.Access().SetRole(v.ctx, v.by(), v.form.Get("name"), store.Role(v.form.Get("role")))
	return asForm(err)
}

func (v *visit) removePerson() error {
	_, err := v.Operator.Access().RemoveUser(v.ctx, v.by(), v.form.Get("name"))
	return asForm(err)
}

func (v *visit) addToken() error {
	days, err := strconv.Atoi(v.form.Get("days"))
	if err != nil {
		return lead.InvalidField("days", "days: write a whole number.")
	}
	_, token, err := v.Operator.Access().AddToken(v.ctx, v.by(), access.NewToken{Name: v.form.Get("name"), Write: v.form.Get("write") == "true", PersonalData: v.form.Get("personal_data") == "true", Days: days})
	if err != nil {
		return asForm(err)
	}
	v.secret = token
	return nil
}

func (v *visit) revokeToken() error {
	_, err := v.Operator.Access().RevokeToken(v.ctx, v.by(), v.form.Get("token"))
	return asForm(err)
}
