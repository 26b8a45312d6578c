package app

import "net/http"

// Handler is everything a client can reach, without a socket.
func (a *App) Handler() http.Handler { return a.server.Handler }
