package operations

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const (
	tagSuppressions = "suppressions"
	tagPrivacy      = "privacy requests"

	noContact = "asked not to be contacted"
)

var (
	phoneField  = operation.Field{Name: "phone", Kind: operation.Text, Required: true, Help: "A US phone number, such as 305-555-0123."}
	reasonField = operation.Field{Name: "reason", Kind: operation.Text, DefaultValue: noContact, Help: "Why."}
)

var suppressionOperations = []operation.Operation{
	{
		Method: get, Path: "/suppressions", ID: "listSuppressions", Tag: tagSuppressions, Personal: true, Summary: "The suppressed phone numbers, newest first",
		Description: "Their owners asked not to be contacted. The audit trail tells of each reading.",
		Query:       []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "Suppression", Sample: suppression(store.Suppression{}), List: true}, Run: listSuppressions,
	},
	{
		Method: post, Path: "/suppressions", ID: "addSuppression", Tag: tagSuppressions, Write: true, Summary: "Refuse requests with a phone number from now on, and close the held ones",
		Description: "A number that is suppressed already gets the new reason.",
		Body:        []operation.Field{phoneField, reasonField}, Answer: operation.Answer{Name: "Suppressed", Sample: wire.Object{{"suppressed", true}, {"held_closed", new(0)}}}, Run: suppress,
	},
	{
		Method: post, Path: "/suppressions/import", ID: "importSuppressions", Tag: tagSuppressions, Write: true, Summary: "Suppress many phone numbers",
		Description: "A number that is suppressed already keeps its reason and its date, so the same list can be imported again. A body has room for some four thousand numbers.",
		Body:        []operation.Field{{Name: "phones", Kind: operation.List, Required: true, Help: "US phone numbers."}, reasonField},
		Answer:      operation.Answer{Name: "ImportedSuppressions", Sample: wire.Object{{"read", int64(0)}, {"added", new(int64(0))}, {"held_closed", new(0)}}}, Run: importSuppressions,
	},
	{
		Method: post, Path: "/suppressions/remove", ID: "removeSuppression", Tag: tagSuppressions, Write: true, Personal: true, Summary: "Accept requests with a phone number again",
		Body: []operation.Field{phoneField}, Answer: operation.Answer{Name: "Unsuppressed", Sample: wire.Object{{"removed", true}}}, Run: unsuppress,
	},
}

func suppression(s store.Suppression) wire.Object {
	return wire.Object{{"phone", s.Phone}, {"reason", s.Reason}, {"created_at", s.CreatedAt}}
}

