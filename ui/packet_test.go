package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/page"
	"docket/ui/screen/packet"
)

// whole is everything that the packet on top would show in an endless window.
func (b *harness) whole() string {
	b.t.Helper()
	b.send(tea.WindowSizeMsg{Width: b.console.frame.Width, Height: 400})
	return b.frame()
}

// showsSomewhere fails unless the packet on top holds each text, in the window or below it.
func (b *harness) showsSomewhere(texts ...string) {
	b.t.Helper()
	width, height := b.console.frame.Width, b.console.frame.Height
	whole := b.whole()
	b.send(tea.WindowSizeMsg{Width: width, Height: height})
	for _, text := range texts {
		if !strings.Contains(whole, text) {
			b.t.Fatalf("the packet does not show %q:\n%s", text, whole)
		}
	}
}

// toLine moves the cursor of a packet or a list to the row that holds a text.
func (b *harness) toLine(text string) {
	b.t.Helper()
	for range 200 {
		if b.on(text) {
			return
		}
		b.press("j")
	}
	b.t.Fatalf("no row holds %q:\n%s", text, b.frame())
}

// underCursor is the row of the packet on top that the cursor is on, as far as the window shows it.
func (b *harness) underCursor() string {
	var lines []string
	for _, l := range strings.Split(b.frame(), "\n") {
		if row, is := strings.CutPrefix(l, "▌"); is {
			row, _, _ = strings.Cut(row, " │ ")
			lines = append(lines, row)
		}
	}
	return strings.Join(lines, "\n")
}

func TestAPacketShowsEveryBlockerWithItsMeaningAndCure(t *testing.T) {
	for area, id := range map[terms.Area]string{terms.Appeals: "AC-2049", terms.Amendments: "AM-312"} {
		b, _ := sample(t, 100, 24)
		b.goTo(id)
		text := strings.Join(strings.Fields(b.whole()), " ")
		packet := b.console.stage.Top().(*packet.Screen)
		codes := packet.CaseFile.View.Evaluation().Blockers()
		if len(codes) == 0 {
			t.Fatalf("%s has no blocker", id)
		}
		for _, code := range codes {
			rule, _ := rules.RuleFor(area, code)
			for _, part := range []string{code.String(), rule.Meaning, rule.Cure} {
				if !strings.Contains(text, part) {
					t.Errorf("%s does not show %q", id, part)
				}
			}
		}
	}
}

func TestAPacketShowsEveryRowOfItsView(t *testing.T) {
	for _, id := range []string{"AC-2050", "AM-311"} {
		for _, width := range []int{100, 160} {
			b, _ := sample(t, width, 24)
			b.press("open "+id, "Z")
			shown := strings.Join(strings.Fields(strings.ReplaceAll(b.whole(), "│", " ")), "")
			for _, part := range b.console.stage.Top().(*packet.Screen).CaseFile.View.Parts() {
				if !strings.Contains(shown, strings.ReplaceAll(part.Name.Title(), " ", "")) {
					t.Errorf("%s at %d has no heading %q", id, width, part.Name.Title())
				}
				if width >= 160 {
					continue // the columns are interleaved line by line
				}
				for _, row := range part.Rows {
					if row.Label == views.LabelFits {
						continue // said in other words
					}
					if !strings.Contains(shown, strings.ReplaceAll(row.Value, " ", "")) {
						t.Errorf("%s at %d does not show %q of %s", id, width, row.Value, row.Label)
					}
				}
			}
		}
	}
}

// What the page of a packet says stands on the screen, in `docket show`, and is said, in the same words.
func TestARowOfAPacketIsSaidInTheSameWordsInEveryForm(t *testing.T) {
	hash := regexp.MustCompile(`sha256:([0-9a-f]{12})[0-9a-f]{52}`)
	for _, id := range []string{"AC-2041", "AC-2044", "AC-2049", "AM-310", "AM-311", "AM-312"} {
		b, _ := sample(t, 100, 24)
		b.press("open "+id, "Z")
		shown := strings.Join(strings.Fields(b.whole()), " ")
		file := b.console.stage.Top().(*packet.Screen).CaseFile
		reader := page.Reader{Now: b.console.scene.Now, Zone: b.console.scene.Zone}
		parts, whole := page.Packet(file, reader), page.PacketPage(file, reader, nil)
		printed := strings.Join(strings.Fields(whole.TextIn(0)), " ")
		for _, part := range parts {
			for i := range part.Rows {
				row := &part.Rows[i]
				said := strings.ToLower(page.Spoken(row))
				for _, text := range append([]string{row.Label, row.Value}, row.Notes...) {
					text = strings.Join(strings.Fields(text), " ")
					if !strings.Contains(printed, text) && !strings.Contains(strings.ToLower(printed), strings.ToLower(text)) {
						t.Errorf("%s, %s: %q is not printed", id, part.Key, text)
					}
					if !strings.Contains(strings.Join(strings.Fields(said), " "), strings.ToLower(text)) {
						t.Errorf("%s, %s: %q is not said", id, part.Key, text)
					}
					if part.Facts == nil && part.Key != page.Rule && part.Key != page.Needs || row.Label == "no effect on" {
						continue // the screen has its own layout for what leads elsewhere, and counts effects that are ruled out
					}
					if !strings.Contains(shown, text) && !strings.Contains(shown, hash.ReplaceAllString(text, "$1…")) {
						t.Errorf("%s, %s: %q is not on the screen", id, part.Key, text)
					}
				}
			}
		}
	}
}

