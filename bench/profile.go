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

// learn runs the service in this process under the load of the benchmark, and writes down where it computes. The compiler
// reads that with every build of cmd/foyer.
func learn(folder, file string, while time.Duration) error {
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
	intake := varied("/v1/intake", 202)
	tool := post("/mcp", callNumber, 200, mcpHeaders...)
	err = errors.Join(
		underLoad("sqlite:"+filepath.Join(folder, "foyer.db"), while, intake, intake, get("/v1/services"), tool),
		underLoad(onServer, while, intake),
	)
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	return nameless(&profile, file)
}

// underLoad serves from a database for a while, and fires one shot after the other at it.
func underLoad(database string, while time.Duration, shots ...shot) error {
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
	a, err := app.New(ctx, settings, "127.0.0.1:0", slog.New(lined{slog.DiscardHandler}))
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	for _, s := range shots {
		if r, err := fire(a.Addr(), s, 64, while); err != nil || r.wrong > 0 {
			return fmt.Errorf("%d good answers, %d wrong, %w", r.done, r.wrong, err)
		}
	}
	stop()
	return <-ended
}

// lined is a log that takes lines ready made, as that of the program does.
type lined struct{ slog.Handler }

func (lined) Lines() io.Writer { return io.Discard }

// nameless writes a profile without the place where this program lies: that is nobody's business.
func nameless(profile io.Reader, file string) error {
	unpacked, err := gzip.NewReader(profile)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return err
	}
	here, err := os.Executable()
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte(here), []byte(strings.Repeat("-", len(here))))
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
