package main

import (
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const accepted = "HTTP/1.1 202 Accepted\r\nDate: today\r\ncontent-length: 5\r\n\r\nhello"

// TestReplyInPieces wants an answer to be complete at its last byte, wherever it was split.
func TestReplyInPieces(t *testing.T) {
	for first := 1; first < len(accepted); first++ {
		for second := first; second < len(accepted); second++ {
			var r reply
			for _, part := range []string{accepted[:first], accepted[first:second]} {
				if status, err := r.add([]byte(part)); status != 0 || err != nil {
					t.Fatalf("%q is whole: %d, %v", part, status, err)
				}
			}
			if status, err := r.add([]byte(accepted[second:])); status != 202 || err != nil {
				t.Fatalf("cut at %d and %d: %d, %v", first, second, status, err)
			}
		}
	}
}

// TestBadReplies end a run instead of being counted.
func TestBadReplies(t *testing.T) {
	for _, text := range []string{
		accepted + "HTTP/1.1 ",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		"HTTP/1.1 OK\r\n\r\n",
		"\r\n\r\n",
	} {
		var r reply
		if status, err := r.add([]byte(text)); err == nil {
			t.Errorf("%q counts as %d", text, status)
		}
	}
}

// TestOnlyGoodAnswersCount ignores all other answers, however long they are.
func TestOnlyGoodAnswersCount(t *testing.T) {
	var asked, good atomic.Int64
	all := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Length", "50000")
		if string(body) != "hello" || asked.Add(1)%10 == 0 {
			w.WriteHeader(http.StatusTeapot)
		} else {
			good.Add(1)
		}
		io.WriteString(w, strings.Repeat("long ", 10_000))
	}))
	defer all.Close()
	r, err := runLoad(all.Listener.Addr().String(), post("/", "hello", 200), 8, 100*time.Millisecond)
	if err != nil || r.done != int(good.Load()) || r.done+r.wrong != int(asked.Load()) || len(r.latencies) != r.done || r.elapsed < 100*time.Millisecond {
		t.Errorf("%d good of %d answers were counted as %d good, %d wrong in %v: %v", good.Load(), asked.Load(), r.done, r.wrong, r.elapsed, err)
	}
}

// TestOpenLoopKeepsItsSchedule checks that clients send only at their times, and skip those at which they still wait.
func TestOpenLoopKeepsItsSchedule(t *testing.T) {
	for _, x := range []struct {
		takes time.Duration
		most  int
	}{
		{0, 30},                      // ten per second for three seconds
		{450 * time.Millisecond, 10}, // two clients, each every 0.2 s, but for the two times after each request
	} {
		slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(x.takes)
			fmt.Fprint(w, "done")
		}))
		s, err := (&server{address: slow.Listener.Addr().String()}).runOpenLoop(post("/", "hello", 200), 10, 2)
		slow.Close()
		if n := len(s.accepted); err != nil || n == 0 || n > x.most || len(s.refused)+len(s.other) > 0 {
			t.Errorf("%d accepted, %d refused, %d others: %v", n, len(s.refused), len(s.other), err)
		}
	}
}

// TestServerClosesConnection ends a run.
func TestServerClosesConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	if _, err := runLoad(l.Addr().String(), get("/"), 1, time.Second); err == nil {
		t.Error("a run without answers counts")
	}
}

// TestReadPgbenchSkipsFirstSecond skips the first second, in which the 64 connections load the catalog: that says nothing
// about their speed.
func TestReadPgbenchSkipsFirstSecond(t *testing.T) {
	r, err := readPgbench([]byte("progress: 1.0 s, 100.0 tps, lat 1 ms\nprogress: 2.0 s, 200.0 tps, lat 1 ms\nprogress: 3.0 s, 400.0 tps, lat 1 ms\n" +
		"number of transactions actually processed: 700\n"))
	if err != nil || r.done != 700 || math.Round(r.perSecond()) != 300 {
		t.Errorf("%d, %f a second, %v", r.done, r.perSecond(), err)
	}
	if _, err := readPgbench([]byte("progress: 1.0 s, 100.0 tps, lat 1 ms\nnumber of transactions actually processed: 100\n")); err == nil {
		t.Error("a run of one second counts")
	}
}
