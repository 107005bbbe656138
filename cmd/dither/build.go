package main

import "runtime/debug"

// buildVersion returns the module's version where the build knows it ("v1.2.0", or the pseudo-version of a commit),
// else the commit that was built ("commit 0123456789ab", with "+dirty" behind it when files differed from the commit),
// else "development". It never changes within a build, and no release depends on it.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownBuild
	}
	return describeBuild(info)
}

const unknownBuild = "development"

func describeBuild(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if commit == "" {
		return unknownBuild
	}
	return "commit " + commit + dirty
}
