package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"

	"foyer/internal/api"
	"foyer/internal/app"
	"foyer/internal/catalog"
	"foyer/internal/config"
)

type serve struct {
	config.Settings
}

// Run serves until it is told to stop.
func (c *serve) Run(s stage) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	addr, err := c.ListenAddr(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	a, err := app.New(s.ctx, c.Settings, addr, newLog(s.stderr))
	if err != nil {
		return err
	}
	return a.Run(s.ctx)
}

// gcPercent lets garbage grow to a few times of what lives, which is little: collecting it less often makes the intake a
// tenth cheaper for some megabytes.
const gcPercent = 400

// newLog writes for people on a terminal and JSON lines elsewhere.
func newLog(w io.Writer) *slog.Logger {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return slog.New(tint.NewTextHandler(w, &tint.Options{TimeFormat: time.TimeOnly}))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

type version struct{}

// Run prints the version.
func (version) Run(s stage) error {
	_, err := fmt.Fprintln(s.stdout, "foyer", catalog.Version)
	return err
}

type openapi struct {
	config.Brand
}

// Run prints the document that the service would serve on its default port.
func (c *openapi) Run(s stage) error {
	_, err := s.stdout.Write(api.OpenAPI(c.Catalog(":8080")))
	return err
}
