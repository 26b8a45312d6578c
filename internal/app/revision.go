package app

import "runtime/debug"

// Revision names the commit that the program was built from, and whether the working tree had changes; "" if the build did not
// record it. Unlike the version, which is that of the interface, it tells builds apart. Go records it by itself,
// without -ldflags.
func Revision() string {
	info, known := debug.ReadBuildInfo()
	if !known {
		return ""
	}
	return revision(info.Settings)
}

func revision(settings []debug.BuildSetting) string {
	var commit, changes string
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = "+changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changes
}
