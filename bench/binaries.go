package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// findBinary finds a program given to make as OLD or NEW.
func findBinary(name, value string) (string, error) {
	if value == "" {
		return "", fmt.Errorf("%s is missing: make bench-pair OLD=BINARY compares the binary of this tree with that one", name)
	}
	path, err := filepath.Abs(value)
	if err == nil {
		_, err = exec.LookPath(path)
	}
	if err != nil {
		return "", fmt.Errorf("%s=%s cannot be run: %w", name, value, errors.Unwrap(err))
	}
	return path, nil
}

// buildShipped builds this tree as make build does.
func buildShipped(path string) error {
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./cmd/foyer")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	return build.Run()
}

// describe says which binary this is, and how it was built. It fails if the binary is not a Foyer that runs here.
func describe(binary string) (string, error) {
	version, err := exec.Command(binary, "version").Output()
	if err != nil {
		return "", fmt.Errorf("%s version: %w", binary, err)
	}
	if !strings.HasPrefix(string(version), "foyer ") {
		return "", fmt.Errorf("%s is not foyer", binary)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", fmt.Errorf("%s: %w", binary, err)
	}
	return fmt.Sprintf("%s (%s, %s)", binary, strings.TrimSpace(string(version)), builtWith(info)), nil
}

// builtWith returns what makes two binaries of the same source differ by a few percent.
func builtWith(info *debug.BuildInfo) string {
	for _, s := range info.Settings {
		if s.Key == "-pgo" && s.Value != "off" {
			return info.GoVersion + ", PGO: faster than a release"
		}
	}
	return info.GoVersion
}

var liveFlag = regexp.MustCompile(`(?m)^\s+--(\[no-\])?live\b`)

// liveFlags finds in the help of buyers add the flag that makes a new buyer live. Newer binaries add a buyer in test by
// default; older ones do not know the flag.
func liveFlags(help string) []string {
	if liveFlag.MatchString(help) {
		return []string{"--live"}
	}
	return nil
}