// listSuppressions lists a page of numbers. Its cursor is a time, and how many numbers of that time were listed: a number would be personal.
func listSuppressions(c *operation.Call) (any, error) {
	upTo, skip, limit := time.Now().Add(time.Hour), 0, c.In.Number("limit")
	if cursor := c.In.Text("cursor"); cursor != "" {
		micros, seen, _ := strings.Cut(cursor, "-")
		at, err := strconv.ParseInt(micros, 10, 64)
		n, countErr := strconv.Atoi(seen)
		if err != nil || countErr != nil || at < 1 || n < 0 {
			return nil, operation.ErrCursor
		}
		upTo, skip = time.UnixMicro(at), n
	}
	if err := c.Op.RecordRead(c.Ctx, c.By(), audit.SuppressionRead, "", nil); err != nil {
		return nil, err
	}
	var list []store.Suppression
	if err := c.Op.Store.View(c.Ctx, func(tx *store.Tx) (err error) { list, err = tx.Suppressions(upTo, skip, limit+1); return err }); err != nil {
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
	items := make([]wire.Object, len(list))
	for i, s := range list {
		items[i] = suppression(s)
	}
	return operation.Page(items, next), nil
}

// readPhone reads a phone number. What was given is not repeated.
func readPhone(c *operation.Call) (string, error) {
	phone, ok := lead.Phone(c.In.Text("phone"))
	if !ok {
		return "", lead.InvalidField("phone", "phone: this is not a US phone number. Send ten digits, such as 305-555-0123.")
	}
	return phone, nil
}

func suppress(c *operation.Call) (any, error) {
	phone, err := readPhone(c)
	if err != nil {
		return nil, err
	}
	closed, err := c.Op.Suppress(c.Ctx, c.By(), phone, c.In.Text("reason"))
	return wire.Object{{"suppressed", true}, {"held_closed", ifPersonalData(c, closed)}}, err
}

// ifPersonalData is a count that says something about persons: null for a token without personal data.
func ifPersonalData[T any](c *operation.Call, n T) *T {
	if !c.Caller.PersonalData {
		return nil
	}
	return &n
}

func unsuppress(c *operation.Call) (any, error) {
	phone, err := readPhone(c)
	if err != nil {
		return nil, err
	}
	found, err := c.Op.Unsuppress(c.Ctx, c.By(), phone)
	if err == nil && !found {
		err = lead.NotFoundError("suppressed phone number like this")
	}
	return wire.Object{{"removed", true}}, err
}

// importSuppressions refuses a list with something that is no number: a program can put it right, and knows nothing of lines.
func importSuppressions(c *operation.Call) (any, error) {
	numbers := splitAll(c.In.List("phones"))
	for i, n := range numbers {
		if _, ok := lead.Phone(n); !ok {
			return nil, lead.InvalidField("phones", fmt.Sprintf("phones: number %d of %d is not a US phone number, and nothing was changed. Send ten digits, such as 305-555-0123.", i+1, len(numbers)))
		}
	}
	done, err := c.Op.ImportSuppressions(c.Ctx, c.By(), strings.NewReader(strings.Join(numbers, "\n")), operator.SuppressionImport{
		Reason: c.In.Text("reason"), BadLine: func(int64) {}, Progress: func(_, _ int64) {},
	})
	return wire.Object{{"read", done.Numbers}, {"added", ifPersonalData(c, done.Added)}, {"held_closed", ifPersonalData(c, done.Closed)}}, err
}

var requestID = []operation.Field{{Name: "privacy_request_id", Kind: operation.Text, Required: true, Help: "The id of the privacy request."}}

var privacyOperations = []operation.Operation{
	{
		Method: get, Path: "/privacy-requests", ID: "listPrivacyRequests", Tag: tagPrivacy, Summary: "Privacy requests, the one that has waited longest first, without phone numbers",
		Query:  []operation.Field{{Name: "state", Kind: operation.Text, Choices: []string{"open", "all"}, DefaultValue: "open", Help: "Which of them."}, operation.LimitField, operation.CursorField},
		Answer: operation.Answer{Name: "PrivacyRequestRow", Sample: report.PrivacyRow(lead.PrivacyRequest{}, report.SampleContact()), List: true}, Run: listPrivacyRequests,
	},
	{
		Method: get, Path: "/privacy-requests/{privacy_request_id}", ID: "getPrivacyRequest", Tag: tagPrivacy, Summary: "A privacy request, and the leads that it concerns",
		Description: "To fulfill it, suppress its phone number or erase its leads, pass it on to the buyers that have the contact, and settle it. For a token without personal data, the phone number and what says where the request came from are null.",
		InPath:      requestID, Answer: operation.Answer{Name: "PrivacyRequest", Sample: report.SamplePrivacyCase().Answer()}, Run: getPrivacyRequest,
	},
	{
		Method: post, Path: "/privacy-requests/{privacy_request_id}/settle", ID: "settlePrivacyRequest", Tag: tagPrivacy, Write: true, Summary: "Mark a privacy request as settled, and delete its phone number",
		InPath: requestID, Body: []operation.Field{{Name: "note", Kind: operation.Text, Help: "How it was settled, or why not. No personal details."}},
		Answer: operation.Answer{Name: "SettledPrivacyRequest", Sample: wire.Object{{"privacy_request_id", ""}, {"settled", true}}},
		Run: func(c *operation.Call) (any, error) {
			id := c.In.Text("privacy_request_id")
			return wire.Object{{"privacy_request_id", id}, {"settled", true}}, c.Op.SettlePrivacyRequest(c.Ctx, c.By(), id, c.In.Text("note"))
		},
	},
}

func listPrivacyRequests(c *operation.Call) (answer any, err error) {
	err = c.Op.Store.View(c.Ctx, func(tx *store.Tx) error {
		list, err := tx.PrivacyRequests(c.In.Text("state") == "all")
		if err != nil {
			return err
		}
		var failed error
		answer, err = operation.PageOf(c, list, func(r lead.PrivacyRequest) string { return r.ID }, func(r lead.PrivacyRequest) wire.Object {
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

func getPrivacyRequest(c *operation.Call) (any, error) {
	var rc report.PrivacyCase
	err := c.Op.Store.View(c.Ctx, func(tx *store.Tx) (err error) {
		rc, err = report.ReadPrivacyCase(tx, c.In.Text("privacy_request_id"))
		return err
	})
	if err != nil {
		return nil, err
	}
	if !c.Caller.PersonalData {
		return rc.WithoutPerson().Answer(), nil
	}
	return rc.Answer(), c.Op.RecordRead(c.Ctx, c.By(), audit.PrivacyRead, rc.ID, nil)
}
