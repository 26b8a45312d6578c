package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"foyer/internal/api"
	"foyer/internal/app"
	"foyer/internal/config"
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
	log, flush := newLogger(e.stderr)
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
}

// Run prints the document that the service would serve on its default port.
func (c *openapi) Run(e env) error {
	_, err := e.stdout.Write(api.OpenAPI(c.Catalog(":8080")))
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
