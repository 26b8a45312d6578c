package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
)

const (
	tagSuppressions = "suppressions"
	tagPrivacy      = "privacy requests"

	noContact = "asked not to be contacted"
)

var (
	phoneField  = field{name: "phone", kind: text, required: true, help: "A US phone number, such as 305-555-0123."}
	reasonField = field{name: "reason", kind: text, defaultValue: noContact, help: "Why."}
)

var suppressionOperations = []operation{
	{
		method: get, path: "/suppressions", id: "listSuppressions", tag: tagSuppressions, personal: true, summary: "The suppressed phone numbers, newest first",
		description: "Their owners asked not to be contacted. The audit trail tells of each reading.",
		query:       []field{limitField, cursorField}, answer: answer{"Suppression", suppression(store.Suppression{}), true}, run: (*call).listSuppressions,
	},
	{
		method: post, path: "/suppressions", id: "addSuppression", tag: tagSuppressions, write: true, summary: "Refuse requests with a phone number from now on, and close the held ones",
		description: "A number that is suppressed already gets the new reason.",
		body:        []field{phoneField, reasonField}, answer: answer{"Suppressed", object{{"suppressed", true}, {"held_closed", new(0)}}, false}, run: (*call).suppress,
	},
	{
		method: post, path: "/suppressions/import", id: "importSuppressions", tag: tagSuppressions, write: true, summary: "Suppress many phone numbers",
		description: "A number that is suppressed already keeps its reason and its date, so the same list can be imported again. A body has room for some four thousand numbers.",
		body:        []field{{name: "phones", kind: list, required: true, help: "US phone numbers."}, reasonField},
		answer:      answer{"ImportedSuppressions", object{{"read", int64(0)}, {"added", new(int64(0))}, {"held_closed", new(0)}}, false}, run: (*call).importSuppressions,
	},
	{
		method: post, path: "/suppressions/remove", id: "removeSuppression", tag: tagSuppressions, write: true, personal: true, summary: "Accept requests with a phone number again",
		body: []field{phoneField}, answer: answer{"Unsuppressed", object{{"removed", true}}, false}, run: (*call).unsuppress,
	},
}

func suppression(s store.Suppression) object {
	return object{{"phone", s.Phone}, {"reason", s.Reason}, {"created_at", s.CreatedAt}}
}

// listSuppressions lists a page of numbers. Its cursor is a time, and how many numbers of that time were listed: a number would be personal.
func (c *call) listSuppressions() (any, error) {
	upTo, skip, limit := time.Now().Add(time.Hour), 0, c.in.number("limit")
	if cursor := c.in.text("cursor"); cursor != "" {
		micros, seen, _ := strings.Cut(cursor, "-")
		at, err := strconv.ParseInt(micros, 10, 64)
		n, countErr := strconv.Atoi(seen)
		if err != nil || countErr != nil || at < 1 || n < 0 {
			return nil, errCursor
		}
		upTo, skip = time.UnixMicro(at), n
	}
	if err := c.op.RecordRead(c.ctx, c.by(), audit.SuppressionRead, "", nil); err != nil {
		return nil, err
	}
	var list []store.Suppression
	if err := c.op.Store.View(c.ctx, func(tx *store.Tx) (err error) { list, err = tx.Suppressions().List(upTo, skip, limit+1); return err }); err != nil {
		return nil, err
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		last, same := list[limit-1].CreatedAt, 0
		for _, s := range list {
			if s.CreatedAt.Equal(last) {
				same++
			}
		}
		if last.Equal(upTo) { // the page before had some of this time, too
			same += skip
		}
		next = fmt.Sprintf("%d-%d", last.UnixMicro(), same)
	}
	items := make([]object, len(list))
	for i, s := range list {
		items[i] = suppression(s)
	}
	return page(items, next), nil
}

// phone reads a phone number. What was given is not repeated.
func (c *call) phone() (string, error) {
	phone, ok := lead.Phone(c.in.text("phone"))
	if !ok {
		return "", lead.InvalidField("phone", "phone: this is not a US phone number. Send ten digits, such as 305-555-0123.")
	}
	return phone, nil
}

func (c *call) suppress() (any, error) {
	phone, err := c.phone()
	if err != nil {
		return nil, err
	}
	closed, err := c.op.Suppress(c.ctx, c.by(), phone, c.in.text("reason"))
	return object{{"suppressed", true}, {"held_closed", ifPersonalData(c, closed)}}, err
}

// ifPersonalData is a count that says something about persons: null for a token without personal data.
func ifPersonalData[T any](c *call, n T) *T {
	if !c.caller.PersonalData {
		return nil
	}
	return &n
}

