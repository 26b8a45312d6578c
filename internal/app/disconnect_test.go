package app_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// A client that disconnects while its lead cannot be stored yet gets no response, so nothing is stored: it will retry.
func TestDisconnectWhileStoreWaits(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	release := storetest.HoldWriter(t, s.Database)
	client := startPost(t, s, "/v1/intake", "application/json", benchLead)
	time.Sleep(700 * time.Millisecond) // the poller has seen it wait
	client.Close()
	time.Sleep(700 * time.Millisecond) // and has detected the disconnect
	release()
	if answer := s.Send(t, "POST", "/v1/intake", benchLead, "Content-Type", "application/json"); answer.Status != 202 {
		t.Fatalf("the next one gets %d", answer.Status)
	}
	stored, err := s.Reader(t).Newest(t.Context(), 10)
	if err != nil || len(stored) != 1 {
		t.Errorf("%d leads are stored, want the one that was answered; %v", len(stored), err)
	}
}

// startPost posts a body and does not wait for the response.
func startPost(t *testing.T, s *apptest.Service, path, mediaType, body string) net.Conn {
	t.Helper()
	host := strings.TrimPrefix(s.URL, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json, text/event-stream\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", path, host, mediaType, len(body), body)
	return conn
}
