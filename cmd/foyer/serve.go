package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"foyer/cmd/foyer/cli"
	"foyer/internal/api"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/console"
	"foyer/internal/terminal"
)

// linkWorks says how long a link can be used.
const linkWorks = "it works once, within 30 minutes"

type serve struct {
	config.Settings
}

// Run serves until its context ends.
func (c *serve) Run(e cli.Env) error {
	defer tuneGC()()
	addr, err := c.ListenAddr(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	log, flush := terminal.NewLogger(e.Stderr)
	defer flush()
	a, err := app.New(e.Ctx, c.Settings, addr, log)
	if err != nil {
		return err
	}
	if terminal.Is(e.Stderr) { // a log file or a pipe is read by others
		a.Announce = func(at app.Addresses) { announce(e.Stderr, at) }
	}
	go debug.FreeOSMemory() // startup rendered every page; that memory is not needed again
	return a.Run(e.Ctx)
}

// announce says where to go. The first link comes last, where the eye is.
func announce(w io.Writer, at app.Addresses) {
	fmt.Fprintf(w, "\n  Form     %s\n", at.Form)
	if at.Console != "" {
		fmt.Fprintf(w, "  Console  %s\n", at.Console)
	}
	if at.FirstLink != "" {
		fmt.Fprintf(w, "\n  No operator can sign in yet. Open this link to choose a name and a password; %s:\n  %s\n", linkWorks, at.FirstLink)
	}
	fmt.Fprintln(w)
}

type openapi struct {
	config.Brand
	Operator bool `help:"Print that of the operator's API."`
}

// Run prints the document that the service would serve on its default port.
func (c *openapi) Run(e cli.Env) error {
	document := api.OpenAPI
	if c.Operator {
		document = console.OpenAPI
	}
	_, err := e.Stdout.Write(document(c.Catalog(":8080")))
	return err
}

type discovery struct {
	config.Brand
	config.Hold
	File  string `arg:"" optional:"" help:"Print only this file, for example server.json."`
	Write string `placeholder:"DIR" help:"Write the files into a folder, each under its own path."`
}

// Run prints or writes what the service would serve on its default port.
func (c *discovery) Run(e cli.Env) error {
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
func (c *discovery) output(e cli.Env, path string, body []byte) error {
	if c.Write != "" {
		target := filepath.Join(c.Write, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, body, 0o644)
	}
	if c.File == "" {
		if _, err := fmt.Fprintf(e.Stdout, "==> %s\n", path); err != nil {
			return err
		}
		body = append(body, '\n')
	}
	_, err := e.Stdout.Write(body)
	return err
}
