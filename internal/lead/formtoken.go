package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// How old the token of our own form may be when the form is posted: nobody reads and fills in a form in less than two
// seconds, and a page that was open for longer than a day may say something else by now.
const (
	FormTokenMinAge = 2 * time.Second
	FormTokenMaxAge = 24 * time.Hour
)

// clockSkew is how far the clocks of two processes may be apart.
const clockSkew = time.Minute

// TokenVerdict says what is known of the token that a form was posted with.
type TokenVerdict string

// The verdicts. Only the first proves that our form was served.
const (
	TokenValid   TokenVerdict = "valid"
	TokenMissing TokenVerdict = "missing"
	TokenExpired TokenVerdict = "expired"
	TokenTooFast TokenVerdict = "too_fast"
	TokenWrong   TokenVerdict = "wrong" // not made with our key for these words, or not by our clock
)

// Genuine says that the token was made by us, so that its time and its page can be believed.
func (v TokenVerdict) Genuine() bool {
	return v == TokenValid || v == TokenExpired || v == TokenTooFast
}

// NewFormToken makes the token of a form: it shows that a page of this version was served with these words at this time.
// Without a key there is none.
func NewFormToken(key []byte, wordingHash, pageVersion string, at time.Time) string {
	if len(key) == 0 {
		return ""
	}
	claim := strconv.FormatInt(at.Unix(), 36) + "." + pageVersion
	return claim + "." + formTokenMAC(key, wordingHash, claim)
}

func formTokenMAC(key []byte, wordingHash, claim string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("form " + wordingHash + " " + claim))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// FormProof is what the token of a form proves.
type FormProof struct {
	Verdict     TokenVerdict
	Seconds     int    // from serving the form to posting it; 0 unless the token is genuine
	PageVersion string // of the page that was served; "" unless the token is genuine
}

// CheckFormToken judges the token of a form that was posted with these words.
func CheckFormToken(key []byte, token, wordingHash string, now time.Time) FormProof {
	if token == "" {
		return FormProof{Verdict: TokenMissing}
	}
	end := strings.LastIndexByte(token, '.')
	if end < 0 || len(key) == 0 || !hmac.Equal([]byte(token[end+1:]), []byte(formTokenMAC(key, wordingHash, token[:end]))) {
		return FormProof{Verdict: TokenWrong}
	}
	issued, page, _ := strings.Cut(token[:end], ".")
	seconds, err := strconv.ParseInt(issued, 36, 64)
	age := now.Sub(time.Unix(seconds, 0))
	if err != nil || age < -clockSkew {
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
