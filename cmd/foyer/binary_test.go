package main_test

import (
	"bytes"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

func TestMain(m *testing.M) { binary.Main(m.Run) }

// process is a running service.
type process struct{ *binary.Process }

// serve starts the binary on the database of a folder.
func serve(t *testing.T, folder string, flags ...string) *process {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts the service, which make test does")
	}
	if !strings.HasPrefix(t.Name(), storetest.OnPostgreSQL+"/") {
		return &process{binary.Serve(t, folder, flags...)}
	}
	database, known := databases.Load(folder)
	if !known {
		database = storetest.PostgreSQL(t)
		databases.Store(folder, database)
	}
	p := binary.Serve(t, folder, append([]string{"--database", database.(string)}, flags...)...)
	p.Database = database.(string)
	return &process{p}
}

// databases maps folders to the PostgreSQL databases that stand in for their files.
var databases sync.Map

// run runs the binary to its end.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(binary.Program, args...)
	cmd.Env = binary.EnvironmentOf(cmd)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}
