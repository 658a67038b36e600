package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// ownFolders gives the test the folders of an account of its own, and returns that of the settings.
func ownFolders(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	t.Cleanup(xdg.Reload) // after the variables are as they were
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(home, name))
	}
	xdg.Reload()
	folder := filepath.Dir(configPath())
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestAConfigFileThatCannotBeReadEndsEveryCommandWithOneStatus(t *testing.T) {
	ownFolders(t)
	if err := os.Mkdir(configPath(), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"config", "pull", "queue", "verify"} {
		var said bytes.Buffer
		if status := Main([]string{call}, systemAt(noon, &said)); status != Environment || !strings.Contains(said.String(), configPath()) {
			t.Errorf("%s: %d: %s", call, status, &said)
		}
	}
}

func TestAFileThatIsNotThereHasOneStatusInEveryCommand(t *testing.T) {
	none := filepath.Join(ownFolders(t), "none")
	for _, call := range [][]string{{"import", none}, {"evaluate", none}, {"seal", none}, {"enroll", none}, {"verify", none}, {"contract", "check", none}} {
		var said bytes.Buffer
		if status := Main(call, systemAt(noon, &said)); status != Environment || !strings.Contains(said.String(), none) {
			t.Errorf("%s: %d: %s", call, status, &said)
		}
	}
}
