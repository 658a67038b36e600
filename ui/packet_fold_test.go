package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/frame"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/packet"
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
		b.press("size 80x24", "esc")
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
	b.press("12 pgdown")
	for _, name := range []views.SectionName{views.SectionPolicy, views.SectionIntegrity} {
		if slices.Contains(packet.Seen, name) {
			t.Errorf("%s was folded and counts as seen", name)
		}
	}
	if !slices.Contains(packet.Seen, views.SectionRedactions) {
		t.Fatalf("the end was not reached: %v", packet.Seen)
	}
	b.press("heading Policy", "space", "pgdown", "pgdown", "pgdown")
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

func TestWaysThroughFoldsAndTheTimeline(t *testing.T) {
	walks(t, []walk{
		{"a folded heading says how much is in it and whether it blocks", nil, 80, 24, way{
			"open AC-2044", "heading What is said", "z", "shows ▸ What is said  6 rows  ✗ 2",
			"z", "shows ▾ What is said ─", "shows standing", "heading Reviewed item", "enter",
			"shows ▸ Reviewed item  7 rows ─"}},
		{"a fold is of the section under the cursor from any of its rows", nil, 80, 24, way{
			"open AC-2041", "to ✓ standing", "z", "shows ▌ ▸ What is said"}},
		{"Enter opens a related case and esc comes back to the row", nil, 80, 24, way{
			"open AC-2041", "to AC-2043 r1", "enter", "shows case AC-2043 revision 1",
			"esc", "shows case AC-2041 revision 2", "shows ▌ ✓ AC-2043 r1"}},
		{"Enter opens a record and esc comes back", nil, 80, 24, way{"decide", "record", "overtake",
			"esc", "R", "open AC-2041", "to revision 2  in force", "enter", "at record", "shows standing",
			"shows in force", "esc", "at packet", "to recorded: pass, correct record, by rev-marsh"}},
		{"a section that was unfolded on the way stays folded on other packets", nil, 80, 24, way{
			"overtake", "R", "open AC-2041", "event start of the policy", "enter", "esc",
			"open AC-2043", "G", "shows ▸ Policy"}},
		{"Enter on the arrival of another revision opens that", nil, 80, 24, way{
			"overtake", "R", "open AC-2041", "event revision 1 imported", "enter",
			"at packet", "shows case AC-2041 revision 1"}},
		{"Enter on the arrival of the revision in view shows its changes", nil, 80, 24, way{
			"overtake", "R", "open AC-2041", "event revision 3 imported", "enter",
			"at differences", "shows revision 2 → 3"}},
		{"Enter on a decision opens its record", nil, 80, 24, way{"decide", "record", "esc", "R",
			"open AC-2041", "event recorded: pass, correct record, by rev-marsh", "enter", "at record"}},
		{"the banner never folds", nil, 80, 24, way{"open AC-2041", "z", "space", "shows Evaluated 20",
			func(b *harness) { same(b.t, "folded parts", len(b.foldedParts()), 3) }}},
		{"a superseded record names the one that took its place", nil, 100, 30, way{"decide", "record", "esc",
			"decide", "record", "esc", "open AC-2041", "to superseded by #1", "to in force"}},
	})
}

func TestFoldsAreKeptForTheNextCaseButNotOverBlockers(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "heading Standing", "z", "heading Policy", "z", "esc", "open AC-2043")
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

func TestARecordThatCannotBeReadDoesNotOpen(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	b := newHarness(t, &workbenchtest.Hostile{Workbench: workbench, Text: "gone"}, 80, 24)
	b.press("open AC-2041", "to cannot be read: gone", "enter", "at packet",
		"shows ✗ this record cannot be read: gone")
}

func TestALongTimelineIsFolded(t *testing.T) {
	c := largePacket(t, 40)
	c.Update(tea.WindowSizeMsg{Width: 80, Height: 4000})
	if frame := ansi.Strip(c.View()); !strings.Contains(frame, "▸ Timeline") {
		t.Errorf("it is not folded:\n%s", frame)
	}
}

// onEvent is a packet with the cursor on the event of its timeline that holds the text.
func onEvent(t *testing.T, id, text string) *harness {
	t.Helper()
	b, _ := sample(t, 80, 24)
	b.press("overtake", "R", "open "+id)
	b.toEvent(text)
	return b
}

// toEvent goes to an event of the timeline.
func (b *harness) toEvent(text string) {
	b.t.Helper()
	b.press("to Timeline", "to "+text)
	if before, _, _ := strings.Cut(b.whole(), b.underCursor()); !strings.Contains(before, "▾ Timeline") || strings.Contains(before, "▾ Related") {
		b.t.Fatalf("%q is not in the timeline", text)
	}
	b.resize(80, 24)
}

