package console

import (
	"time"

	"foyer/internal/report"
	"foyer/internal/store"
)

const tagToken = "token"

var tokenOperations = []operation{
	{
		method: get, path: "/token", id: "getToken", tag: tagToken, summary: "What the token may do, and until when",
		answer: answer{"Token", report.Token(store.Token{}, time.Time{}), false},
		run:    func(c *call) (any, error) { return report.Token(c.caller.token, time.Now()), nil },
	},
}
