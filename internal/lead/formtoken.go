package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// The age limits of a form token when the form is posted. People cannot read and fill in a form in under two seconds, and
// after a day the served text may be outdated.
const (
	FormTokenMinAge = 2 * time.Second
	FormTokenMaxAge = 24 * time.Hour
)

// maxClockSkew is how far the clocks of two processes may differ.
const maxClockSkew = time.Minute

// TokenVerdict is the result of checking a form token.
type TokenVerdict string

// The verdicts. Only TokenValid proves that our form was served.
const (
	TokenValid   TokenVerdict = "valid"
	TokenMissing TokenVerdict = "missing"
	TokenExpired TokenVerdict = "expired"
	TokenTooFast TokenVerdict = "too_fast"
	TokenWrong   TokenVerdict = "wrong" // not made with our key for this consent text, or issued in the future
)

// Genuine reports whether we issued the token, so that its time and page version can be trusted.
func (v TokenVerdict) Genuine() bool {
	return v == TokenValid || v == TokenExpired || v == TokenTooFast
}

// NewFormToken returns a token that proves when a form was served, with which page version and consent text. Without a key
// it returns "".
func NewFormToken(key []byte, consentHash, pageVersion string, at time.Time) string {
	if len(key) == 0 {
		return ""
	}
	content := strconv.FormatInt(at.Unix(), 36) + "." + pageVersion
	return content + "." + formTokenMAC(key, consentHash, content)
}

func formTokenMAC(key []byte, consentHash, content string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("form " + consentHash + " " + content))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// FormProof is what a form token proves.
type FormProof struct {
	Verdict     TokenVerdict
	Seconds     int    // from serving the form to posting it; 0 unless the token is genuine
	PageVersion string // of the page that was served; "" unless the token is genuine
}

// CheckFormToken checks the token of a form that was posted with this consent text.
func CheckFormToken(key []byte, token, consentHash string, now time.Time) FormProof {
	if token == "" {
		return FormProof{Verdict: TokenMissing}
	}
	end := strings.LastIndexByte(token, '.')
	if end < 0 || len(key) == 0 || !hmac.Equal([]byte(token[end+1:]), []byte(formTokenMAC(key, consentHash, token[:end]))) {
		return FormProof{Verdict: TokenWrong}
	}
	issued, page, _ := strings.Cut(token[:end], ".")
	seconds, err := strconv.ParseInt(issued, 36, 64)
	age := now.Sub(time.Unix(seconds, 0))
	if err != nil || age < -maxClockSkew {
		return FormProof{Verdict: TokenWrong}
	}
	proof := FormProof{Verdict: TokenValid, Seconds: max(0, int(age/time.Second)), PageVersion: page}
	switch {
	case age < FormTokenMinAge:
		proof.Verdict = TokenTooFast
	case age > FormTokenMaxAge:
		proof.Verdict = TokenExpired
	}
	return proof
}
