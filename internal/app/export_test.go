package app

import (
	"context"
	"net/http"
	"runtime/debug"
	"time"
)

// Handler is the handler of everything a client can reach, without a socket.
func (a *App) Handler() http.Handler { return a.public.server.Handler }

// RevisionOf names the commit that the build settings record.
func RevisionOf(settings []debug.BuildSetting) string { return revision(settings) }

// ReportFacts runs the job that reports what only this process knows.
func (a *App) ReportFacts(ctx context.Context) error { return a.reportFacts().run(ctx, time.Now()) }

// LookForAlerts evaluates the rules, whether that is due or not.
func (a *App) LookForAlerts(ctx context.Context) error { return a.alerter.Look(ctx, a.store.Update) }

// FreeSpace is how much of the disk with a folder is free, in percent.
func FreeSpace(folder string) int64 { return freeSpace(folder) }
