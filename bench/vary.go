package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
)

// serial numbers the people of a run, so that no two ask for the same.
var serial atomic.Int64

// leadFrom is the request of one person among many, somewhere in the country.
func leadFrom(n int64) []byte {
	body := []byte(lead)
	personalise(body, n)
	return body
}

// personalise writes a person's phone number and ZIP code over those that a request has. The first 70,000 numbers are reserved
// for fiction. Those that follow are on the exchange 555 too, which has no subscribers: a service that counts the leads of
// a number must not meet one twice in a run.
func personalise(request []byte, n int64) {
	number(after(request, `"customer_phone":"`)[:3], 201+n/100%700)
	line := after(request, `-555-`)
	number(line[:2], 1+n/70_000%99)
	number(line[2:4], n%100)
	number(after(request, `"zip_code":"`)[:5], n/6_930_000%90_000+10_000)
}

func after(request []byte, words string) []byte {
	return request[bytes.Index(request, []byte(words))+len(words):]
}

// number writes as many digits as there is room for.
func number(room []byte, n int64) {
	for i := len(room) - 1; i >= 0; i-- {
		room[i] = byte('0' + n%10)
		n /= 10
	}
}

// varied is the intake's shot, from another person each time.
func varied(path string, want int) shot { return variedBy(&serial, path, want) }

// variedBy numbers its people by a counter of its own.
func variedBy(people *atomic.Int64, path string, want int) shot {
	s := post(path, lead, want)
	s.vary = func(request []byte) { personalise(request, people.Add(1)) }
	return s
}

// lookUps asks for one lead after the other. Their ids are all of one length.
func lookUps(ids []string) shot {
	s := get("/v1/leads/" + ids[0])
	place := bytes.Index(s.raw, []byte(ids[0]))
	var n atomic.Int64
	s.vary = func(request []byte) { copy(request[place:], ids[int(n.Add(1))%len(ids)]) }
	return s
}

// sub is a folder within a folder.
func sub(folder, name string) string {
	path := filepath.Join(folder, name)
	_ = os.MkdirAll(path, 0o700)
	return path
}
