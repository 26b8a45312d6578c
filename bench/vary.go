package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// serial numbers the people of a run, so that no two ask for the same.
var serial atomic.Int64

const (
	samplePhone = "305-555-0123"
	sampleZIP   = "33139"
)

// leadFrom is the request of one person among many: a phone number reserved for fiction, somewhere in the country.
func leadFrom(n int64) []byte {
	body := []byte(lead)
	personalise(body, n)
	return body
}

// personalise writes a person's phone number and ZIP code over those of the sample.
func personalise(request []byte, n int64) {
	phone, zip := bytes.Index(request, []byte(samplePhone)), bytes.Index(request, []byte(sampleZIP))
	if phone < 0 || zip < 0 {
		phone, zip = varies(request)
	}
	copy(request[phone:], fmt.Appendf(nil, "%03d-555-01%02d", 201+n/100%700, n%100))
	copy(request[zip:], fmt.Appendf(nil, "%05d", n/70_000%90_000+10_000))
}

// varies finds the places again in a request that was personalised before.
func varies(request []byte) (phone, zip int) {
	at := func(field string) int { return bytes.Index(request, []byte(field)) + len(field) }
	return at(`"customer_phone":"`), at(`"zip_code":"`)
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
