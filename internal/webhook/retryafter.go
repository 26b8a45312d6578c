package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// longestWait is how long a buyer can put us off: longer, and a lead is no longer worth sending.
const longestWait = 24 * time.Hour

// retryAfter reads a Retry-After header, which is a number of seconds or a date. What is neither, or past, is no wait.
func retryAfter(header string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(header, 10, 32)
	if err == nil {
		return min(time.Duration(seconds)*time.Second, longestWait)
	}
	if errors.Is(err, strconv.ErrRange) {
		return longestWait
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(0, date.Sub(now)), longestWait)
}
