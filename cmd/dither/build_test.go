package main

import (
	"runtime/debug"
	"testing"
)

func TestDescribeBuild(t *testing.T) {
	setting := func(pairs ...string) (out []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.0", setting("vcs.revision", revision), "v1.2.0"},
		{"v0.0.0-20260102030405-0123456789ab+dirty", nil, "v0.0.0-20260102030405-0123456789ab+dirty"},
		{"(devel)", setting("vcs.revision", revision, "vcs.modified", "false"), "commit 0123456789ab"},
		{"", setting("vcs.modified", "true", "vcs.revision", revision), "commit 0123456789ab+dirty"},
		{"(devel)", setting("vcs.revision", "0123"), "commit 0123"},
		{"(devel)", setting("vcs.modified", "true"), "development"},
		{"", nil, "development"},
	} {
		info := &debug.BuildInfo{Settings: c.settings}
		info.Main.Version = c.version
		if got := describeBuild(info); got != c.want {
			t.Errorf("version %q with %v is described as %q, expected %q", c.version, c.settings, got, c.want)
		}
	}
	if buildVersion() == "" {
		t.Error("this build has no version")
	}
}
