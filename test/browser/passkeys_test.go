package browser

import (
	"context"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// addAuthenticator gives the tab a device that makes passkeys, and whose person always agrees.
func (b *tab) addAuthenticator() {
	b.t.Helper()
	b.run(webauthn.Enable(), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := webauthn.AddVirtualAuthenticator(&webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}).Do(ctx)
		return err
	}))
}

// clickButton clicks a button by its text, as soon as it is there and can be pressed.
func (b *tab) clickButton(text string) {
	b.t.Helper()
	b.until("the button "+text, func() bool {
		pressed, err := try[bool](b, `(() => {
			const button = [...document.querySelectorAll('button')].find(e => e.checkVisibility() && !e.disabled && e.textContent === `+quoted(text)+`)
			button?.click()
			return !!button
		})()`)
		return err == nil && pressed
	})
}

// TestPasskey adds a passkey, signs in by it alone, and removes it.
func TestPasskey(t *testing.T) {
	b := serve(t).openConsole(t)
	b.cookies = append(b.cookies, "foyer-passkey")
	b.addAuthenticator()
	b.becomeOwner("pat")
	b.visit("/console/settings", http.StatusOK)
	b.says("You have no passkey.")
	b.wantNoViolation("light", everyRule)
	b.run(chromedp.SendKeys(`#passkeys-add-name`, "Blue laptop"))
	b.clickButton("Add a passkey")
	b.says("The passkey is added.")
	b.says("Blue laptop")
	b.wantNoViolation("light", everyRule)
	b.clickButton("Add a passkey")
	b.says("This device has a passkey of yours already.")

	b.clickButton("Sign out")
	b.until("the sign-in page", func() bool { return b.at("/console/sign-in") })
	b.visit("/console/sign-in?next=/console/settings", http.StatusOK)
	b.wantNoViolation("light", everyRule)
	b.clickButton("Sign in with a passkey")
	b.until("the settings", func() bool { return b.at("/console/settings") })
	b.says("Blue laptop")

	b.run(chromedp.Click(`//summary[text()="Remove Blue laptop"]`, chromedp.BySearch))
	b.run(chromedp.Click(`//label[contains(., "It cannot sign you in")]/input`, chromedp.BySearch))
	b.clickButton("Remove")
	b.says("The passkey is removed.")
	b.says("You have no passkey.")
	b.clickButton("Sign out")
	b.until("the sign-in page", func() bool { return b.at("/console/sign-in") })
	b.expect(b.origin+"/console/passkeys/sign-in", http.StatusUnprocessableEntity)
	b.clickButton("Sign in with a passkey")
	b.says("The name, the password or the passkey is wrong.")
	b.visit("/console/settings", http.StatusOK)
	if !b.at("/console/sign-in") {
		t.Error("a removed passkey signs in")
	}
}

// TestPasskeyNeedsScript shows no button that would do nothing.
func TestPasskeyNeedsScript(t *testing.T) {
	s := serve(t)
	shown := func(b *tab) bool {
		return ask[bool](b, `[...document.querySelectorAll('button')].some(e => e.textContent === 'Sign in with a passkey' && e.checkVisibility())`)
	}
	b := s.openConsole(t, emulation.SetScriptExecutionDisabled(true))
	b.visit("/console/sign-in", http.StatusOK)
	if shown(b) {
		t.Error("without script there is a button that does nothing")
	}
	b.run(emulation.SetScriptExecutionDisabled(false))
	b.visit("/console/sign-in", http.StatusOK)
	if !shown(b) {
		t.Error("with script there is no button")
	}
}

// TestPasskeyInOlderBrowsers uses the script without what newer browsers do for it.
func TestPasskeyInOlderBrowsers(t *testing.T) {
	b := serve(t).openConsole(t)
	b.cookies = append(b.cookies, "foyer-passkey")
	b.addAuthenticator()
	b.becomeOwner("pat")
	older := func() {
		ask[bool](b, `delete PublicKeyCredential.parseCreationOptionsFromJSON && delete PublicKeyCredential.parseRequestOptionsFromJSON && delete PublicKeyCredential.prototype.toJSON`)
	}
	b.visit("/console/settings", http.StatusOK)
	older()
	b.clickButton("Add a passkey")
	b.says("The passkey is added.")
	older()
	b.clickButton("Add a passkey")
	b.says("This device has a passkey of yours already.")
	b.clickButton("Sign out")
	b.until("the sign-in page", func() bool { return b.at("/console/sign-in") })
	older()
	b.clickButton("Sign in with a passkey")
	b.until("the console", func() bool { return b.at("/console") })
}
