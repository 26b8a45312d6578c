package webhook_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// httpBuyer starts a buyer with an HTTP server and returns its address.
func httpBuyer(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func TestAnswers(t *testing.T) {
	for _, status := range []int{200, 202, 204, 304, 400, 404, 409, 410, 413, 429, 500, 502, 503, 599} {
		url := httpBuyer(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"decision":"accepted"}`))
		})
		out := send(t, newSender(t, true), message(url))
		want := `{"decision":"accepted"}`
		if status == 204 || status == 304 {
			want = ""
		}
		if out.Status != status || string(out.Answer) != want || out.RetryAfter != 7*time.Second || out.Failure != "" || out.Detail != "" || !out.Sent {
			t.Errorf("%d: got %+v", status, out)
		}
	}
}

func TestRetryAfterAsADate(t *testing.T) {
	url := httpBuyer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", now.Add(time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if out := send(t, newSender(t, true), message(url)); out.Status != http.StatusServiceUnavailable || out.RetryAfter != time.Hour {
		t.Errorf("got %+v", out)
	}
}

// Only the first 16 KiB of an answer are read and kept.
func TestLongAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		size    int
		chunked bool
		want    int
	}{
		"just as long as it may be": {16 << 10, false, 16 << 10},
		"the same in chunks":        {16 << 10, true, 16 << 10},
		"one byte more":             {16<<10 + 1, false, 16 << 10},
		"one byte more in chunks":   {16<<10 + 1, true, 16 << 10},
		"a megabyte":                {1 << 20, false, 16 << 10},
	} {
		url := httpBuyer(t, func(w http.ResponseWriter, _ *http.Request) {
			if !c.chunked {
				w.Header().Set("Content-Length", fmt.Sprint(c.size))
			}
			_, _ = w.Write(bytes.Repeat([]byte("x"), c.size))
		})
		if out := send(t, newSender(t, true), message(url)); out.Status != 200 || len(out.Answer) != c.want || out.Failure != "" {
			t.Errorf("%s: got %d, %d bytes, %s", name, out.Status, len(out.Answer), out.Failure)
		}
	}
}

func TestEndlessAnswerIsCutOff(t *testing.T) {
	closed := make(chan int, 1)
	url := httpBuyer(t, func(w http.ResponseWriter, _ *http.Request) {
		written := 0
		for {
			n, err := w.Write(bytes.Repeat([]byte("x"), 32<<10))
			if written += n; err != nil {
				closed <- written
				return
			}
		}
	})
	out := send(t, newSender(t, true), message(url))
	if out.Status != 200 || len(out.Answer) != 16<<10 || out.Failure != "" || out.Took > soon {
		t.Errorf("got %d, %d bytes, %s in %s", out.Status, len(out.Answer), out.Failure, out.Took)
	}
	select {
	case <-closed:
	case <-time.After(soon):
		t.Error("the connection is still open")
	}
}

// The limit of 16 KiB counts bytes on the wire, so the sender neither asks for compression nor decompresses.
func TestAnswersAreNotDecompressed(t *testing.T) {
	url := httpBuyer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "not gzip")
	})
	if out := send(t, newSender(t, true), message(url)); string(out.Answer) != "not gzip" {
		t.Errorf("got %+v", out)
	}
}

func TestCookiesAreNotKept(t *testing.T) {
	url := httpBuyer(t, func(w http.ResponseWriter, r *http.Request) {
		if len(r.Cookies()) > 0 {
			t.Error("a cookie came back")
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
	})
	s := newSender(t, true)
	for range 2 {
		send(t, s, message(url))
	}
}

// A buyer that hangs delays no other buyer, not even one on the same host.
func TestHangingBuyerDelaysNoOther(t *testing.T) {
	hang := make(chan struct{})
	url := httpBuyer(t, func(_ http.ResponseWriter, r *http.Request) {
		if _, _ = io.Copy(io.Discard, r.Body); r.URL.Path == "/hangs" {
			<-hang
		}
	})
	s := newSender(t, true)
	outcomes := make(chan webhook.Outcome)
	for range 50 {
		go func() { outcomes <- s.Send(t.Context(), message(url+"/hangs"), now) }()
	}
	time.Sleep(50 * time.Millisecond)
	if out := send(t, s, message(url+"/well")); out.Status != 200 || out.Took > soon {
		t.Errorf("got %+v", out)
	}
	close(hang)
	for range 50 {
		if out := <-outcomes; out.Status != 200 {
			t.Errorf("got %+v", out)
		}
	}
}