// bar stands where something was redacted.
const bar = "████████"

func TestSectionsCountAsSeenInTheOrderInWhichTheyWereOnScreen(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041")
	packet := b.console.stage.Top().(*packet.Screen)
	if want := []views.SectionName{views.SectionGate, views.SectionBlockers}; !slices.Equal(packet.Seen, want) {
		t.Fatalf("seen at first: %v", packet.Seen)
	}
	b.press("G")
	if slices.Contains(packet.Seen, views.SectionReview) || packet.Seen[len(packet.Seen)-1] != views.SectionRedactions {
		t.Errorf("seen after jumping to the end: %v", packet.Seen)
	}
	b.press("g", "pgdown")
	if !slices.Contains(packet.Seen, views.SectionReview) || !slices.Contains(packet.Seen, views.SectionStanding) {
		t.Errorf("seen after two pages: %v", packet.Seen)
	}
}

func TestASectionIsSeenOnceItsLastRowIs(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041")
	packet := b.console.stage.Top().(*packet.Screen)
	measured, _ := sample(t, 80, 24)
	measured.press("open AC-2041")
	measured.resize(80, 29) // the largest window without empty lines between the parts
	lines := strings.Split(measured.frame(), "\n")
	last := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "✓ contract version") })
	if last < 0 {
		t.Fatalf("the section is not laid out:\n%s", measured.frame())
	}
	packet.Renewed(nil)
	const below = 2 // lines of the console below a packet
	b.send(tea.WindowSizeMsg{Width: 80, Height: last + below})
	if slices.Contains(packet.Seen, views.SectionItem) || !slices.Contains(packet.Seen, views.SectionGate) {
		t.Errorf("without its last row: %v", packet.Seen)
	}
	b.send(tea.WindowSizeMsg{Width: 80, Height: last + 1 + below})
	if !slices.Contains(packet.Seen, views.SectionItem) {
		t.Errorf("with its last row: %v", packet.Seen)
	}
}

func TestSectionsBehindADialogAreNotSeen(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("hold", "j", "enter", "?", "release")
	packet := b.console.stage.Top().(*packet.Screen)
	if len(packet.Seen) > 0 {
		t.Errorf("seen behind the help: %v", packet.Seen)
	}
	b.press("esc")
	if len(packet.Seen) == 0 {
		t.Error("nothing is seen after the help has gone")
	}
}

func TestWaysThroughAPacket(t *testing.T) {
	walks(t, []walk{
		{"revisions are gone through one by one", nil, 120, 40, way{"open AC-2041", "to held: ",
			"shows revision 2", "shows held: 1 [2]", "]", "shows this is the newest revision held", "[",
			"g", "shows revision 1 of 2", "shows appeal_case_stale", "[", "shows no older revision is held",
			"]", "to held: ", "shows held: 1 [2]"}},
		{"next and previous case follow the queue", nil, 80, 24, way{"enter", "shows AC-2044", ">",
			"shows case AC-2041", "<", "shows case AC-2044", "<", "shows case AC-2046"}},
		{"a packet that cannot be opened says why and is tried again", nil, 80, 24, way{
			"fail the store is locked by another program", "j", "enter",
			"shows It cannot be opened", "shows the store is locked", "d",
			"shows the packet is not open yet", "fail", "R", "shows ✓ PASS"}},
		{"an answer that was given up is ignored", nil, 80, 24, way{"hold", "enter", "esc", "j", "enter",
			"shows Opening the packet …", "release", "shows case AC-2041", "hides AC-2044"}},
		{"the log is listed newest first", nil, 120, 40, way{
			"r", "shows Nothing has been recorded yet", "enter", "esc", "decide", "record",
			"esc", "open AM-310", "d", "review", "record", "esc", "r", "on AM-310"}},
		{"records that cannot be read are said", nil, 120, 40, way{
			"fail the store is locked", "r", "shows The records cannot be read",
			"shows the store is locked", "fail", "decided AC-2041", "damage 0", "R",
			"shows cannot be read: ", "enter", "at records"}},
		{"the policy stands beside the case where there is room", nil, 160, 40, way{
			"open AC-2043", "shows │ The rule for externality remedy gap"}},
		{"the policy does not stand beside the case where there is none", nil, 159, 40, way{
			"open AC-2043", "hides │ The rule for externality remedy gap"}},
		{"sections are jumped to", nil, 80, 24, way{
			"open AC-2049", "J", "J", "J", "shows Reviewed item ─",
			func(b *harness) {
				if top := strings.Split(b.frame(), "\n")[3]; !strings.HasPrefix(top, "▌ ▾ Reviewed item ─") {
					b.t.Errorf("the first line is %q", top)
				}
			},
			"K", "K", "K", "K", "shows ✗ BLOCKED"}},
	})
}

