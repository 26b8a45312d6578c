package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// paper is written to by several hands.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// TestWhatTheLogHandsOn lets lines wait a moment, and warnings not at all; nothing is lost and nothing changes places.
func TestWhatTheLogHandsOn(t *testing.T) {
	var out paper
	log, flush := newLogger(&out)
	log.Info("first")
	if out.String() != "" {
		t.Error("a line did not wait")
	}
	log.Warn("second")
	if text := out.String(); strings.Index(text, "first") > strings.Index(text, "second") || !strings.Contains(text, "second") {
		t.Errorf("after a warning: %s", text)
	}
	log.With("id", 1).Info("third")
	flush()
	if !strings.Contains(out.String(), `"third","id":1`) {
		t.Errorf("after a flush: %s", out.String())
	}
	log.Info("fourth")
	for deadline := time.Now().Add(5 * time.Second); !strings.Contains(out.String(), "fourth"); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a line waits for ever")
		}
	}
	log.Info(strings.Repeat("x", logBufferSize))
	if !strings.Contains(out.String(), "xxx") {
		t.Error("a full pad is not handed on")
	}
}
