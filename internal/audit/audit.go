// Package audit defines the audit trail, or audit log: who changed what, and when; and which program read personal data.
//
// An entry holds no secret, and no personal data but of operators: the name, address and browser with which they sign in. It names
// leads, buyers and privacy requests by their ids, and a phone number by its keyed index. The package stores nothing: the store writes an entry in the transaction that makes the change.
package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"foyer/internal/lead"
)

// Entry is one change, or one reading of personal data.
type Entry struct {
	Seq     int64 // set by the store
	At      time.Time
	Actor   Actor
	Action  Action
	Subject string // an id, the keyed index of a phone number, or ""
	Detail  Detail
}

// Action names a kind of change. The words are stable: scripts filter by them.
type Action string

// The actions, by what they change.
const (
	BuyerAdd          Action = "buyer.add"
	BuyerEdit         Action = "buyer.edit"
	BuyerImport       Action = "buyer.import_zips"
	BuyerUndo         Action = "buyer.undo"
	BuyerStart        Action = "buyer.start"
	BuyerPause        Action = "buyer.pause"
	BuyerResume       Action = "buyer.resume"
	BuyerOff          Action = "buyer.off"
	BuyerRemove       Action = "buyer.remove"
	BuyerRotate       Action = "buyer.rotate_secret"
	BuyerEndRotation  Action = "buyer.end_rotation"
	BuyerTopUp        Action = "buyer.top_up"
	BuyerCorrect      Action = "buyer.correct"
	SourceAdd         Action = "source.add"
	SourceEdit        Action = "source.edit"
	SourceBlock       Action = "source.block"
	SourceUnblock     Action = "source.unblock"
	SourceUndo        Action = "source.undo"
	StatementClose    Action = "statement.close"
	StatementExport   Action = "statement.export"
	ReportExport      Action = "report.export"
	LeadClose         Action = "lead.close"
	LeadErase         Action = "lead.erase"
	LeadExpire        Action = "lead.expire"
	LeadExport        Action = "lead.export"
	LeadRelease       Action = "lead.release"
	LeadReplay        Action = "lead.replay"
	LeadReturn        Action = "lead.return"
	LeadRead          Action = "lead.read"
	LeadSearch        Action = "lead.search"
	LeadTest          Action = "lead.test"
	ReturnApprove     Action = "return.approve"
	ReturnDeny        Action = "return.deny"
	SuppressionAdd    Action = "suppression.add"
	SuppressionImport Action = "suppression.import"
	SuppressionRemove Action = "suppression.remove"
	SuppressionRead   Action = "suppression.read"
	LegalHoldAdd      Action = "legal_hold.add"
	LegalHoldRemove   Action = "legal_hold.remove"
	PrivacyRequest    Action = "privacy.request"
	PrivacySettle     Action = "privacy.settle"
	PrivacyRead       Action = "privacy.read"
	ReturnRead        Action = "return.read"
	TokenAdd          Action = "token.add"
	TokenRevoke       Action = "token.revoke"
	UserAdd           Action = "user.add"
	UserLink          Action = "user.link"
	UserReset         Action = "user.reset"
	UserRemove        Action = "user.remove"
	UserRole          Action = "user.role"
	UserSignIn        Action = "user.sign_in"
	UserSignInFail    Action = "user.sign_in_failed"
	UserSignOut       Action = "user.sign_out"
	UserPassword      Action = "user.password"
	UserPasskeyAdd    Action = "user.passkey_add"
	UserPasskeyRemove Action = "user.passkey_remove"
	SessionEnd        Action = "session.end"
	AlertEdit         Action = "alert.edit"
	AlertUndo         Action = "alert.undo"
	AlertWayAdd       Action = "alert.add_way"
	AlertWayRemove    Action = "alert.remove_way"
	AlertWayTest      Action = "alert.test_way"
	CountsRebuild     Action = "counts.rebuild"
	KeysRegister      Action = "keys.register"
	KeysReplace       Action = "keys.replace"
)

// Detail says more about a change: counts, ids, terms before and after. It never holds a secret, or personal data of anyone but an operator.
type Detail map[string]any

// From adds the address of the client that asked for the change, if there is one. Commands have none.
func (d Detail) From(address netip.Addr) Detail {
	if !address.IsValid() {
		return d
	}
	if d == nil {
		d = Detail{}
	}
	d["address"] = address.String()
	return d
}

// maxText bounds a text in a Detail, so that every entry fits into its row.
const maxText = 200

// Text returns a text as a Detail may hold it.
func Text(text string) string {
	if utf8.RuneCountInString(text) <= maxText {
		return text
	}
	return string([]rune(text)[:maxText-1]) + "…"
}

// JSON encodes the detail with its members in alphabetical order.
func (d Detail) JSON() (string, error) {
	if len(d) == 0 {
		return "{}", nil
	}
	text, err := json.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("detail of an audit entry: %w", err)
	}
	return string(text), nil
}

// Actor is who makes a change: System, Person, Visitor, or a kind and a name such as cli:ada, user:ada or token:tok_x4.
type Actor string

const (
	// System is the service itself: forwarding and background jobs.
	System Actor = "system"
	// Person is a visitor of the public privacy page. Nothing says who it is.
	Person Actor = "person"
	// Visitor is someone at the console who is not signed in.
	Visitor Actor = "visitor"
)

// The prefixes of operators' names.
const (
	cliPrefix   = "cli:"
	tokenPrefix = "token:"
	userPrefix  = "user:"
)

// Buyer is a buyer that reports something by a signed message.
func Buyer(id string) Actor { return Actor("buyer:" + clean(id)) }

// CLI is a user of the machine who types a command.
func CLI(user string) Actor { return Actor(cliPrefix + clean(user)) }

// Token is a program that uses the operator's API.
func Token(id string) Actor { return Actor(tokenPrefix + clean(id)) }

// User is an operator who is signed in.
func User(name string) Actor { return Actor(userPrefix + clean(name)) }

// Role is how the history of a lead names the actor. Only an operator may move a lead back.
func (a Actor) Role() string {
	for _, prefix := range []string{cliPrefix, tokenPrefix, userPrefix} {
		if strings.HasPrefix(string(a), prefix) {
			return lead.ByOperator
		}
	}
	return lead.ByService
}

// maxName bounds the name of an actor. User names are shorter.
const maxName = 64

// notInNames matches what is in no user name or id, of a Windows domain either.
var notInNames = regexp.MustCompile(`[^a-zA-Z0-9._@\\-]`)

// clean makes a name safe to list. A name from the environment may hold anything.
func clean(name string) string {
	name = cmp.Or(notInNames.ReplaceAllString(strings.TrimSpace(name), "_"), "unknown")
	return name[:min(len(name), maxName)]
}
