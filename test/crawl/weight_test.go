package crawl

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
)

// maxHomeBytes is how much the home page may transfer: headers, styles, scripts and icons included.
const maxHomeBytes = 30_000

// TestHomeIsLight counts the bytes that a browser receives for the home page.
func TestHomeIsLight(t *testing.T) {
	s := walk(t)
	todo, seen := []string{"/"}, map[string]bool{}
	total := int64(0)
	for len(todo) > 0 {
		address := todo[0]
		todo = todo[1:]
		if seen[address] {
			continue
		}
		seen[address] = true
		bytes := transferSize(t, s.Origin+address)
		t.Logf("%6d bytes: %s", bytes, address)
		total += bytes
		for _, l := range s.Pages[address].links() {
			if u, err := s.resolve(s.Pages[address], l.address); err == nil && l.loaded && u.Scheme+"://"+u.Host == s.Origin {
				todo = append(todo, u.RequestURI())
			}
		}
	}
	if t.Logf("%6d bytes in all", total); total > maxHomeBytes {
		t.Errorf("the home page weighs %d bytes, want at most %d", total, maxHomeBytes)
	}
}

// transferSize returns the bytes of an answer, compressed as browsers request it.
func transferSize(t *testing.T, address string) int64 {
	t.Helper()
	var count atomic.Int64
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, DisableCompression: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			return countingConn{conn, &count}, err
		},
	}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,*/*;q=0.8")
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	return count.Load()
}

// countingConn is a connection that counts what it receives.
type countingConn struct {
	net.Conn
	bytes *atomic.Int64
}

func (c countingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}
