package main

import (
	"bytes"
	"errors"
	"strconv"
)

// reply parses an answer in pieces. It keeps only the status, and how much is still to come.
type reply struct {
	head    []byte // if the body has not begun
	status  int    // once the head is complete
	missing int    // bytes still to come
}

// add consumes what has arrived, and returns the status once the answer is complete. The next answer begins after that.
func (r *reply) add(part []byte) (status int, err error) {
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

// readHead parses the status and the length of the body.
func readHead(head []byte) (status, length int, err error) {
	if len(head) < 12 {
		return 0, 0, errors.New("no status line")
	}
	if status, err = strconv.Atoi(string(head[9:12])); err != nil {
		return 0, 0, err
	}
	for line := range bytes.Lines(head) {
		if n := len(contentLength); len(line) > n && bytes.EqualFold(line[:n], contentLength) { // Node.js writes it in lowercase
			length, err = strconv.Atoi(string(bytes.TrimSpace(line[n:])))
			return status, length, err
		}
	}
	return 0, 0, errors.New("an answer of unknown length")
}
