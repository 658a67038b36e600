package cli

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionIsWhatTheBuildKnows(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	tagged := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: []debug.BuildSetting{
		setting("vcs.revision", "0123456789abcdef0123"), setting("vcs.time", "2026-03-02T23:00:00-05:00"), setting("vcs.modified", "false")}}
	if got := readBuild(tagged, true).String(); got != "v1.2.0 (revision 0123456789ab, 2026-03-03, go1.26.8)" {
		t.Errorf("%q", got)
	}
	changed := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
		setting("vcs.revision", "01234"), setting("vcs.time", "yesterday"), setting("vcs.modified", "true")}}
	if got := readBuild(changed, true).String(); got != "unreleased (revision 01234 with changes, go1.26.8)" {
		t.Errorf("%q", got)
	}
	if got := readBuild(nil, false).String(); got != "unreleased" {
		t.Errorf("%q", got)
	}
}
