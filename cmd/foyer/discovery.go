package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"foyer/internal/app"
	"foyer/internal/config"
)

type discovery struct {
	config.Brand
	HoldDays config.Days `name:"hold-days" env:"FOYER_HOLD_DAYS" default:"30" placeholder:"DAYS" help:"How long a request that nobody covers is held (default: ${default})."`
	File     string      `arg:"" optional:"" help:"Print only this file, for example server.json."`
	Write    string      `placeholder:"DIR" help:"Write the files into a folder, each under its own path."`
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
