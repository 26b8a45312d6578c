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

// FindBinaries finds the folder with the programs of the server: the given one, the one that POSTGRES_BINARIES names, the one in
// PATH, or the newest of Debian's, which are not in PATH.
func FindBinaries(named string) (string, error) {
	if named = cmp.Or(named, os.Getenv("POSTGRES_BINARIES")); named != "" {
		return firstWith([]string{named}, "initdb", "postgres")
	}
	return firstWith(installed(), "initdb", "postgres")
}

// findPsql finds psql, which is not in every package of a server. Any version of it will do.
func findPsql(binaries string) (string, error) {
	folder, err := firstWith(append([]string{binaries}, installed()...), "psql")
	return filepath.Join(folder, "psql"), err
}

// installed lists the folders in which PostgreSQL may be installed.
func installed() (folders []string) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(path))
		}
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.SortFunc(debian, newestFirst)
	return append(folders, debian...)
}

// newestFirst compares /usr/lib/postgresql/9.6/bin with /usr/lib/postgresql/17/bin.
func newestFirst(a, b string) int {
	version := func(folder string) float64 {
		v, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(folder)), 64)
		return v
	}
	return cmp.Compare(version(b), version(a))
}

// firstWith returns the first folder that has all the programs.
func firstWith(folders []string, programs ...string) (string, error) {
	for _, folder := range folders {
		lacks := func(program string) bool {
			_, err := os.Stat(filepath.Join(folder, program))
			return err != nil
		}
		if !slices.ContainsFunc(programs, lacks) {
			return folder, nil
		}
	}
	if len(folders) > 0 {
		return "", fmt.Errorf("%w (%s: not in %s)", ErrMissing, strings.Join(programs, ", "), strings.Join(folders, ", "))
	}
	return "", ErrMissing
}