func TestANewViewOfTheSameCaseKeepsTheReadersPlaceButNotTheSectionsSeen(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("open AC-2041", "to ✓ conflict found")
	packet := b.console.stage.Top().(*packet.Screen)
	for _, key := range []string{"R", "["} {
		b.press(key)
		if got := b.underCursor(); !strings.Contains(got, "✓ conflict found") || !strings.Contains(b.frame(), "▌ ✓ conflict found") {
			t.Errorf("after %s the cursor is on %q", key, got)
		}
		if slices.Contains(packet.Seen, views.SectionBlockers) {
			t.Errorf("after %s what is above counts as seen: %v", key, packet.Seen)
		}
	}
	b.press("shows ✗ case AC-2041 revision 1 of 2", ">", "<", "esc", "open AC-2043")
	if got := b.underCursor(); !strings.Contains(got, "✓ PASS") && !strings.Contains(got, "✗ BLOCKED") {
		t.Errorf("another case opens at %q", got)
	}
}

func TestWaysThroughADifference(t *testing.T) {
	walks(t, []walk{
		{"the first revision is compared with the next", nil, 100, 40, way{
			"overtake", "R", "open AC-2041", "[", "[", "=", "shows revision 1 → 2"}},
		{"a single revision has nothing to be compared with", nil, 80, 24, way{
			"open AC-2042", "=", "at packet", "shows ✗ only this revision is held"}},
		{"a revision that cannot be opened for comparing says why", nil, 100, 40, way{
			"overtake", "R", "open AC-2041", "fail the store is locked", "=",
			"shows ✗ Revision 2 cannot be opened: the store is locked", "fail", "[",
			"shows revision 1 → 3", "shows ~ "}},
		{"the pair that is compared is chosen", nil, 100, 40, way{
			"overtake", "R", "open AC-2041", "D", "[", "shows revision 1 → 3", "hides Opening revision",
			"]", "shows revision 2 → 3", "{", "shows revision 2 → 1", "}", "shows revision 2 → 3",
			"[", "shows revision 1 → 3", "{", "shows revision 1 → 2", "hides Opening revision",
			"[", "shows ✗ no other revision is held on that side"}},
		{"a stale page says if the packet cannot be opened", nil, 100, 40, way{"decide",
			func(b *harness) { b.over.Refusing = &records.StaleError{Changes: []string{"revision 3 has arrived"}} },
			"fail the store is locked", "record", "shows ! revision 3 has arrived",
			"shows ✗ The current packet cannot be opened: the store is locked"}},
		{"comparing shows what is advised", nil, 100, 40, way{"open AC-2041", "=", "shows advised"}},
		{"comparing does not reveal advice that is held back", nil, 100, 40, way{
			"blind first", "open AC-2041", "=", "shows revision 1 → 2", "shows remedy gap", "hides advised"}},
	})
}

// Private or masked texts must not come back by comparing: the page shows only contents of the views.
func TestComparingShowsOnlyContentsOfTheViews(t *testing.T) {
	workbench := workbenchtest.New(t)
	for revision, statement := range []string{"", "write to ana@example.org", "call +34 600 123 456"} {
		if statement == "" {
			continue
		}
		record := workbenchtest.Case("AC-1", 24*time.Hour)
		record["revision"] = revision
		record.In("evidenceScope")["statement"] = statement
		workbench.AddUnsealed(terms.AppealCases, record)
	}
	b := newHarness(t, workbench, 100, 60)
	b.press("enter", "=", "at differences", "hides ana@example.org", "hides 600 123")
}

func TestAStalePageShowsTheRecordThatCameInBetween(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	b, other := newHarness(t, workbench, 100, 40), newHarness(t, workbench, 100, 40)
	b.press("decide")
	must(t, workbench.DropDraft(t.Context(), terms.AppealCases, packets.Key{ID: "AC-2041", Number: 2}))
	other.press("decide", "record")
	b.press("record")
	b.at(action.InStale)
	b.press("shows record in force  none → #0", "shows Nothing that a packet shows has changed.")
}
