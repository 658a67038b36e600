package ui

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the pictures of the screens")

// archives name the archive in testdata that holds the pictures of the scenes of a place: one archive a screen.
var archives = [action.Places]string{
	action.InQueue: "queue", action.InFilter: "queue", action.InPacket: "packet", action.InFind: "packet", action.InReading: "decide", action.InDifference: "difference", action.InDecision: "decide",
	action.InBlockers: "decide", action.InSearch: "decide", action.InStatement: "decide", action.InNote: "decide", action.InReview: "review", action.InReceipt: "receipt",
	action.InStale: "stale", action.InRecords: "records", action.InRecord: "record", action.InBoard: "board", action.InContracts: "contracts",
	action.InContract: "contracts", action.InFindings: "findings", action.InStats: "stats", action.InParties: "statement",
}

// usual is the size at which there is a picture of every scene. The size sweep covers the other sizes.
var usual = [2]int{80, 24}

// pictured are the sizes at which there is a picture of the scenes in sized: the smaller layout, the usual window, a large one.
var pictured = [][2]int{{48, 14}, usual, {120, 40}}

// sized are the scenes with a picture at every size of pictured.
var sized = []string{"queue", "greeting", "queue-amendments", "packet-pass", "packet-blocked", "packet-amendment", "difference",
	"decide-outcome", "decide-factors", "decide-review", "receipt", "records", "board", "stats", "statement"}

// painted are the scenes with a picture of their colours in each theme of paints; `cat` shows one.
var painted = []string{"queue", "packet-blocked", "decide-review", "findings"}

var paints = []theme.Name{theme.Dark, theme.Light}

// pictures are the names of the pictures in each archive, in the order of the scenes.
func pictures() map[string][]string {
	names := map[string][]string{}
	for i := range scenes {
		archive := archives[scenes[i].place]
		for _, size := range sizesOf(scenes[i].name) {
			names[archive] = append(names[archive], pictureName(scenes[i].name, size))
		}
	}
	return names
}

func sizesOf(scene string) [][2]int {
	if slices.Contains(sized, scene) {
		return pictured
	}
	return [][2]int{usual}
}

func pictureName(scene string, size [2]int) string {
	return fmt.Sprintf("%s-%dx%d", scene, size[0], size[1])
}

func archiveFile(archive string) string { return filepath.Join("testdata", archive+".txtar") }

func paintedFile(scene string, paint theme.Name) string {
	return filepath.Join("testdata", scene+"-"+paint.String()+".ansi")
}

func TestEveryScreenLooksAsItsPictureDoes(t *testing.T) {
	t.Parallel()
	kept := map[string]map[string]string{}
	for archive := range pictures() {
		kept[archive] = readPictures(t, archiveFile(archive))
	}
	for i := range scenes {
		archive := archives[scenes[i].place]
		for _, size := range sizesOf(scenes[i].name) {
			name := pictureName(scenes[i].name, size)
			t.Run(archive+"/"+name, func(t *testing.T) {
				got := screenText(sceneAt(t, i, size[0], size[1]))
				if *update {
					kept[archive][name] = got
					return
				}
				want, found := kept[archive][name]
				compare(t, archiveFile(archive), name, want, got, found)
			})
		}
	}
	if *update {
		writePictures(t, kept)
	}
}

func TestScreensHaveTheColoursOfTheirPictures(t *testing.T) {
	for i := range scenes {
		if !slices.Contains(painted, scenes[i].name) {
			continue
		}
		for _, paint := range paints {
			t.Run(scenes[i].name+"-"+paint.String(), func(t *testing.T) {
				b := sceneAt(t, i, usual[0], usual[1])
				colours := theme.New(termenv.TrueColor, paint)
				got := b.console.sheet().Render(&colours, usual[0], usual[1]) + "\n"
				file := paintedFile(scenes[i].name, paint)
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(file)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				compare(t, file, scenes[i].name, showEscapes(string(want)), showEscapes(got), err == nil)
			})
		}
	}
}

