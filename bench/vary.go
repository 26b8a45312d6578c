package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
)

// serial numbers the people of a run, so that no two ask for the same.
var serial atomic.Int64

// leadFrom is the request of one person among many: a phone number reserved for fiction, somewhere in the country.
func leadFrom(n int64) []byte {
	body := []byte(lead)
	personalise(body, n)
	return body
}

// personalise writes a person's phone number and ZIP code over those that a request has.
func personalise(request []byte, n int64) {
	number(after(request, `"customer_phone":"`)[:3], 201+n/100%700)
	number(after(request, `-555-01`)[:2], n%100)
	number(after(request, `"zip_code":"`)[:5], n/70_000%90_000+10_000)
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
func varied(path string, want int) shot {
	s := post(path, lead, want)
	s.vary = func(request []byte) { personalise(request, serial.Add(1)) }
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
