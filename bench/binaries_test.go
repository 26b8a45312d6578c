package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// TestFindBinary wants one line of error if OLD is missing or is not a program.
func TestFindBinary(t *testing.T) {
	folder := t.TempDir()
	text, program := filepath.Join(folder, "text"), filepath.Join(folder, "program")
	for path, mode := range map[string]os.FileMode{text: 0o600, program: 0o700} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho hello\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for value, want := range map[string]string{
		"":                              "OLD is missing: make bench-pair OLD=BINARY",
		filepath.Join(folder, "nobody"): "nobody cannot be run: stat ",
		text:                            "text cannot be run: permission denied",
		folder:                          " cannot be run: is a directory",
	} {
		if _, err := findBinary("OLD", value); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("OLD=%s: %v", value, err)
		}
	}
	if path, err := findBinary("OLD", program); err != nil || path != program {
		t.Errorf("%s: %v", path, err)
	}
	if _, err := describe(program); err == nil || !strings.HasSuffix(err.Error(), "is not foyer") {
		t.Errorf("a program that greets is taken for Foyer: %v", err)
	}
}

func TestBuiltWith(t *testing.T) {
	for want, settings := range map[string][]debug.BuildSetting{
		"go1.26, PGO: faster than a release": {{Key: "-trimpath", Value: "true"}, {Key: "-pgo", Value: "default.pgo"}},
		"go1.26":                             {{Key: "-trimpath", Value: "true"}},
	} {
		if got := builtWith(&debug.BuildInfo{GoVersion: "go1.26", Settings: settings}); got != want {
			t.Errorf("%v: %s", settings, got)
		}
	}
}

// TestAddTestBuyersLive uses the measured binary: each is asked for its own help.
func TestAddTestBuyersLive(t *testing.T) {
	for help, want := range map[string]bool{"      --live": true, "      --paused": false} {
		folder := t.TempDir()
		program, typed := filepath.Join(folder, "foyer"), filepath.Join(folder, "typed")
		script := "#!/bin/sh\ncase \"$*\" in *--help*) echo '" + help + "';; *) echo \"$*\" >>'" + typed + "';; esac\n"
		if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := new(testBuyers).addTo(program, "sqlite:foyer.db", "*", 2, "--cap-day", "5"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(typed)
		if got := string(text); err != nil || strings.Count(got, "--cap-day 5\n") != 2 || strings.Contains(got, "--live") != want {
			t.Errorf("with a help of %q: %s%v", help, got, err)
		}
	}
}

// TestLiveFlags adds the flag only for a binary that knows it; others would refuse it.
func TestLiveFlags(t *testing.T) {
	for help, want := range map[string][]string{
		"      --paused    Do not ask it until it is resumed.\n":                      nil,
		"      --paused    Do not ask it.\n      --live      Ask it at once.\n":       {"--live"},
		"      --[no-]live                   Ask it at once.\n":                       {"--live"},
		"      --lively    Shows more.\n      --test      Try it; see also --live.\n": nil,
	} {
		if got := liveFlags(help); !slices.Equal(got, want) {
			t.Errorf("%q: %v", help, got)
		}
	}
}
