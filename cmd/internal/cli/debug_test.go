package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDebugLogIsANewFileOfItsOwnerWhereItIsAskedFor(t *testing.T) {
	folder, variables := t.TempDir(), map[string]string{}
	path, target, link := filepath.Join(folder, "debug.log"), filepath.Join(folder, "target"), filepath.Join(folder, "link")
	p := &program{System: System{Getenv: func(name string) string { return variables[name] }}}
	if log, end, err := p.openDebug(); err != nil || log != nil || end.Close() != nil {
		t.Errorf("without being asked: %v, %v", log, err)
	}
	p.debug = path
	log, end, err := p.openDebug()
	if err != nil || log == nil || end.Close() != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "msg=start") {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := p.openDebug(); err == nil || !strings.Contains(err.Error(), "must be a new file") {
		t.Errorf("a file that is there: %v", err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("there are no links here: %v", err)
	}
	p.debug, variables["DOCKET_DEBUG"] = "", link
	if _, _, err := p.openDebug(); err == nil {
		t.Error("a link was followed")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was made")
	}
}
