package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// newServer returns a server that limits what one connection can cost.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return c.(*trackedConn).connContext(ctx) },
		ConnState:         markIdle,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),

		DisableGeneralOptionsHandler: true, // net/http would answer OPTIONS * without the frame
	}
}

// markIdle records that a connection waits for its next request.
func markIdle(c net.Conn, s http.ConnState) {
	if s == http.StateIdle {
		c.(*trackedConn).idle.start()
	}
}

// maxConnections leaves room for the database's files below the operating system's limit.
func maxConnections() int {
	const limit, spare = 16384, 128
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Cur > limit+spare {
		return limit
	}
	return max(int(files.Cur)-spare, 64)
}
