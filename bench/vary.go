package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
)

// serial numbers the people of a run, so that no two send the same request.
var serial atomic.Int64

// leadFrom returns the request of one person among many, somewhere in the country.
func leadFrom(n int64) []byte {
	body := []byte(lead)
	personalize(body, n)
	return body
}

// personalize overwrites the phone number and ZIP code of a request with a person's own. The first 70,000 numbers are
// reserved for fiction. Those that follow are on the exchange 555, too, which has no subscribers: a service that counts the
// leads of a number must not see one twice in a run.
func personalize(request []byte, n int64) {
	putDigits(after(request, `"customer_phone":"`)[:3], 201+n/100%700)
	line := after(request, `-555-`)
	putDigits(line[:2], 1+n/70_000%99)
	putDigits(line[2:4], n%100)
	putDigits(after(request, `"zip_code":"`)[:5], n/6_930_000%90_000+10_000)
}

func after(request []byte, text string) []byte {
	return request[bytes.Index(request, []byte(text))+len(text):]
}

// putDigits writes n with as many digits as there is room for.
func putDigits(digits []byte, n int64) {
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + n%10)
		n /= 10
	}
}

// variedLead is an intake request from another person each time.
func variedLead(path string, want int) loadRequest { return variedLeadBy(&serial, path, want) }

// variedLeadBy numbers the people with its own counter.
func variedLeadBy(counter *atomic.Int64, path string, want int) loadRequest {
	req := post(path, lead, want)
	req.vary = func(request []byte) { personalize(request, counter.Add(1)) }
	return req
}

// lookups requests one lead after another. Their ids all have the same length.
func lookups(ids []string) loadRequest {
	req := get("/v1/leads/" + ids[0])
	offset := bytes.Index(req.raw, []byte(ids[0]))
	var n atomic.Int64
	req.vary = func(request []byte) { copy(request[offset:], ids[int(n.Add(1))%len(ids)]) }
	return req
}

// subfolder creates a folder within a folder.
func subfolder(folder, name string) string {
	path := filepath.Join(folder, name)
	_ = os.MkdirAll(path, 0o700)
	return path
}
