package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDebugLogIsANewFileOfItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "debug.log")
	p := &program{System: System{Getenv: func(string) string { return "" }}, debug: path}
	log, end, err := p.openDebug()
	if err != nil || log == nil {
		t.Fatal(err)
	}
	if err := end.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "msg=start") {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := p.openDebug(); err == nil || !strings.Contains(err.Error(), "must be a new file") {
		t.Errorf("a file that is there: %v", err)
	}
}

func TestTheDebugLogFollowsNoLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("there are no links here: %v", err)
	}
	p := &program{System: System{Getenv: func(string) string { return link }}}
	if _, _, err := p.openDebug(); err == nil {
		t.Error("a link was followed")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was made")
	}
}

func TestWithoutBeingAskedNothingIsLogged(t *testing.T) {
	asked := ""
	p := &program{System: System{Getenv: func(name string) string { asked = name; return "" }}}
	log, end, err := p.openDebug()
	if err != nil || log != nil || end.Close() != nil || asked != "DOCKET_DEBUG" {
		t.Errorf("%v, %v, %q", log, err, asked)
	}
}