func (c *call) unsuppress() (any, error) {
	phone, err := c.phone()
	if err != nil {
		return nil, err
	}
	found, err := c.op.Unsuppress(c.ctx, c.by(), phone)
	if err == nil && !found {
		err = lead.NotFoundError("suppressed phone number like this")
	}
	return object{{"removed", true}}, err
}

// importSuppressions refuses a list with something that is no number: a program can put it right, and knows nothing of lines.
func (c *call) importSuppressions() (any, error) {
	numbers := splitAll(c.in.list("phones"))
	for i, n := range numbers {
		if _, ok := lead.Phone(n); !ok {
			return nil, lead.InvalidField("phones", fmt.Sprintf("phones: number %d of %d is not a US phone number, and nothing was changed. Send ten digits, such as 305-555-0123.", i+1, len(numbers)))
		}
	}
	done, err := c.op.ImportSuppressions(c.ctx, c.by(), strings.NewReader(strings.Join(numbers, "\n")), operator.SuppressionImport{
		Reason: c.in.text("reason"), BadLine: func(int64) {}, Progress: func(_, _ int64) {},
	})
	return object{{"read", done.Numbers}, {"added", ifPersonalData(c, done.Added)}, {"held_closed", ifPersonalData(c, done.Closed)}}, err
}

var requestID = []field{{name: "privacy_request_id", kind: text, required: true, help: "The id of the privacy request."}}

var privacyOperations = []operation{
	{
		method: get, path: "/privacy-requests", id: "listPrivacyRequests", tag: tagPrivacy, summary: "Privacy requests, the one that has waited longest first, without phone numbers",
		query:  []field{{name: "state", kind: text, choices: []string{"open", "all"}, defaultValue: "open", help: "Which of them."}, limitField, cursorField},
		answer: answer{"PrivacyRequestRow", report.PrivacyRow(lead.PrivacyRequest{}, report.SampleContact()), true}, run: (*call).listPrivacyRequests,
	},
	{
		method: get, path: "/privacy-requests/{privacy_request_id}", id: "getPrivacyRequest", tag: tagPrivacy, summary: "A privacy request, and the leads that it concerns",
		description: "To fulfill it, suppress its phone number or erase its leads, pass it on to the buyers that have the contact, and settle it. For a token without personal data, the phone number and what says where the request came from are null.",
		inPath:      requestID, answer: answer{"PrivacyRequest", report.SamplePrivacyCase().Answer(), false}, run: (*call).getPrivacyRequest,
	},
	{
		method: post, path: "/privacy-requests/{privacy_request_id}/settle", id: "settlePrivacyRequest", tag: tagPrivacy, write: true, summary: "Mark a privacy request as settled, and delete its phone number",
		inPath: requestID, body: []field{{name: "note", kind: text, help: "How it was settled, or why not. No personal details."}},
		answer: answer{"SettledPrivacyRequest", object{{"privacy_request_id", ""}, {"settled", true}}, false},
		run: func(c *call) (any, error) {
			id := c.in.text("privacy_request_id")
			return object{{"privacy_request_id", id}, {"settled", true}}, c.op.SettlePrivacyRequest(c.ctx, c.by(), id, c.in.text("note"))
		},
	},
}

func (c *call) listPrivacyRequests() (answer any, err error) {
	err = c.op.Store.View(c.ctx, func(tx *store.Tx) error {
		list, err := tx.PrivacyRequests().List(c.in.text("state") == "all")
		if err != nil {
			return err
		}
		var failed error
		answer, err = pageOf(c, list, func(r lead.PrivacyRequest) string { return r.ID }, func(r lead.PrivacyRequest) object {
			contact, err := report.ReadContact(tx, r.LeadID)
			if err != nil {
				failed = err
			}
			return report.PrivacyRow(r, contact)
		})
		if err == nil {
			err = failed
		}
		return err
	})
	return answer, err
}

func (c *call) getPrivacyRequest() (any, error) {
	var rc report.PrivacyCase
	err := c.op.Store.View(c.ctx, func(tx *store.Tx) (err error) {
		rc, err = report.ReadPrivacyCase(tx, c.in.text("privacy_request_id"))
		return err
	})
	if err != nil {
		return nil, err
	}
	if !c.caller.PersonalData {
		return rc.WithoutPerson().Answer(), nil
	}
	return rc.Answer(), c.op.RecordRead(c.ctx, c.by(), audit.PrivacyRead, rc.ID, nil)
}
