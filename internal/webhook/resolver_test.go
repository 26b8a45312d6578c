package webhook_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
)

// names is a DNS server that knows a few addresses and answers over a pipe, so that tests need no network.
type names map[string][]string

func (n names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe() // the resolver treats the pipe as TCP: messages with a length prefix
		go n.serve(theirs)
		return ours, nil
	}}
}

func (n names) serve(conn net.Conn) {
	defer conn.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		answer := n.answer(query)
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

// answer builds a DNS message: a header of 12 bytes, the question, and the addresses of the requested type.
func (n names) answer(query []byte) []byte {
	var labels []string
	end := 12
	for query[end] != 0 {
		labels = append(labels, string(query[end+1:end+1+int(query[end])]))
		end += 1 + int(query[end])
	}
	end++
	kind := binary.BigEndian.Uint16(query[end:])
	addrs, known := n[strings.Join(labels, ".")]
	var records []byte
	count := 0
	for _, text := range addrs {
		bytes := netip.MustParseAddr(text).AsSlice()
		if want := map[int]uint16{4: 1, 16: 28}[len(bytes)]; kind == want { // A, AAAA
			records = append(records, 0xc0, 12, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(bytes)))
			records = append(records, bytes...)
			count++
		}
	}
	flags := []byte{0x85, 0x80} // an authoritative answer
	if !known {
		flags[1] |= 3 // NXDOMAIN
	}
	header := append(append([]byte{query[0], query[1]}, flags...), 0, 1, 0, byte(count), 0, 0, 0, 0)
	return append(append(header, query[12:end+4]...), records...)
}
