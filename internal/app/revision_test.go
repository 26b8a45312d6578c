package app_test

import (
	"runtime/debug"
	"testing"

	"foyer/internal/app"
)

func TestRevision(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "bab8dc3f00112233445566778899aabbccddeeff"}
	for _, c := range []struct {
		name     string
		settings []debug.BuildSetting
		want     string
	}{
		{"unknown", []debug.BuildSetting{{Key: "-trimpath", Value: "true"}}, ""},
		{"a commit", []debug.BuildSetting{commit, {Key: "vcs.modified", Value: "false"}}, "bab8dc3f0011"},
		{"a commit with changes", []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, commit}, "bab8dc3f0011+changes"},
		{"changes of nothing", []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}, ""},
		{"a short commit", []debug.BuildSetting{{Key: "vcs.revision", Value: "17"}}, "17"},
	} {
		if got := app.RevisionOf(c.settings); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
