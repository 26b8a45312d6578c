package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
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
// the name, cannot lock that person out (there is no lockout).
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
	return attempt{by: audit.Visitor, from: page.CameFrom(r), counted: failureKey{name, false}}
}

const manyForName = "Many wrong passwords were tried for this name. Wait a quarter of an hour, use a browser in which you signed in before, or have a link made on the machine: foyer operators link."

// mayAttempt refuses an attempt if too many were wrong before it.
func (p *Pages) mayAttempt(ctx context.Context, a attempt) error {
	if !a.counted.knownBrowser {
		if allowed, err := p.Limiter.Take(ctx, a.from.Address, lead.BucketUnknownIDs, 0); err != nil || !allowed.Granted {
			return p.tooMany(ctx, a, allowed, err)
		}
	}
	if wait := p.failures.wait(a.counted, p.Now()); wait > 0 {
		return p.recordRefusal(ctx, a, &lead.Error{Kind: lead.RateLimited, Retry: wait, Message: manyForName})
	}
	return nil
}

// failed counts an attempt that was wrong.
func (p *Pages) failed(ctx context.Context, a attempt) error {
	p.failures.add(a.counted, p.Now())
	if a.counted.knownBrowser {
		return nil
	}
	if allowed, err := p.Limiter.Take(ctx, a.from.Address, lead.BucketUnknownIDs, 1); err != nil || !allowed.Granted {
		return p.tooMany(ctx, a, allowed, err)
	}
	return nil
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

// wait returns how long a name has to wait, or 0.
func (f *failures) wait(key failureKey, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	times := f.times[key]
	if len(times) < FailuresAllowed {
		return 0
	}
	return max(0, times[len(times)-FailuresAllowed].Add(failuresWindow).Sub(now))
}

func (f *failures) add(key failureKey, now time.Time) {
	if key.name == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.times == nil || len(f.times) > maxNames {
		f.times = make(map[failureKey][]time.Time)
	}
	times := append(f.times[key], now)
	f.times[key] = times[max(0, len(times)-FailuresAllowed):]
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
