package terminal

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// syncBuffer is a buffer for concurrent writers.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *syncBuffer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *syncBuffer) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// TestLogBuffer wants lines to wait a moment and warnings not at all; no line is lost, and the order stays.
func TestLogBuffer(t *testing.T) {
	var out syncBuffer
	log, flush := NewLogger(&out)
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
		t.Error("a full buffer is not written")
	}
}
