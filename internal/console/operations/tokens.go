package operations

import (
	"time"

	"foyer/internal/console/operation"
	"foyer/internal/report"
	"foyer/internal/store"
)

const tagToken = "token"

var tokenOperations = []operation.Operation{
	{
		Method: get, Path: "/token", ID: "getToken", Tag: tagToken, Summary: "What the token may do, and until when",
		Answer: operation.Answer{Name: "Token", Sample: report.Token(store.Token{}, time.Time{})},
		Run:    func(c *operation.Call) (any, error) { return report.Token(c.Caller.Token, time.Now()), nil },
	},
}
