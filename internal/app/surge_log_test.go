package app_test

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestUnusualHourIsLogged starts on a database in which this hour has far more leads than those of yesterday. The log line has
// counts, and no personal data.
func TestUnusualHourIsLogged(t *testing.T) {
	storetest.Parallel(t)
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	hour := time.Now().Truncate(time.Hour)
	for i := range 151 {
		l := storetest.Lead(fmt.Sprintf("lead_%d", i))
		if l.CreatedAt = hour; i == 0 {
			l.CreatedAt = hour.Add(-30 * time.Hour)
		}
		storetest.Save(t, s, l)
	}
	read, write := io.Pipe()
	line := make(chan string, 1)
	go func() {
		all, buffer := "", make([]byte, 4096)
		for !strings.Contains(all, "far more leads") {
			n, _ := read.Read(buffer)
			all += string(buffer[:n])
		}
		line <- all
		io.Copy(io.Discard, read)
	}()
	apptest.StartWithLog(t, database, slog.New(slog.NewTextHandler(write, &slog.HandlerOptions{Level: slog.LevelWarn})))
	select {
	case all := <-line:
		if !strings.Contains(all, `level=WARN msg="far more leads than usual came this hour" leads=150 usual=20`) || strings.Contains(all, "Pat") {
			t.Errorf("the log says %s", all)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was logged")
	}
}
