package hostile

import (
	"slices"
	"strings"
	"testing"
)

// smuggled is a second request that hides in the body of a first. It may be answered only if it was not hidden.
const smuggled = "GET /v1/services HTTP/1.1\r\nHost: localhost\r\n\r\n"

type framing struct {
	sent string
	want []int
	open bool // the connection may be reused
}

// TestFraming sends requests whose length is ambiguous. Each is refused, or read as the standard says, and then the
// connection is not reused.
func TestFraming(t *testing.T) {
	length := func(body string) string { return "Content-Length: " + itoa(len(body)) }
	const te = "Transfer-Encoding: chunked"
	s := serve(t)
	concurrently(t, map[string]framing{
		"one good request":                          {post("/v1/intake", goodLead), []int{202}, true},
		"two lengths":                               {unframed(goodLead+smuggled, length(goodLead), "Content-Length: 5"), []int{400}, false},
		"two lengths, the first too short":          {unframed(goodLead+smuggled, "Content-Length: 5", length(goodLead)), []int{400}, false},
		"a list of lengths":                         {unframed(goodLead+smuggled, length(goodLead)+", 5"), []int{400}, false},
		"a list of equal lengths":                   {unframed(goodLead+smuggled, length(goodLead)+", "+itoa(len(goodLead))), []int{400}, false},
		"a length with a sign":                      {unframed(goodLead+smuggled, "Content-Length: +"+itoa(len(goodLead))), []int{400}, false},
		"a length below nothing":                    {unframed(goodLead+smuggled, "Content-Length: -1"), []int{400}, false},
		"a length in hex":                           {unframed(goodLead+smuggled, "Content-Length: 0x10"), []int{400}, false},
		"a length beyond all numbers":               {unframed(goodLead+smuggled, "Content-Length: 99999999999999999999"), []int{400}, false},
		"a blank length":                            {unframed(goodLead+smuggled, "Content-Length: "), []int{400}, false},
		"a space before the colon":                  {unframed(goodLead+smuggled, "Content-Length : 5"), []int{400}, false},
		"a name with a space":                       {unframed(goodLead+smuggled, "Content Length: 5"), []int{400}, false},
		"a name with a NUL":                         {unframed(goodLead+smuggled, "Content-Length\x00: 5"), []int{400}, false},
		"a header line without a colon":             {unframed(goodLead+smuggled, "Content-Length"), []int{400}, false},
		"a folded first line":                       {"POST /v1/intake HTTP/1.1\r\n Host: localhost\r\n\r\n" + smuggled, []int{400}, false},
		"a length in a folded line":                 {unframed(goodLead+smuggled, "X-Note: a", " "+length(goodLead)), []int{422, 400}, false},
		"CL.TE":                                     {unframed("0\r\n\r\n"+smuggled, length("0\r\n\r\n"+smuggled), te), []int{422}, false},
		"CL.TE with a good body":                    {unframed(chunked(goodLead)+smuggled, length(chunked(goodLead)+smuggled), te), []int{202}, false},
		"TE.CL":                                     {unframed(chunked(goodLead)+smuggled, te, "Content-Length: 4"), []int{202}, false},
		"chunked, and a length that is none":        {unframed(chunked(goodLead)+smuggled, te, "Content-Length: x"), []int{400}, false},
		"chunked twice":                             {unframed(chunked(goodLead)+smuggled, te, te), []int{501}, false},
		"chunked and another":                       {unframed(chunked(goodLead)+smuggled, te, "Transfer-Encoding: x"), []int{501}, false},
		"identity and chunked":                      {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding: identity, chunked", length(goodLead)), []int{501}, false},
		"chunked and identity":                      {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding: chunked, identity"), []int{501}, false},
		"xchunked":                                  {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding: xchunked", length(goodLead)), []int{501}, false},
		"chunked in quotes":                         {unframed(chunked(goodLead)+smuggled, `Transfer-Encoding: "chunked"`, length(goodLead)), []int{501}, false},
		"chunked behind a control character":        {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding: \x0bchunked", length(goodLead)), []int{400}, false},
		"chunked, with a space before the colon":    {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding : chunked", length(goodLead)), []int{400}, false},
		"chunked in a folded line":                  {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding:", " chunked", length(goodLead)), []int{202}, false},
		"chunked behind a tab":                      {unframed(chunked(goodLead)+smuggled, "Transfer-Encoding:\tchunked"), []int{202}, false},
		"chunked in capitals":                       {unframed(chunked(goodLead)+smuggled, "TRANSFER-ENCODING: CHUNKED", length(goodLead)), []int{202}, false},
		"chunked on HTTP/1.0":                       {strings.Replace(unframed(goodLead+smuggled, te, length(goodLead), "Connection: keep-alive"), "HTTP/1.1", "HTTP/1.0", 1), []int{202}, false},
		"a chunk that ends in a bare LF":            {unframed("5\n{\"a\":\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a chunk extension with a bare LF":          {unframed("5;\n{\"a\":\r\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a chunk size beyond all numbers":           {unframed("fffffffffffffffff\r\n{}\r\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a chunk size with a sign":                  {unframed("+2\r\n{}\r\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a chunk size in 0x":                        {unframed("0x2\r\n{}\r\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a chunk longer than it says":               {unframed("1\r\n{}\r\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a chunk extension without an end":          {unframed("2;"+strings.Repeat("x", 70_000)+"\r\n{}\r\n0\r\n\r\n"+smuggled, te), []int{422}, false},
		"a length in the trailer":                   {unframed(strings.TrimSuffix(chunked(goodLead), "\r\n")+"Content-Length: 5\r\n\r\n"+smuggled, te), []int{202}, false},
		"a body on a GET":                           {"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + itoa(len(smuggled)) + "\r\n\r\n" + smuggled, []int{200}, true},
		"no host":                                   {"GET /health HTTP/1.1\r\n\r\n" + smuggled, []int{400}, false},
		"two hosts":                                 {"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: example.com\r\n\r\n" + smuggled, []int{400}, false},
		"a host that is none":                       {"GET /health HTTP/1.1\r\nHost: local host\r\n\r\n" + smuggled, []int{400}, false},
		"no version":                                {"GET /health\r\n\r\n" + smuggled, []int{400}, false},
		"a version to come":                         {"GET /health HTTP/3.0\r\nHost: localhost\r\n\r\n" + smuggled, []int{505}, false},
		"the preface of HTTP/2":                     {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400}, false},
		"a handshake of TLS":                        {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []int{400}, false},
		"a NUL in the address":                      {"GET /health\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n" + smuggled, []int{400}, false},
		"an address with a bad escape":              {"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n" + smuggled, []int{400}, false},
		"a bare CR in a header":                     {"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Note: a\rContent-Length: 5\r\n\r\n" + smuggled, []int{400}, false},
		"bare LF, which the standard lets one take": {strings.ReplaceAll(smuggled, "\r\n", "\n"), []int{200}, true},
		"an expectation that nobody can meet":       {unframed(goodLead, length(goodLead), "Expect: a miracle"), []int{417}, false},
		"a proxy's request":                         {"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", []int{404}, true},
		"a request for another server":              {"GET http://example.com/health HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{200}, true},
		"every address":                             {"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{400}, false},
	}, func(name string, c framing) {
		got, hungUp := s.exchange(c.sent)
		if !slices.Equal(statuses(got), c.want) || hungUp == c.open {
			t.Errorf("%s: answered %v and hung up: %t; want %v, %t", name, statuses(got), hungUp, c.want, !c.open)
		}
	})
}
