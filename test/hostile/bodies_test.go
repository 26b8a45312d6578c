package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
)

const (
	asJSON  = "Content-Type: application/json"
	asForm  = "Content-Type: application/x-www-form-urlencoded"
	wantsIt = "Accept: application/json"
)

// goodForm is the good lead as a form.
const goodForm = "service_type=hvac&zip_code=33139&customer_name=Pat+Example&customer_phone=305-555-0123&consent_to_contact=on"

// leadWith returns the good lead with more members at its end.
func leadWith(members string) string { return strings.TrimSuffix(goodLead, "}") + "," + members + "}" }

// leadFrom returns the good lead under another name.
func leadFrom(name string) string { return strings.Replace(goodLead, "Pat Example", name, 1) }

func call(tool, arguments string) string {
	return post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, asJSON)
}

type oddBody struct {
	sent string
	want int
	says string
}

// TestOddBodies sends bodies that have the wrong type, are compressed, nested, contain odd characters, or give two values
// for one member.
func TestOddBodies(t *testing.T) {
	const big = 10 << 20
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	fmt.Fprint(packer, goodLead)
	packer.Close()
	deep := func(open, shut string, levels int) string {
		return strings.Repeat(open, levels) + strings.Repeat(shut, levels)
	}
	s := serve(t)
	concurrently(t, map[string]oddBody{
		"no content type":                          {post("/v1/intake", goodLead), 202, ""},
		"JSON under another name":                  {post("/v1/intake", goodLead, "Content-Type: text/plain"), 415, "unsupported_media_type"},
		"JSON as bytes":                            {post("/v1/intake", goodLead, "Content-Type: application/octet-stream"), 415, "unsupported_media_type"},
		"an upload":                                {post("/v1/intake", goodLead, "Content-Type: multipart/form-data; boundary=x"), 415, "unsupported_media_type"},
		"XML":                                      {post("/v1/intake", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>", "Content-Type: application/xml"), 415, "unsupported_media_type"},
		"a content type that is none":              {post("/v1/intake", goodLead, "Content-Type: ;;;"), 415, "unsupported_media_type"},
		"a content type with a NUL":                {post("/v1/intake", goodLead, "Content-Type: application/json\x00"), 400, ""},
		"two content types":                        {post("/v1/intake", goodLead, asForm, asJSON), 422, "Content-Type"},
		"JSON as a form":                           {post("/v1/intake", goodLead, asForm), 422, "Content-Type"},
		"a form as JSON":                           {post("/v1/intake", goodForm, asJSON), 422, "not valid JSON"},
		"a form for the tools":                     {post("/mcp", goodForm, asForm), 415, "unsupported_media_type"},
		"packed":                                   {post("/v1/intake", packed.String(), "Content-Encoding: gzip"), 415, "unsupported_media_type"},
		"packed, and the header says nothing":      {post("/v1/intake", packed.String()), 422, "not valid JSON"},
		"packed in two ways":                       {post("/v1/intake", packed.String(), "Content-Encoding: identity, gzip"), 415, "unsupported_media_type"},
		"packed in two headers":                    {post("/v1/intake", packed.String(), "Content-Encoding: identity", "Content-Encoding: gzip"), 415, "unsupported_media_type"},
		"packed for the tools":                     {post("/mcp", packed.String(), asJSON, "Content-Encoding: br"), 415, "unsupported_media_type"},
		"10 MB":                                    {post("/v1/intake", strings.Repeat(" ", big)), 413, "payload_too_large"},
		"10 MB of a form":                          {post("/v1/intake", strings.Repeat("x=1&", big/4), asForm), 413, "payload_too_large"},
		"10 MB in chunks":                          {unframed(chunked(strings.Repeat(" ", big)), "Transfer-Encoding: chunked"), 413, "payload_too_large"},
		"10 MB for the tools":                      {post("/mcp", strings.Repeat(" ", big), asJSON), 413, "payload_too_large"},
		"10 MB where nobody wants them":            {post("/health", strings.Repeat(" ", big)), 405, "method_not_allowed"},
		"10 MB, announced politely":                {unframed("", "Content-Length: 10485760", "Expect: 100-continue"), 413, "payload_too_large"},
		"as much as is announced":                  {unframed("", "Content-Length: 9223372036854775807"), 413, "payload_too_large"},
		"one chunk, announced as everything":       {unframed("7fffffffffffffff\r\n"+strings.Repeat(" ", 70_000), "Transfer-Encoding: chunked"), 413, "payload_too_large"},
		"deep lists":                               {post("/v1/intake", leadWith(`"x":`+deep("[", "]", 30_000))), 422, "not valid JSON"},
		"deep objects":                             {post("/v1/intake", leadWith(`"x":`+strings.Repeat(`{"a":`, 10_000)+"1"+strings.Repeat("}", 10_000))), 422, "not valid JSON"},
		"deep lists without an end":                {post("/v1/intake", strings.Repeat("[", 60_000)), 422, "not valid JSON"},
		"deep lists for the tools":                 {post("/mcp", deep("[", "]", 30_000), asJSON), 400, "-32700"},
		"deep arguments":                           {call("request_home_service", leadWith(`"notes":`+deep("[", "]", 9_000))), 200, `\"error\":\"invalid_request\"`},
		"NUL in a name":                            {post("/v1/intake", leadFrom(`Pat\u0000Example`)), 422, "customer_name"},
		"a raw NUL in a name":                      {post("/v1/intake", leadFrom("Pat\x00Example")), 422, "customer_name"},
		"NUL in a form":                            {post("/v1/intake", goodForm+"&city=%00", asForm, wantsIt), 422, "city"},
		"NUL in a tool's argument":                 {call("request_home_service", leadFrom(`Pat\u0000Example`)), 200, `\"customer_name\"`},
		"NUL in a query":                           {post("/v1/intake?dry_run=%00", goodLead), 422, "dry_run"},
		"an escape for the terminal":               {post("/v1/intake", leadFrom(`Pat\u001b[2J`)), 422, "customer_name"},
		"half of a character":                      {post("/v1/intake", leadFrom("Pat \xf0\x9f\x98")), 422, "customer_name"},
		"half of a pair":                           {post("/v1/intake", leadFrom(`Pat \ud83d`)), 422, "customer_name"},
		"an overlong slash":                        {post("/v1/intake", leadFrom("Pat\xc0\xafExample")), 422, "customer_name"},
		"letters from right to left":               {post("/v1/intake", leadFrom("\u202eelpmaxE taP\u202c \u2066x\u2069")), 202, ""},
		"letters that look like others":            {post("/v1/intake", leadFrom("\u0420\u0430t \u0415xample\u200b")), 202, ""},
		"digits that look like others":             {post("/v1/intake", strings.Replace(goodLead, "33139", "３３１３９", 1)), 422, "zip_code"},
		"a service that looks like one":            {post("/v1/intake", strings.Replace(goodLead, "hvac", "hv\u0430c", 1)), 422, "service_type"},
		"a key that looks like one":                {post("/v1/intake", strings.Replace(goodLead, "consent_to_contact", "c\u043ensent_to_contact", 1)), 422, "consent_to_contact"},
		"a dry run that looks like one":            {post("/v1/intake", leadWith(`"dry_r\u00fcn":true`)), 422, "unknown"},
		"a byte order mark":                        {post("/v1/intake", "\ufeff"+goodLead), 422, "not valid JSON"},
		"another encoding":                         {post("/v1/intake", utf16(goodLead), "Content-Type: application/json; charset=utf-16"), 422, "not valid JSON"},
		"consent twice in JSON":                    {post("/v1/intake", leadWith(`"consent_to_contact":false`)), 422, "given more than once"},
		"consent twice in JSON, once in disguise":  {post("/v1/intake", leadWith(`"consent_to_c\u006fntact":true`)), 422, "given more than once"},
		"consent twice in a form":                  {post("/v1/intake", goodForm+"&consent_to_contact=off", asForm, wantsIt), 422, "given more than once"},
		"consent twice in a form, percent-encoded": {post("/v1/intake", goodForm+"&consent%5Fto_contact=on", asForm, wantsIt), 422, "given more than once"},
		"consent twice in a tool's arguments":      {call("request_home_service", leadWith(`"consent_to_contact":true`)), 200, "given more than once"},
		"consent in a list":                        {post("/v1/intake", strings.Replace(goodLead, "true", "[true]", 1)), 422, "consent_to_contact"},
		"consent in quotes":                        {post("/v1/intake", strings.Replace(goodLead, "true", `"true"`, 1)), 422, "consent_to_contact"},
		"arguments twice":                          {post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":{},"arguments":`+goodLead+`}}`, asJSON), 200, "-32602"},
		"params twice":                             {post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"params":{"name":"request_home_service","arguments":`+goodLead+`}}`, asJSON), 400, "-32600"},
		"an accepted call, for comparison":         {call("request_home_service", goodLead), 200, `"isError":false`},
		"two idempotency keys":                     {post("/v1/intake", goodLead, "Idempotency-Key: a", "Idempotency-Key: b"), 422, "dempotency"},
		"nothing":                                  {post("/v1/intake", ""), 422, "not valid JSON"},
	}, func(name string, c oddBody) {
		got, _ := s.exchange(c.sent)
		if len(got) != 1 || got[0].status != c.want || !strings.Contains(string(got[0].body), c.says) {
			t.Errorf("%s: answered %v, want %d with %q", name, statuses(got), c.want, c.says)
			for _, r := range got {
				t.Logf("%s: %.300s", name, r.body)
			}
		}
	})
}

func utf16(text string) string {
	var out strings.Builder
	for _, c := range text {
		out.WriteByte(0)
		out.WriteRune(c)
	}
	return out.String()
}

// TestLargeBodyIsNotRead announces 10 MB and sends them only as fast as they are read: the answer comes after the first
// few, and the service reads no more than its buffers hold.
func TestLargeBodyIsNotRead(t *testing.T) {
	s := serve(t)
	conn := s.dial()
	taken := make(chan int, 1)
	go func() {
		sent, block := 0, make([]byte, 64<<10)
		_, err := fmt.Fprint(conn, unframed("", "Content-Length: 104857600"))
		for err == nil && sent < 100<<20 {
			n := 0
			n, err = conn.Write(block)
			sent += n
		}
		taken <- sent
	}()
	got := s.readAll(conn)
	conn.Close()
	if len(got) != 1 || got[0].status != 413 {
		t.Errorf("answered %v, want 413", statuses(got))
	}
	if sent := <-taken; sent > 20<<20 {
		t.Errorf("%d MB of 100 were taken", sent>>20)
	}
}
