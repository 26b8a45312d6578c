package signin

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// passkeyRoutes are the addresses at which a passkey begins to be added or used. A script asks them for a challenge; the answer is sent by a form.
func (p *Pages) passkeyRoutes() []edge.Resource {
	return []edge.Resource{
		{Path: page.Prefix + "/passkeys/add/begin", Post: p.SignedIn(store.RoleViewer, func(v *page.Visit) error { return asJSON(p.beginAddPasskey(v)) }), Page: true},
		{Path: page.Prefix + "/passkeys/sign-in/begin", Post: p.open(func(w http.ResponseWriter, r *http.Request) error { return asJSON(p.beginPasskeySignIn(w, r)) }), Page: true},
		{Path: page.Prefix + "/passkeys/sign-in", Get: p.open(p.toSignIn), Post: p.open(p.postPasskeySignIn), Page: true},
	}
}

// toSignIn leads from the address at which a passkey was refused to the page of the form.
func (p *Pages) toSignIn(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, p.Address("/sign-in"), http.StatusSeeOther)
	return nil
}

// asJSON shows an error to a script.
func asJSON(err error) error {
	if err == nil {
		return nil
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		edge.WriteJSON(w, edge.Status(e), wire.Marshal(wire.ErrorBody(e)))
	}}
}

func writeJSON(w http.ResponseWriter, body []byte) { edge.WriteJSON(w, http.StatusOK, body) }

// passkeysPanel lists the person's passkeys.
func (p *Pages) passkeysPanel(v *page.Visit) (page.Part, error) {
	if p.passkeys == nil {
		return page.Panel{Title: "Your passkeys", Parts: []page.Part{page.Prose("There are no passkeys here: they need a base-url with a host name, and " + v.Brand.Origin() + " has none.")}}, nil
	}
	list, err := v.Operator.Access().Passkeys(v.Ctx, v.Who.User.ID)
	if err != nil {
		return nil, err
	}
	t := page.Table{Caption: "Your passkeys", Head: page.Heads("Name", "Added", "Last used"), Empty: "You have no passkey."}
	var removals []page.Part
	for _, k := range list {
		used := page.Soft("never")
		if !k.UsedAt.IsZero() {
			used = page.When(k.UsedAt)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Text(k.Name), page.When(k.CreatedAt), used}})
		removals = append(removals, v.FormFor("/passkeys/remove", page.Form{Title: "Remove " + page.Short(k.Name), Danger: true, Submit: "Remove", What: "Your sessions go on.", Confirm: "Remove " + page.Short(k.Name) + ". It cannot sign you in any more.", Inputs: []page.Input{}, Hidden: []page.Pair{{Name: "passkey", Value: k.ID}}}, nil))
	}
	name := page.Input{Input: console.Input{Name: "name", Label: "Name", Kind: "text", Help: "Which device or key it is. Without a name, your browser's is taken."}}
	add := v.PasskeyForm("/passkeys/add/begin", v.FormFor("/passkeys/add", page.Form{Submit: "Add a passkey", Inputs: withPasswordInput(v, name)}, nil))
	note := "A passkey signs you in with a fingerprint, a face, a PIN or a security key, without name and password. It works only at " + v.Brand.Origin() + ", in a browser with script. Your password works, too."
	return page.Panel{Title: "Your passkeys", Note: note, Parts: slices.Concat([]page.Part{t}, removals, []page.Part{add})}, nil
}

// beginAddPasskey asks the browser for a passkey that the person does not have yet.
func (p *Pages) beginAddPasskey(v *page.Visit) error {
	if p.passkeys == nil {
		return page.ErrNoPage
	}
	if err := v.ReadForm(); err != nil {
		return err
	}
	if err := p.withPassword(v, "password", func() error {
		return v.Operator.Access().Confirm(v.Ctx, v.Who, page.CameFrom(v.R), v.Form.Get("password"))
	}); err != nil {
		return err
	}
	list, err := v.Operator.Access().Passkeys(v.Ctx, v.Who.User.ID)
	if err != nil {
		return err
	}
	user, err := newPasskeyUser(v.Who.User, list...)
	if err != nil {
		return err
	}
	options, session, err := p.passkeys.BeginRegistration(user,
		webauthn.WithCredentialParameters(webauthn.CredentialParametersRecommendedL3()),
		webauthn.WithExclusions(webauthn.Credentials(user.credentials).CredentialDescriptors()))
	if err != nil {
		return err
	}
	return p.beginCeremony(v.W, addPurpose(v.Who.User.ID), options, session)
}

