package main

import (
	"os"
	"runtime/debug"

	"foyer/internal/api"
	"foyer/internal/app"
	"foyer/internal/config"
)

type serve struct {
	config.Settings
}

// Run serves until it is told to stop.
func (c *serve) Run(s env) error {
	defer steadyMemory()()
	addr, err := c.ListenAddr(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	log, flush := newLog(s.stderr)
	defer flush()
	a, err := app.New(s.ctx, c.Settings, addr, log)
	if err != nil {
		return err
	}
	go debug.FreeOSMemory() // all pages were written; what that took is not needed again
	return a.Run(s.ctx)
}

type openapi struct {
	config.Brand
}

// Run prints the document that the service would serve on its default port.
func (c *openapi) Run(s env) error {
	_, err := s.stdout.Write(api.OpenAPI(c.Catalog(":8080")))
	return err
}
