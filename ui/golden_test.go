package ui

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
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

// painted are the scenes with a picture of their colours in each theme of paints, in which ␛ begins an escape sequence.
var painted = []string{"queue", "packet-blocked", "decide-review", "findings"}

var paints = []theme.Name{theme.Dark, theme.Light}

// A picture is what a scene shows in a window of a size, without colours or, where paint has a theme, with them.
type picture struct {
	scene int
	size  [2]int
	paint []theme.Name
}

func (p *picture) name() string {
	name := fmt.Sprintf("%s-%dx%d", scenes[p.scene].name, p.size[0], p.size[1])
	for _, paint := range p.paint {
		name += "-" + paint.String()
	}
	return name
}

func (p *picture) archive() string {
	return filepath.Join("testdata", archives[scenes[p.scene].place]+".txtar")
}

// draw builds the scene and returns its lines without blanks at their ends.
func (p *picture) draw(t *testing.T) string {
	t.Helper()
	b := sceneAt(t, p.scene, p.size[0], p.size[1])
	text := b.frame()
	for _, paint := range p.paint {
		colours := theme.New(termenv.TrueColor, paint)
		text = strings.ReplaceAll(b.console.sheet().Render(&colours, p.size[0], p.size[1]), "\x1b", "␛")
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// pictures are all pictures, in the order of the scenes.
func pictures() (all []picture) {
	for i := range scenes {
		sizes := [][2]int{usual}
		if slices.Contains(sized, scenes[i].name) {
			sizes = pictured
		}
		for _, size := range sizes {
			all = append(all, picture{i, size, nil})
		}
		if slices.Contains(painted, scenes[i].name) {
			for _, paint := range paints {
				all = append(all, picture{i, usual, []theme.Name{paint}})
			}
		}
	}
	return all
}

func TestEveryScreenLooksAsItsPictureDoes(t *testing.T) {
	kept := readPictures(t)
	for _, p := range pictures() {
		t.Run(p.archive()+"/"+p.name(), func(t *testing.T) {
			workbenchtest.Alone(t)
			got := p.draw(t)
			if *update {
				kept[p.archive()][p.name()] = got
			} else if want := kept[p.archive()][p.name()]; got != want {
				t.Errorf("the screen differs from its picture; `go test ./ui -update` writes it:\n%s",
					diff.Diff("picture", []byte(want), "screen", []byte(got)))
			}
		})
	}
	if *update {
		writePictures(t, kept)
	}
}

func TestEveryPictureIsOfAScene(t *testing.T) {
	for p := range action.Places {
		if archives[p] == "" {
			t.Errorf("the pictures of the %s have no archive", action.PlaceNames[p])
		}
	}
	held := readPictures(t)
	for _, p := range pictures() {
		delete(held[p.archive()], p.name())
	}
	for file, names := range held {
		for name := range names {
			t.Errorf("%s: %s is a picture of no scene; `go test ./ui -update` removes it", file, name)
		}
	}
	for _, name := range append(slices.Clone(sized), painted...) {
		if !slices.ContainsFunc(scenes, func(s sceneCase) bool { return s.name == name }) {
			t.Errorf("no scene has the name %s", name)
		}
	}
	found, err := filepath.Glob("testdata/*")
	if err != nil || len(found) == 0 {
		t.Fatalf("there are no pictures in testdata: %v", err)
	}
	for _, file := range found {
		if held[file] == nil {
			t.Errorf("%s is a picture of no scene; remove it", file)
		}
	}
}

// readPictures reads the pictures of each archive; there are none in an archive that does not exist yet.
func readPictures(t *testing.T) map[string]map[string]string {
	t.Helper()
	held := map[string]map[string]string{}
	for _, p := range pictures() {
		file := p.archive()
		if held[file] != nil {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		held[file] = map[string]string{}
		for _, f := range txtar.Parse(data).Files {
			if _, twice := held[file][f.Name]; twice {
				t.Errorf("%s has the picture %s twice", file, f.Name)
			}
			held[file][f.Name] = string(f.Data)
		}
	}
	return held
}

// writePictures writes the pictures of scenes, in their order. What a run with -run left out stays as it was.
func writePictures(t *testing.T, kept map[string]map[string]string) {
	t.Helper()
	written := map[string]*txtar.Archive{}
	for _, p := range pictures() {
		if written[p.archive()] == nil {
			written[p.archive()] = &txtar.Archive{}
		}
		if text, found := kept[p.archive()][p.name()]; found {
			whole := written[p.archive()]
			whole.Files = append(whole.Files, txtar.File{Name: p.name(), Data: []byte(text)})
		}
	}
	for file, whole := range written {
		data := txtar.Format(whole)
		if again := txtar.Parse(data); len(again.Files) != len(whole.Files) {
			t.Fatalf("%s: a line of a picture reads as the beginning of another picture", file)
		}
		must(t, os.WriteFile(file, data, 0o644))
	}
}

func saysTheSameInEveryThemeAndWithoutColours(b *harness, _ int) {
	want, width := b.console.View(), b.console.frame.Width
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
		for _, name := range []theme.Name{theme.Dark, theme.Light, theme.Contrast} {
			colours := theme.New(profile, name)
			got := b.console.sheet().Render(&colours, width, b.console.frame.Height)
			if got == want {
				b.t.Errorf("in %s there are no colours", name)
			}
			if ansi.Strip(got) != want {
				b.t.Errorf("in %s the text differs", name)
			}
		}
	}
}
