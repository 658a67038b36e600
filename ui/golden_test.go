package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/ui/theme"

	"github.com/muesli/termenv"
)

var update = flag.Bool("update", false, "write the pictures of the screens anew")

// pictured are the sizes at which there is a picture of every scene: the smaller layout, the usual window, a large one.
var pictured = [][2]int{{48, 14}, {80, 24}, {120, 40}}

// painted are the themes in which there is a picture of every scene with its colours; `cat` shows one.
var painted = []theme.Name{theme.Dark, theme.Light}

func TestEveryScreenLooksAsItsPictureDoes(t *testing.T) {
	wanted := map[string]bool{}
	for i := range scenes {
		for _, size := range pictured {
			name := fmt.Sprintf("%s-%dx%d", scenes[i].name, size[0], size[1])
			words := filepath.Join("testdata", name+".txt")
			wanted[words] = true
			for _, paint := range painted {
				wanted[paintedFile(name, paint)] = true
			}
			t.Run(name, func(t *testing.T) {
				b := sceneAt(t, i, size[0], size[1])
				lines := strings.Split(b.frame(), "\n")
				for j := range lines {
					lines[j] = strings.TrimRight(lines[j], " ")
				}
				compare(t, words, strings.Join(lines, "\n")+"\n")
				for _, paint := range painted {
					colours := theme.NewFixed(termenv.TrueColor, paint)
					compare(t, paintedFile(name, paint), b.console.sheet().Render(&colours, size[0], size[1])+"\n")
				}
			})
		}
	}
	for _, pattern := range []string{"testdata/*.txt", "testdata/painted/*.ansi"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("there are no pictures %s: %v", pattern, err)
		}
		for _, file := range files {
			if !wanted[file] {
				t.Errorf("%s is a picture of no scene", file)
			}
		}
	}
}

func paintedFile(name string, paint theme.Name) string {
	return filepath.Join("testdata", "painted", name+"-"+paint.String()+".ansi")
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
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
