package app

import (
	"net/http"
	"runtime/debug"
)

// Handler is the handler of everything a client can reach, without a socket.
func (a *App) Handler() http.Handler { return a.public.server.Handler }

// RevisionOf names the commit that the build settings record.
func RevisionOf(settings []debug.BuildSetting) string { return revision(settings) }
