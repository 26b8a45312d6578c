package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrMissing means that PostgreSQL is not installed.
var ErrMissing = errors.New("PostgreSQL is not installed here; make postgres-tools installs it")

// FindBinaries finds the folder with the programs: the given one, the one in PATH, or the newest of Debian's, which are not
// in PATH.
func FindBinaries(named string) (string, error) {
	if named != "" {
		return firstComplete(named)
	}
	var folders []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(path))
		}
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.SortFunc(debian, newestFirst)
	return firstComplete(append(folders, debian...)...)
}

// newestFirst compares /usr/lib/postgresql/9.6/bin with /usr/lib/postgresql/17/bin.
func newestFirst(a, b string) int {
	version := func(folder string) float64 {
		v, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(folder)), 64)
		return v
	}
	return cmp.Compare(version(b), version(a))
}

// firstComplete returns the first folder that has all the programs. Client and server are separate packages.
func firstComplete(folders ...string) (string, error) {
	for _, folder := range folders {
		lacks := func(program string) bool {
			_, err := os.Stat(filepath.Join(folder, program))
			return err != nil
		}
		if !slices.ContainsFunc([]string{"initdb", "postgres", "psql"}, lacks) {
			return folder, nil
		}
	}
	if len(folders) > 0 {
		return "", fmt.Errorf("%w (not all of it is in %s)", ErrMissing, strings.Join(folders, ", "))
	}
	return "", ErrMissing
}