func TestEveryPictureIsOfAScene(t *testing.T) {
	wanted := pictures()
	files := map[string]bool{}
	for p := range action.Places {
		if archives[p] == "" {
			t.Errorf("the pictures of the %s have no archive", action.PlaceNames[p])
		}
	}
	for archive, names := range wanted {
		file := archiveFile(archive)
		files[file] = true
		for name := range readPictures(t, file) {
			if !slices.Contains(names, name) {
				t.Errorf("%s: %s is a picture of no scene; `go test ./ui -update` removes it", file, name)
			}
		}
	}
	for _, name := range append(slices.Clone(sized), painted...) {
		if !slices.ContainsFunc(scenes, func(s sceneCase) bool { return s.name == name }) {
			t.Errorf("no scene has the name %s", name)
		}
	}
	for _, name := range painted {
		for _, paint := range paints {
			files[paintedFile(name, paint)] = true
		}
	}
	found, err := filepath.Glob("testdata/*")
	if err != nil || len(found) == 0 {
		t.Fatalf("there are no pictures in testdata: %v", err)
	}
	for _, file := range found {
		if !files[file] {
			t.Errorf("%s is a picture of no scene; remove it", file)
		}
	}
}

// screenText is the lines of a screen without colours and without blanks at their ends.
func screenText(b *harness) string {
	lines := strings.Split(b.frame(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// showEscapes shows escape sequences as text, so that a difference of colours can be read.
func showEscapes(painted string) string { return strings.ReplaceAll(painted, "\x1b", "␛") }

// compare says where a screen differs from its picture.
func compare(t *testing.T, file, name, want, got string, found bool) {
	t.Helper()
	switch {
	case !found:
		t.Errorf("%s has no picture %s; `go test ./ui -update` writes it:\n%s", file, name, got)
	case got != want:
		t.Errorf("%s: the screen differs from the picture %s; `go test ./ui -update` writes it:\n%s", file, name,
			diff.Diff("picture "+name, []byte(want), "screen", []byte(got)))
	}
}

// readPictures reads the pictures of an archive; there are none in an archive that does not exist yet.
func readPictures(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	held := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		if _, twice := held[f.Name]; twice {
			t.Errorf("%s has the picture %s twice", file, f.Name)
		}
		held[f.Name] = string(f.Data)
	}
	return held
}

// writePictures writes the pictures of scenes, in their order. What a run with -run left out stays as it was.
func writePictures(t *testing.T, kept map[string]map[string]string) {
	t.Helper()
	wanted := pictures()
	for _, archive := range slices.SortedFunc(maps.Keys(wanted), cmp.Compare) {
		var whole txtar.Archive
		for _, name := range wanted[archive] {
			if picture, found := kept[archive][name]; found {
				whole.Files = append(whole.Files, txtar.File{Name: name, Data: []byte(picture)})
			}
		}
		data := txtar.Format(&whole)
		if again := txtar.Parse(data); len(again.Files) != len(whole.Files) {
			t.Fatalf("%s: a line of a picture reads as the beginning of another picture", archiveFile(archive))
		}
		if err := os.WriteFile(archiveFile(archive), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryScreenSaysTheSameInEveryThemeAndWithoutColours(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		b := sceneAt(t, i, 80, 24)
		want, width := b.console.View(), b.console.frame.Width
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
			for _, name := range []theme.Name{theme.Dark, theme.Light, theme.Contrast} {
				colours := theme.New(profile, name)
				got := b.console.sheet().Render(&colours, width, b.console.frame.Height)
				if got == want {
					t.Errorf("%s in %s: there are no colours", scenes[i].name, name)
				}
				if ansi.Strip(got) != want {
					t.Errorf("%s in %s: the text differs", scenes[i].name, name)
				}
			}
		}
	}
}
