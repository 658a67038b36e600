package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The picture of the house is of the packages that there are and of what they import.
func TestThePictureOfTheHouseIsCurrent(t *testing.T) {
	drawn, err := exec.Command("go", "run", filepath.Join(module, "cmd", "docs", "house.go"), "-print").Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(module, "cmd", "docs", "house.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawn, kept) {
		t.Error("cmd/docs/house.svg is not what the imports give: `go generate ./cmd/docket` draws it anew")
	}
}
