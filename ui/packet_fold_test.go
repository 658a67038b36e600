package ui

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/packet"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// foldedParts are the titles of the parts of the packet on top that show their heading only.
func (b *harness) foldedParts() []string {
	b.t.Helper()
	width, height := b.console.frame.Width, b.console.frame.Height
	b.resize(80, 400)
	defer b.resize(width, height)
	var titles []string
	for _, l := range strings.Split(b.frame(), "\n") {
		if title, is := strings.CutPrefix(strings.TrimLeft(l, "▌ "), "▸ "); is {
			title, _, _ = strings.Cut(title, "  ")
			titles = append(titles, title)
		}
	}
	return titles
}

func TestNothingThatBlocksIsFoldedByDefault(t *testing.T) {
	b, _ := sample(t, 80, 24)
	for _, id := range []string{"AC-2041", "AC-2042", "AC-2044", "AC-2049", "AC-2053", "AM-310", "AM-311", "AM-312", "AM-313"} {
		b.goTo(id)
		for _, l := range strings.Split(b.whole(), "\n") {
			if strings.Contains(l, "▸ ") && strings.Contains(l, "  ✗ ") {
				t.Errorf("%s: folded, with rows that block: %s", id, l)
			}
		}
		b.resize(80, 24)
		b.press("esc")
	}
	b.press("open AC-2041")
	if got := b.foldedParts(); !slices.Equal(got, []string{"Artifacts, privacy, scope and codes", "Policy", "Integrity"}) {
		t.Errorf("folded by default: %v", got)
	}
	b.press("esc", "open AC-2053")
	if slices.Contains(b.foldedParts(), "Policy") {
		t.Error("a policy that blocks is folded")
	}
}

func TestAFoldedSectionIsNotSeenUntilItIsUnfolded(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041")
	packet := b.console.stage.Top().(*packet.Screen)
	for range 12 {
		b.press("pgdown")
	}
	for _, name := range []views.SectionName{views.SectionPolicy, views.SectionIntegrity} {
		if slices.Contains(packet.Seen, name) {
			t.Errorf("%s was folded and counts as seen", name)
		}
	}
	if !slices.Contains(packet.Seen, views.SectionRedactions) {
		t.Fatalf("the end was not reached: %v", packet.Seen)
	}
	b.toHeading("Policy")
	b.press("space", "pgdown", "pgdown", "pgdown")
	if !slices.Contains(packet.Seen, views.SectionPolicy) {
		t.Error("unfolded, it does not count as seen")
	}
}

func TestASeenSectionStaysSeenWhenItIsFolded(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041")
	packet := b.console.stage.Top().(*packet.Screen)
	before := slices.Clone(packet.Seen)
	b.press("Z", "Z")
	if !slices.Equal(packet.Seen[:len(before)], before) {
		t.Errorf("seen %v, then %v", before, packet.Seen)
	}
}

// toHeading moves the cursor to the heading of a part.
func (b *harness) toHeading(title string) {
	b.t.Helper()
	b.press("g")
	for range 60 {
		if here := b.underCursor(); strings.HasPrefix(here, " ▾ "+title) || strings.HasPrefix(here, " ▸ "+title) {
			return
		}
		b.press("J")
	}
	b.t.Fatalf("there is no heading %q:\n%s", title, b.frame())
}

func TestAFoldedHeadingSaysHowMuchIsInItAndWhetherItBlocks(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2044")
	b.toHeading("What is said")
	b.press("z")
	b.shows("▸ What is said  8 rows  ✗ 2")
	b.press("z")
	b.shows("▾ What is said ─", "standing")
	b.toHeading("Reviewed item")
	b.press("enter")
	b.shows("▸ Reviewed item  7 rows ─")
}

func TestAFoldIsOfTheSectionUnderTheCursorFromAnyOfItsRows(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "to ✓ standing", "z")
	b.shows("▌ ▸ What is said")
}

