package cli

import (
	"runtime/debug"
	"strings"
	"time"
)

// A build is what the program knows of how it was built. Every part may be missing.
type build struct {
	version  string    // of the module, such as v1.2.0; "" for a build from a work tree without a tag
	revision string    // of the work tree, shortened, marked where there were changes besides
	date     time.Time // of the revision
	compiler string
}

// readBuild reads what the Go tool has written into the program.
func readBuild(info *debug.BuildInfo, known bool) build {
	var b build
	if !known {
		return b
	}
	b.compiler = info.GoVersion
	if info.Main.Version != "(devel)" {
		b.version = info.Main.Version
	}
	changed := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.revision = setting.Value[:min(len(setting.Value), 12)]
		case "vcs.time":
			b.date, _ = time.Parse(time.RFC3339, setting.Value) // the zero time says that it is not known
		case "vcs.modified":
			changed = setting.Value == "true"
		}
	}
	if changed && b.revision != "" {
		b.revision += " with changes"
	}
	return b
}

// String is what `docket --version` prints behind the program's name.
func (b build) String() string {
	version := b.version
	if version == "" {
		version = "unreleased"
	}
	var more []string
	if b.revision != "" {
		more = append(more, "revision "+b.revision)
	}
	if !b.date.IsZero() {
		more = append(more, b.date.UTC().Format(time.DateOnly))
	}
	if b.compiler != "" {
		more = append(more, b.compiler)
	}
	if len(more) == 0 {
		return version
	}
	return version + " (" + strings.Join(more, ", ") + ")"
}