// AddPasskey adds the passkey that the browser made.
func (p *Pages) AddPasskey(v *page.Visit) error {
	if p.passkeys == nil {
		return page.ErrNoPage
	}
	c, err := p.endCeremony(v.W, v.R, addPurpose(v.Who.User.ID))
	if err != nil {
		return err
	}
	var credential *webauthn.Credential
	answer, err := protocol.ParseCredentialCreationResponseBytes([]byte(v.Form.Get("credential")))
	if err == nil {
		credential, err = p.passkeys.CreateCredential(passkeyUser{user: v.Who.User}, c.Session, answer)
	}
	if err != nil {
		return &lead.Error{Kind: lead.Refused, Cause: err, Message: "The passkey could not be added: what the browser sent does not fit. Try again."}
	}
	credential.Attestation = webauthn.CredentialAttestation{} // which device made it: not asked for, and not kept
	text, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	return page.AsForm(p.withPassword(v, "password", func() error {
		_, err := v.Operator.Access().AddPasskey(v.Ctx, v.Who, page.CameFrom(v.R), access.NewPasskey{CredentialID: credentialID(credential.ID), Credential: string(text), Name: v.Form.Get("name"), Password: v.Form.Get("password")})
		return err
	}))
}

func RemovePasskey(v *page.Visit) error {
	return v.Operator.Access().RemovePasskey(v.Ctx, v.Who, page.CameFrom(v.R), v.Form.Get("passkey"))
}

// credentialID is an id of a credential as the store has it.
func credentialID(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

// passkeySignIn is the form of the sign-in page, or nil if there are no passkeys here.
func (p *Pages) passkeySignIn(next string) *page.PasskeyForm {
	if p.passkeys == nil {
		return nil
	}
	f := p.PasskeyForm("/passkeys/sign-in/begin", page.Form{Action: p.Address("/passkeys/sign-in"), Submit: "Sign in with a passkey", Hidden: []page.Pair{{Name: "next", Value: next}}})
	f.Plain = true
	return &f
}

// beginPasskeySignIn asks the browser for any passkey that it has for this host.
func (p *Pages) beginPasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	if p.passkeys == nil {
		return page.ErrNoPage
	}
	if err := p.mayAttempt(r.Context(), p.attemptOf(r, "")); err != nil {
		return err
	}
	options, session, err := p.passkeys.BeginDiscoverableLogin()
	if err != nil {
		return err
	}
	return p.beginCeremony(w, signInPurpose, options, session)
}

// postPasskeySignIn signs a person in. Addresses are limited as with passwords. Names are not: a passkey cannot be guessed.
func (p *Pages) postPasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	if p.passkeys == nil {
		return page.ErrNoPage
	}
	form, err := page.ReadForm(w, r)
	if err != nil {
		return err
	}
	ctx, a, next := r.Context(), p.attemptOf(r, ""), form.Get("next")
	var text string
	var signed access.Signed
	if err := p.try(ctx, a, func() error {
		c, err := p.endCeremony(w, r, signInPurpose)
		if err == nil {
			text, signed, err = p.Operator.Access().SignInWithPasskey(ctx, a.from, p.passkeyAnswer(c, form.Get("credential")))
		}
		return err
	}); err != nil {
		return p.signInRefused(next, "", err)
	}
	p.failures.forget(a.counted)
	p.setSession(w, text, signed)
	http.Redirect(w, r, p.next(next), http.StatusSeeOther)
	return nil
}

// passkeyAnswer reads what a browser answered. What cannot be read names no passkey.
func (p *Pages) passkeyAnswer(c ceremony, text string) access.PasskeyAnswer {
	answer, err := protocol.ParseCredentialRequestResponseBytes([]byte(text))
	if err != nil {
		return access.PasskeyAnswer{}
	}
	return access.PasskeyAnswer{
		CredentialID: credentialID(answer.RawID), UserID: string(answer.Response.UserHandle), AskedAt: c.askedAt(),
		Verify: func(a store.User, k store.Passkey) (string, error) { return p.verifyPasskey(c, answer, a, k) },
	}
}

// verifyPasskey verifies an answer, and returns the credential with its new counter. A counter that does not go up says that there may be
// a copy of the passkey.
func (p *Pages) verifyPasskey(c ceremony, answer *protocol.ParsedCredentialAssertionData, a store.User, k store.Passkey) (string, error) {
	user, err := newPasskeyUser(a, k)
	if err != nil {
		return "", err
	}
	find := func(_, _ []byte) (webauthn.User, error) { return user, nil }
	_, credential, err := p.passkeys.ValidatePasskeyLogin(find, c.Session, answer)
	switch {
	case err != nil:
		return "", access.PasskeyWrong
	case credential.Authenticator.CloneWarning:
		return "", access.PasskeyCounter
	}
	text, err := json.Marshal(credential)
	return string(text), err
}
