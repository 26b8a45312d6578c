package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"foyer/internal/api"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/console"
	"foyer/internal/terminal"
)

type serve struct {
	config.Settings
}

// Run serves until its context ends.
func (c *serve) Run(e env) error {
	defer tuneGC()()
	addr, err := c.ListenAddr(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	log, flush := terminal.NewLogger(e.stderr)
	defer flush()
	a, err := app.New(e.ctx, c.Settings, addr, log)
	if err != nil {
		return err
	}
	go debug.FreeOSMemory() // startup rendered every page; that memory is not needed again
	return a.Run(e.ctx)
}

type openapi struct {
	config.Brand
	Operator bool `help:"Print that of the operator's API."`
}

// Run prints the document that the service would serve on its default port.
func (c *openapi) Run(e env) error {
	document := api.OpenAPI
	if c.Operator {
		document = console.OpenAPI
	}
	_, err := e.stdout.Write(document(c.Catalog(":8080")))
	return err
}

type discovery struct {
	config.Brand
	config.Hold
	File  string `arg:"" optional:"" help:"Print only this file, for example server.json."`
	Write string `placeholder:"DIR" help:"Write the files into a folder, each under its own path."`
}

// Run prints or writes what the service would serve on its default port.
func (c *discovery) Run(e env) error {
	files, err := app.Discovery(c.Catalog(":8080"), int(c.HoldDays))
	if err != nil {
		return err
	}
	found := false
	for _, f := range files {
		if c.File != "" && strings.TrimPrefix(c.File, "/") != strings.TrimPrefix(f.Path, "/") {
			continue
		}
		found = true
		if err := c.output(e, f.Path, f.Body); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("there is no file %s", c.File)
	}
	return nil
}

// output writes a file into the folder, or prints it: alone, or under a header with its path.
func (c *discovery) output(e env, path string, body []byte) error {
	if c.Write != "" {
		target := filepath.Join(c.Write, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, body, 0o644)
	}
	if c.File == "" {
		if _, err := fmt.Fprintf(e.stdout, "==> %s\n", path); err != nil {
			return err
		}
		body = append(body, '\n')
	}
	_, err := e.stdout.Write(body)
	return err
}

// ballastSize is memory that is allocated but never touched, so that it takes none of the machine's.
const ballastSize = 192 << 20

// tuneGC makes the collector run rarely while the heap is small, and soon enough when thousands of clients connect at once.
// The collector runs when the live heap has grown by 30 %; the ballast counts as live, so that even 30 % of an almost empty
// heap has room for some thousand requests. With a memory limit instead, the collector took all CPU time once the limit was
// reached. The returned function releases the ballast.
func tuneGC() func() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {} // the operator's settings win
	}
	debug.SetGCPercent(30)
	ballast := make([]byte, ballastSize)
	return func() { runtime.KeepAlive(ballast) }
}
