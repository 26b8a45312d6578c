package edge

import "net/http"

// mustClose says that the connection must not be used again, because a proxy in front may have found another end of the
// request, and taken a part of its body for the next one. The standard library drops a Content-Length beside chunks, and
// a Transfer-Encoding of HTTP/1.0, before anybody sees them; RFC 9112, section 6.1, wants the connection closed after either.
func mustClose(r *http.Request) bool {
	return len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1)
}
