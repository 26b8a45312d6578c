package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/test/postgres"
)

// writeProfile runs the service in this process under the load of the benchmark, and writes a CPU profile. The compiler
// uses the profile in every build of cmd/foyer.
func writeProfile(folder, file string, duration time.Duration) error {
	db, err := postgres.New(postgres.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	onServer, err := db.NewDatabase()
	if err != nil {
		return err
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return err
	}
	intake := variedLead("/v1/intake", 202)
	tool := post("/mcp", callNumber, 200, mcpHeaders...)
	err = errors.Join(
		underLoad("sqlite:"+filepath.Join(folder, "foyer.db"), duration, intake, intake, get("/v1/services"), tool),
		underLoad(onServer, duration, intake),
	)
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	return anonymizeProfile(&profile, file)
}

// underLoad serves from a database, and runs one load after another against the service.
func underLoad(database string, duration time.Duration, requests ...loadRequest) error {
	var settings config.Settings
	parser, err := kong.New(&settings)
	if err != nil {
		return err
	}
	if _, err := parser.Parse([]string{"--database", database, "--rate-limit", "off"}); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	a, err := app.New(ctx, settings, "127.0.0.1:0", slog.New(lineHandler{slog.DiscardHandler}))
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	for _, req := range requests {
		if r, err := runLoad(a.Addr(), req, 64, duration); err != nil || r.wrong > 0 {
			return fmt.Errorf("%d good answers, %d wrong, %w", r.done, r.wrong, err)
		}
	}
	stop()
	return <-ended
}

// lineHandler is a log handler that accepts finished lines, like the program's own.
type lineHandler struct{ slog.Handler }

func (lineHandler) Lines() io.Writer { return io.Discard }

// anonymizeProfile writes a profile without the path of this program, which is private.
func anonymizeProfile(profile io.Reader, file string) error {
	unpacked, err := gzip.NewReader(profile)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return err
	}
	folder, err := os.Executable()
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte(folder), []byte(strings.Repeat("-", len(folder))))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, packed.Bytes(), 0o644)
}
