package main

import (
	"bytes"
	"errors"
	"strconv"
)

// reply is what has arrived of an answer. Only its status is kept, and how much is still to come.
type reply struct {
	head    []byte // where it has not arrived as far as its body
	status  int    // once its head is there
	missing int    // bytes that are still to come
}

// take adds what has arrived, and gives the status when the answer is whole. The next one begins after that.
func (r *reply) take(part []byte) (status int, err error) {
	if r.status == 0 {
		r.head = append(r.head, part...)
		head := bytes.Index(r.head, []byte("\r\n\r\n")) + 4
		if head < 4 {
			return 0, nil
		}
		length, err := 0, error(nil)
		if r.status, length, err = readHead(r.head[:head]); err != nil {
			return 0, err
		}
		r.missing = head + length
		part, r.head = r.head, r.head[:0]
	}
	if r.missing -= len(part); r.missing > 0 {
		return 0, nil
	}
	if r.missing < 0 {
		return 0, errors.New("more than one answer to a request")
	}
	status, r.status = r.status, 0
	return status, nil
}

var contentLength = []byte("Content-Length: ")

// readHead finds the status and how long the body is.
func readHead(head []byte) (status, length int, err error) {
	if len(head) < 12 {
		return 0, 0, errors.New("no status line")
	}
	if status, err = strconv.Atoi(string(head[9:12])); err != nil {
		return 0, 0, err
	}
	for line := range bytes.Lines(head) {
		if n := len(contentLength); len(line) > n && bytes.EqualFold(line[:n], contentLength) { // Node.js writes it small
			length, err = strconv.Atoi(string(bytes.TrimSpace(line[n:])))
			return status, length, err
		}
	}
	return 0, 0, errors.New("an answer of unknown length")
}
