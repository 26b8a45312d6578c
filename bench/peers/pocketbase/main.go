// Command pocketbase is PocketBase with a collection for leads, to be measured beside Foyer: pocketbase ADDRESS FOLDER.
// Records are created through its own REST API. It refuses to serve where a commit would not wait for the disk.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

func main() {
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pocketbase:", err)
		os.Exit(1)
	}
}

func serve(address, folder string) error {
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: folder, DBConnect: connect, HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	app.OnRecordCreateRequest("leads").BindFunc(stamp)
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		e.InstallerFunc = nil // it would open a browser
		if err := prepare(app); err != nil {
			return err
		}
		if n, err := synchronous(app); err != nil || n != 2 {
			return errors.Join(err, errors.New("the database does not wait for the disk"))
		}
		e.Router.GET("/health", func(r *core.RequestEvent) error {
			n, err := synchronous(app)
			if err != nil {
				return err
			}
			return r.JSON(http.StatusOK, map[string]int{"synchronous": n})
		})
		return e.Next()
	})
	return apis.Serve(app, apis.ServeConfig{HttpAddr: address})
}

// connect opens a database with the pragmas that PocketBase uses, but FULL in place of NORMAL.
func connect(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)"+
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}

// synchronous reads the setting back from the one connection that writes.
func synchronous(app core.App) (n int, err error) {
	err = app.NonconcurrentDB().NewQuery("PRAGMA synchronous").Row(&n)
	return n, err
}
