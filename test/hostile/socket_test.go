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

// post writes a request with the right length; more header lines may be given.
func post(path, body string, header ...string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines(header) + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
}

// unframed writes a request whose length only the given header lines tell.
func unframed(body string, header ...string) string {
	return "POST /v1/intake HTTP/1.1\r\nHost: localhost\r\n" + lines(header) + "\r\n" + body
}

func lines(header []string) string {
	if len(header) == 0 {
		return ""
	}
	return strings.Join(header, "\r\n") + "\r\n"
}

// chunked writes a body in one chunk.
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

// quiet is how long a connection must say nothing before nothing more is expected of it. Too short a wait
// overlooks an answer, and never reports one that is not there.
const quiet = 300 * time.Millisecond

// talk sends bytes and reads every answer, until the service hangs up or has nothing more to say.
func (s *service) talk(sent string) (replies []reply, hungUp bool) {
	s.t.Helper()
	conn := s.dial()
	go io.WriteString(conn, sent) // the answer may come, and the connection end, before all of it is sent
	answers := bufio.NewReader(conn)
	for {
		r, err := s.next(answers)
		if err != nil {
			return replies, !errors.Is(err, os.ErrDeadlineExceeded)
		}
		replies = append(replies, r)
		_ = conn.SetReadDeadline(time.Now().Add(quiet))
	}
}

// listen reads every answer until the service hangs up.
func (s *service) listen(conn net.Conn) []reply {
	var replies []reply
	for answers := bufio.NewReader(conn); ; {
		r, err := s.next(answers)
		if err != nil {
			return replies
		}
		replies = append(replies, r)
	}
}

// receipts finds what an answer says was kept: in JSON, and in JSON within the string of a tool's result.
var receipts = regexp.MustCompile(`\{\\?"lead_id\\?":\\?"(lead_[a-z0-9]+)\\?"`)

// next reads one answer and notes what it accepts.
func (s *service) next(answers *bufio.Reader) (reply, error) {
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return reply{}, err
	}
	s.note(res.StatusCode, body)
	return reply{res.StatusCode, res.Header, body}, nil
}

// note remembers the leads of an answer. A tool's result names each twice.
func (s *service) note(status int, body []byte) {
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
