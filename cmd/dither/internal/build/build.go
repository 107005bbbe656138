// Package build says which build of dither this is.
package build

import "runtime/debug"

// Version returns the module's version where the build knows it ("v1.2.0", or the pseudo-version of a commit), else the commit that was
// built ("commit 0123456789ab", with "+dirty" behind it when files differed from the commit), else "development". It never changes
// within a build, and no release depends on it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	return describe(info)
}

const unknown = "development"

func describe(info *debug.BuildInfo) string {
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
		return unknown
	}
	return "commit " + commit + dirty
}