func TestTheBannerNeverFolds(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "z", "space")
	b.shows("Evaluated 20")
	if got := b.foldedParts(); len(got) != 3 {
		t.Errorf("folded %v", got)
	}
}

func TestFoldsAreKeptForTheNextCaseButNotOverBlockers(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041")
	b.toHeading("Standing")
	b.press("z")
	b.toHeading("Policy")
	b.press("z", "esc", "open AC-2043")
	if got := b.foldedParts(); !slices.Equal(got, []string{"Standing and notice", "Artifacts, privacy, scope and codes", "Integrity"}) {
		t.Errorf("on the next case folded: %v", got)
	}
	b.press("esc", "open AC-2044")
	if slices.Contains(b.foldedParts(), "Standing and notice") {
		t.Error("a standing that blocks is folded because another one was")
	}
}

func TestTheCursorGoesRowByRowAndStaysInTheWindow(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {20, 8}, {60, 16}} {
		b, _ := sample(t, size[0], size[1])
		b.press("open AM-312", "Z")
		first, before, steps := b.frame(), "", 0
		for ; b.frame() != before && steps < 600; steps++ {
			before = b.frame()
			b.press("j")
			if b.underCursor() == "" {
				t.Fatalf("at %v the cursor left the window, or no line is marked:\n%s", size, b.frame())
			}
		}
		if end := strings.Join(strings.Fields(b.underCursor()), " "); steps == 600 || !strings.Contains(end, "never kept") && !strings.Contains(end, "private members") {
			t.Errorf("at %v the end was not reached in %d steps: %q", size, steps, end)
		}
		for range steps * 2 {
			b.press("k")
		}
		if b.frame() != first {
			t.Errorf("at %v the way back ended at\n%s", size, b.frame())
		}
	}
}

func TestTheCursorKeepsItsRowWhenTheWindowIsAnotherOne(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("open AC-2042", "to ↳ notice_missing")
	for _, size := range [][2]int{{80, 24}, {30, 10}, {200, 60}, {20, 8}} {
		b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if got := b.underCursor(); !strings.Contains(got, "queued") || !strings.Contains(b.frame(), "▌") {
			t.Errorf("at %v the cursor is on %q", size, got)
		}
	}
}

func TestEnterOpensARelatedCaseAndEscComesBackToTheRow(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "to AC-2043 r1", "enter")
	b.shows("case AC-2043 revision 1")
	b.press("esc")
	b.shows("case AC-2041 revision 2", "▌ ✓ AC-2043 r1")
}

func TestEnterOpensARecordAndEscComesBack(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("decide", "record")
	overtake(workbench)
	b.press("esc", "R", "open AC-2041", "to revision 2  in force", "enter")
	b.at(action.InRecord)
	b.shows("standing", "in force")
	b.press("esc")
	b.at(action.InPacket)
	b.press("to recorded: pass, correct record, by rev-marsh")
}

func TestASupersededRecordNamesTheOneThatTookItsPlace(t *testing.T) {
	b, _ := sample(t, 100, 30)
	for range 2 {
		b.press("decide", "record", "esc")
	}
	b.press("open AC-2041", "to superseded by 019cadc6-9a80-7001", "to in force")
}

func TestARecordThatCannotBeReadDoesNotOpen(t *testing.T) {
	workbench := workbenchtest.Sample()
	b := newHarness(t, &workbenchtest.Hostile{Workbench: workbench, Text: "gone"}, 80, 24)
	b.press("open AC-2041", "to cannot be read: gone", "enter")
	b.at(action.InPacket)
	b.shows("✗ this record cannot be read: gone")
}

func TestALongTimelineIsFolded(t *testing.T) {
	c := largePacket(t, 40)
	c.Update(tea.WindowSizeMsg{Width: 80, Height: 4000})
	if frame := ansi.Strip(c.View()); !strings.Contains(frame, "▸ Timeline") {
		t.Errorf("it is not folded:\n%s", frame)
	}
}
