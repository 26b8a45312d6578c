package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"foyer/internal/audit"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
)

// attempt is one to sign in, or to show that a person knows their password. Wrong ones count for the address and for the name, unless the
// person signed in before in this browser: then they count for that person's browsers alone, and others, who share the address or try
// the name, cannot lock that person out: there is no account lockout, but a wait.
type attempt struct {
	by      audit.Actor
	userID  string // of a person who is signed in
	from    access.From
	counted failureKey
}

// failureKey is what wrong passwords are counted for, apart from the address: brute force from many addresses is slowed down, too.
type failureKey struct {
	name         string // "" if nothing but the address counts: nobody typed a name
	knownBrowser bool
}

func (p *Pages) attemptOf(r *http.Request, name string) attempt {
	known := p.personOfBrowser(r)
	if known != "" && (name == "" || name == known) {
		return attempt{by: audit.Visitor, from: page.CameFrom(r), counted: failureKey{known, true}}
	}
	if len(name) > access.MaxUserName { // nobody has it, and it need not be kept
		name = ""
	}
	return attempt{by: audit.Visitor, from: page.CameFrom(r), counted: failureKey{name, false}}
}

const manyForName = "Many wrong passwords were tried for this name. Wait a quarter of an hour, use a browser in which you signed in before, or have a link made on the machine: foyer operators link."

// mayAttempt refuses what leads to an attempt if too many were wrong before it. It counts nothing.
func (p *Pages) mayAttempt(ctx context.Context, a attempt) error {
	if !a.counted.knownBrowser {
		if allowed, err := p.Limiter.Take(ctx, a.from.Address, lead.BucketUnknownIDs, 0); err != nil || !allowed.Granted {
			return p.tooMany(ctx, a, allowed, err)
		}
	}
	return nil
}

// try carries out an attempt, unless too many were wrong before it. It counts as wrong from the beginning, until it turns out that it was
// not: a hash takes long, and otherwise many attempts at the same time would all pass on what one may try.
func (p *Pages) try(ctx context.Context, a attempt, do func() error) error {
	now := p.Now()
	if err := p.countAddress(ctx, a); err != nil {
		return err
	}
	if wait := p.failures.begin(a.counted, now); wait > 0 {
		p.returnToAddress(ctx, a)
		return p.recordRefusal(ctx, a, &lead.Error{Kind: lead.RateLimited, Retry: wait, Message: manyForName})
	}
	err := do()
	if !errors.Is(err, access.ErrWrongPassword) {
		p.failures.takeBack(a.counted, now)
		p.returnToAddress(ctx, a)
	}
	return err
}

// countAddress counts a wrong attempt for its address.
func (p *Pages) countAddress(ctx context.Context, a attempt) error {
	if a.counted.knownBrowser {
		return nil
	}
	if allowed, err := p.Limiter.Take(ctx, a.from.Address, lead.BucketUnknownIDs, 1); err != nil || !allowed.Granted {
		return p.tooMany(ctx, a, allowed, err)
	}
	return nil
}

// returnToAddress takes back what countAddress counted. If that fails, the address is limited a little sooner.
func (p *Pages) returnToAddress(ctx context.Context, a attempt) {
	if !a.counted.knownBrowser {
		_, _ = p.Limiter.Take(context.WithoutCancel(ctx), a.from.Address, lead.BucketUnknownIDs, -1)
	}
}

func (p *Pages) tooMany(ctx context.Context, a attempt, allowed lead.Allowance, err error) error {
	if err != nil {
		return err
	}
	return p.recordRefusal(ctx, a, &lead.Error{Kind: lead.RateLimited, Retry: allowed.Retry, Message: "Too many wrong passwords came from your address. Wait a minute and try again."})
}

// recordRefusal records that a limit refused an attempt: once a minute for each address, so that a flood does not fill the audit trail.
func (p *Pages) recordRefusal(ctx context.Context, a attempt, refusal error) error {
	if allowed, err := p.Recorded.Take(ctx, a.from.Address, lead.BucketLeads, 1); err != nil || !allowed.Granted {
		return refusal
	}
	if err := p.record(ctx, a, access.TooManyAttempts); err != nil {
		return err
	}
	return refusal
}

// record records an attempt at which no password or passkey was looked at.
func (p *Pages) record(ctx context.Context, a attempt, reason string) error {
	return p.Operator.Access().RecordFailure(ctx, a.by, a.userID, a.from, audit.Detail{"reason": reason})
}

// failures counts wrong passwords by name, known or not. It is kept in memory: a restart forgets it, and addresses are limited anyway.
type failures struct {
	mu    sync.Mutex
	times map[failureKey][]time.Time
}

const (
	FailuresAllowed = 10
	failuresWindow  = 15 * time.Minute
	maxNames        = 10_000 // so many names cannot be tried within the window by the addresses of one household
)

// begin counts an attempt as a failure, or returns how long a name has to wait.
func (f *failures) begin(key failureKey, now time.Time) (wait time.Duration) {
	if key.name == "" {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	times := f.times[key]
	if len(times) >= FailuresAllowed {
		if wait := times[len(times)-FailuresAllowed].Add(failuresWindow).Sub(now); wait > 0 {
			return wait
		}
	}
	if len(f.times) >= maxNames {
		f.makeRoom(now)
	}
	if f.times == nil {
		f.times = make(map[failureKey][]time.Time)
	}
	times = append(slices.Clone(times), now)
	f.times[key] = times[max(0, len(times)-FailuresAllowed):]
	return 0
}

// makeRoom forgets the names for which nothing failed lately; if there are none, also those that could still be tried; and at last all.
func (f *failures) makeRoom(now time.Time) {
	for _, least := range []int{1, FailuresAllowed, FailuresAllowed + 1} {
		maps.DeleteFunc(f.times, func(_ failureKey, times []time.Time) bool {
			return len(times) < least || now.Sub(times[len(times)-1]) > failuresWindow
		})
		if len(f.times) < maxNames {
			return
		}
	}
}

// takeBack forgets an attempt that was not wrong after all.
func (f *failures) takeBack(key failureKey, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	times := slices.Clone(f.times[key])
	i := slices.IndexFunc(times, at.Equal)
	switch {
	case i < 0:
	case len(times) == 1:
		delete(f.times, key)
	default:
		f.times[key] = slices.Delete(times, i, i+1)
	}
}

func (f *failures) forget(key failureKey) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.times, key)
}

// A browser in which a person signed in has a cookie that says so, by the person's name and a signature.
const deviceCookie = "foyer-device"

func (p *Pages) deviceToken(name string) string {
	mac := hmac.New(sha256.New, p.DeviceKey)
	mac.Write([]byte("console device\x00" + name))
	return base64.RawURLEncoding.EncodeToString([]byte(name)) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// personOfBrowser is the name of the person who signed in last in this browser, or "".
func (p *Pages) personOfBrowser(r *http.Request) string {
	cookie, err := r.Cookie(p.cookieName(deviceCookie))
	if err != nil {
		return ""
	}
	text, _, _ := strings.Cut(cookie.Value, ".")
	name, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || !hmac.Equal([]byte(cookie.Value), []byte(p.deviceToken(string(name)))) {
		return ""
	}
	return string(name)
}
