package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the pictures of the screens anew")

func TestEveryScreenLooksAsItsPictureDoes(t *testing.T) {
	wanted := map[string]bool{}
	for i := range scenes {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			name := fmt.Sprintf("%s-%dx%d.txt", scenes[i].name, size[0], size[1])
			wanted[name] = true
			t.Run(name, func(t *testing.T) {
				lines := strings.Split(sceneAt(t, i, size[0], size[1]).frame(), "\n")
				for j := range lines {
					lines[j] = strings.TrimRight(lines[j], " ")
				}
				compare(t, filepath.Join("testdata", name), strings.Join(lines, "\n")+"\n")
			})
		}
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no pictures: %v", err)
	}
	for _, file := range files {
		if !wanted[filepath.Base(file)] {
			t.Errorf("%s is a picture of no scene", file)
		}
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the screen is not the one of %s; go test -update writes it anew:\n%s", file, got)
	}
}
