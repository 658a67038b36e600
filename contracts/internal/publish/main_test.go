package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const contractsFolder = "../.."

func TestTheCommittedFilesAreTheDerivedOnes(t *testing.T) {
	files, err := published()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(contractsFolder, name))
		if err != nil || !bytes.Equal(got, want) || len(want) == 0 {
			t.Errorf("contracts/%s is stale (%v); run go generate ./contracts", name, err)
		}
	}
	for _, folder := range []string{"schemas", "report/schemas", "incident/schemas"} {
		committed, err := filepath.Glob(filepath.Join(contractsFolder, folder, "*"))
		if err != nil || len(committed) == 0 {
			t.Fatalf("%s: no files (%v)", folder, err)
		}
		for _, file := range committed {
			if files[folder+"/"+filepath.Base(file)] == nil {
				t.Errorf("contracts/%s/%s is derived from nothing", folder, filepath.Base(file))
			}
		}
	}
}

func TestTheFilesAreWrittenWhereTheyBelong(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"schemas", "report/schemas", "incident/schemas", "docs"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := run([]string{folder}); err != nil {
		t.Fatal(err)
	}
	files, _ := published()
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if run(nil) == nil || run([]string{filepath.Join(folder, "none")}) == nil {
		t.Error("a folder that is missing is no error")
	}
}
