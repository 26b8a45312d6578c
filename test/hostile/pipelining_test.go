package hostile

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestPipelining sends a hundred requests at once on one connection: each is answered, in order.
func TestPipelining(t *testing.T) {
	s := serve(t)
	conn := s.dial()
	var sent strings.Builder
	var want []int
	for i := range 25 {
		sent.WriteString(fmt.Sprintf("GET /v1/leads/lead_%d HTTP/1.1\r\nHost: localhost\r\n\r\n", i))
		sent.WriteString(post("/v1/intake", goodLead))
		sent.WriteString("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
		sent.WriteString(post("/v1/intake", `{"zip_code":"1"}`))
		want = append(want, 404, 202, 200, 422)
	}
	go io.WriteString(conn, sent.String())
	answers := bufio.NewReader(conn)
	for i, status := range want {
		r, err := s.readReply(answers)
		if err != nil || r.status != status {
			t.Fatalf("answer %d is %d, %v; want %d", i, r.status, err, status)
		}
	}
	if kept := len(s.Leads()); kept != 25 {
		t.Errorf("%d are stored, want 25", kept)
	}
}