func TestEnterOnAnEventGoesToTheSectionThatStatesIt(t *testing.T) {
	for _, one := range []struct {
		id, on string
		part   views.PartName
	}{
		{"AC-2041", "filed", views.PartStanding}, {"AC-2042", "deadline", views.PartSaid},
		{"AC-2041", "start of the policy", views.PartPolicy}, {"AM-311", "notice delivered", views.PartNotice},
		{"AM-311", "confirmed by party-b", views.PartConfirmations},
		{"AM-311", "expiry of the confirmation", views.PartConfirmations},
		{"AM-311", "policy frozen", views.PartPolicy},
	} {
		b := onEvent(t, one.id, one.on)
		b.press("enter", "at packet")
		if got := b.underCursor(); !strings.HasPrefix(got, " ▾ "+one.part.Title()+" ") {
			t.Errorf("%q goes to %q", one.on, got)
		}
	}
}

func TestEnterOnTheArrivalOfTheOnlyRevisionSaysThatThereIsNoOther(t *testing.T) {
	b := onEvent(t, "AM-311", "revision 1 imported")
	b.press("enter", "at packet")
	if !strings.Contains(b.console.stage.Status, "no other is held to compare it with") {
		t.Errorf("%q", b.console.stage.Status)
	}
}

// After any keys on a packet and the screens that it opens, in any window, the frame fits, and a packet that shows has its cursor
// in the window.
func TestAnyKeysInAnyWindowLeaveAPacketWhole(t *testing.T) {
	t.Parallel()
	keys := rapid.SampledFrom([]string{"j", "j", "j", "k", "k", "J", "K", "z", "Z", "space", "pgdown", "pgup", "g", "G", "enter", "t", "tab", "y",
		"=", "[", "]", "{", "}", "esc", "R", "up", "down"})
	ids := []terms.ID{"AC-2041", "AC-2042", "AC-2044", "AC-2049", "AC-2050"}
	rapid.Check(t, func(rt *rapid.T) {
		b, _ := sample(t, 80, 24)
		b.goTo(string(rapid.SampledFrom(ids).Draw(rt, "id")))
		var pressed []string
		for range rapid.IntRange(1, 40).Draw(rt, "presses") {
			if rapid.IntRange(0, 7).Draw(rt, "resize") == 0 {
				b.send(tea.WindowSizeMsg{Width: rapid.IntRange(frame.LeastWidth, 150).Draw(rt, "width"), Height: rapid.IntRange(frame.LeastHeight, 50).Draw(rt, "height")})
			}
			key := keys.Draw(rt, "key")
			pressed = append(pressed, key)
			b.press(key)
			b.fits("packet")
			if packet, is := b.console.stage.Top().(*packet.Screen); is && packet.CaseFile != nil && b.console.stage.Overlay == nil && !strings.Contains(b.frame(), "▌") {
				rt.Fatalf("after %q at %dx%d the cursor is not in the window:\n%s", pressed, b.console.frame.Width, b.console.frame.Height, b.frame())
			}
		}
	})
}

func TestASearchFindsFoldedTextAndGoesFromMatchToMatch(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "n", "shows no search yet; / begins one", "/", "at finding",
		"type effective from", "shows 1 match", "enter", "at packet", "shows ▾ Policy",
		"shows 1 of 1 match", "on effective from", "g", "/", "ctrl+u", "type CONFLICT", "enter", "n")
	first := b.underCursor()
	b.press("n", "N")
	if got := b.underCursor(); got != first || !strings.Contains(strings.ToLower(got), "conflict") {
		t.Errorf("forth and back: %q, then %q", first, got)
	}
}

func TestWaysThroughALongPacket(t *testing.T) {
	walks(t, []walk{
		{"a dropped search goes back to where it began", nil, 80, 24, way{"open AC-2041",
			"to ✓ standing", "/", "type recomputed", "esc", "on ✓ standing", "/", "type no such text",
			"shows 0 matches", "enter", "shows nothing in this packet matches"}},
		{"a long list shows its count and the first twenty until it is unfolded", items(300), 120, 40, way{
			"to 280 more", "shows 300: item-", "shows Enter shows all 300", "enter",
			"hides 280 more", "to Enter shows the first 20 only", "enter", "shows 280 more"}},
	})
}

// items begins on a case with so many evidence items.
func items(count int) beginning {
	record := workbenchtest.Case("AC-1", 24*time.Hour)
	list := make([]string, count)
	for i := range list {
		list[i] = "item-" + terms.HashOf([]byte{byte(i), byte(i >> 8)}).String()[7:23]
	}
	record.In("evidenceScope")["items"] = list
	return func(t *testing.T, width, height int) *harness {
		t.Helper()
		workbench := workbenchtest.New(t)
		workbench.Add(terms.AppealCases, record, nil)
		b := newHarness(t, workbench, width, height)
		b.press("enter", "at packet")
		return b
	}
}

func TestAKeyInAPacketWithTenThousandItemsIsDrawnWithinAFrame(t *testing.T) {
	b := items(10_000)(t, 120, 40)
	b.press("to 9,980 more", "enter", "g")
	var took []time.Duration
	for i := range 400 {
		key := []string{"j", "j", "j", "pgdown", "k", "pgdown"}[i%6]
		began := time.Now()
		b.console.Update(keyMsg(key))
		took = append(took, time.Since(began))
	}
	if slow := percentile(took, 95); slow > keyBudget {
		t.Errorf("the 95th percentile of a key is %v, more than %v", slow, keyBudget)
	} else {
		t.Logf("the 95th percentile of a key is %v", slow)
	}
}
