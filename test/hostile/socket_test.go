package hostile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const goodLead = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}`

// post returns a request with the right length, optionally with more header lines.
func post(path, body string, header ...string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines(header) + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
}

// unframed returns a request whose length is given only by the header lines.
func unframed(body string, header ...string) string {
	return "POST /v1/intake HTTP/1.1\r\nHost: localhost\r\n" + lines(header) + "\r\n" + body
}

func lines(header []string) string {
	if len(header) == 0 {
		return ""
	}
	return strings.Join(header, "\r\n") + "\r\n"
}

// chunked returns a body in one chunk.
func chunked(body string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body) }

// reply is one answer on a connection.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// dial opens a connection that is closed when the test ends, or after the time that a test may take.
func (s *service) dial() net.Conn {
	s.t.Helper()
	conn, err := net.DialTimeout("tcp", s.address, 10*time.Second)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	return conn
}

// quietTime is how long a connection must be silent before no further answer is expected. Too short a wait may miss an
// answer, but never reports one that is not there.
const quietTime = 300 * time.Millisecond

// exchange sends bytes and reads every answer, until the service closes the connection or has nothing more to send.
func (s *service) exchange(sent string) (replies []reply, hungUp bool) {
	s.t.Helper()
	conn := s.dial()
	go io.WriteString(conn, sent) // the answer may come, and the connection close, before everything is sent
	answers := bufio.NewReader(conn)
	for {
		r, err := s.readReply(answers)
		if err != nil {
			return replies, !errors.Is(err, os.ErrDeadlineExceeded)
		}
		replies = append(replies, r)
		_ = conn.SetReadDeadline(time.Now().Add(quietTime))
	}
}

// readAll reads every answer until the service closes the connection.
func (s *service) readAll(conn net.Conn) []reply {
	var replies []reply
	for answers := bufio.NewReader(conn); ; {
		r, err := s.readReply(answers)
		if err != nil {
			return replies
		}
		replies = append(replies, r)
	}
}

// receipts matches the lead ids of an answer: in JSON, and in JSON within the string of a tool's result.
var receipts = regexp.MustCompile(`\{\\?"lead_id\\?":\\?"(lead_[a-z0-9]+)\\?"`)

// readReply reads one answer and records the leads it accepts.
func (s *service) readReply(answers *bufio.Reader) (reply, error) {
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	s.recordLeads(res.StatusCode, body)
	return reply{res.StatusCode, res.Header, body}, nil
}

// recordLeads records the leads of an answer. A tool's result names each twice.
func (s *service) recordLeads(status int, body []byte) {
	if status != http.StatusAccepted && !bytes.Contains(body, []byte(`"isError":false`)) {
		return
	}
	seen := map[string]bool{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, found := range receipts.FindAllSubmatch(body, -1) {
		if id := string(found[1]); !seen[id] {
			seen[id] = true
			s.accepted = append(s.accepted, id)
		}
	}
}

func statuses(replies []reply) []int {
	codes := make([]int, len(replies))
	for i, r := range replies {
		codes[i] = r.status
	}
	return codes
}

func itoa(n int) string { return strconv.Itoa(n) }
