package cli

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionIsWhatTheBuildKnows(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.0 (go1.26.8, revision 0123456789ab)": {GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: []debug.BuildSetting{
			setting("vcs.revision", "0123456789abcdef0123"), setting("vcs.modified", "false")}},
		"unreleased (go1.26.8, revision 01234, with changes)": {GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
			setting("vcs.revision", "01234"), setting("vcs.modified", "true")}},
	} {
		if got := versionOf(info, true); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := versionOf(nil, false); got != "unreleased" {
		t.Errorf("%q", got)
	}
}
