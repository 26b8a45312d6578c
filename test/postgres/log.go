package postgres

import (
	"os"
	"path/filepath"
	"strings"
)

func (s *Server) log() string { return filepath.Join(s.home, "log") }

// Log is what the server wrote so far, over all its starts.
func (s *Server) Log() string {
	text, _ := os.ReadFile(s.log())
	return string(text)
}

// tail is the end of the log, for whoever wonders what went wrong.
func (s *Server) tail() string {
	const enough = 40
	lines := strings.SplitAfter(s.Log(), "\n")
	return "PostgreSQL's log:\n" + strings.Join(lines[max(0, len(lines)-enough):], "")
}
