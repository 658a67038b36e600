package ui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen"
	"docket/ui/screen/decide"
	queuescreen "docket/ui/screen/queue"
	"docket/ui/task"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

const (
	sampleNotice   = "sample docket, nothing here is real"
	sampleGreeting = "Here a neutral reviewer decides appeals."
)

// harness is a console without a terminal: keys go in, commands run at once, and the frame is looked at.
type harness struct {
	t        *testing.T
	console  *console
	clock    time.Time
	quit     bool
	held     []tea.Cmd // commands that wait, while hold is set
	hold     bool
	suspends int
	over     *workbenchtest.Workbench // what it reads from, below what a test puts before it
}

// newHarness starts a console at a workbench, with the default options or those given, and lets it read everything.
func newHarness(t *testing.T, workbench screen.Workbench, width, height int, with ...Options) *harness {
	t.Helper()
	b := startHarness(t, workbench, width, height, with...)
	b.run(b.console.Init())
	return b
}

// startHarness starts a console that has not read anything yet.
func startHarness(t *testing.T, workbench screen.Workbench, width, height int, with ...Options) *harness {
	t.Helper()
	var options Options
	if len(with) > 0 {
		options = with[0]
	}
	b := &harness{t: t, clock: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	if !options.Left.Present() {
		options.Left = terms.InstantOf(b.clock)
	}
	options.Output, options.Notice, options.Clock = &strings.Builder{}, sampleNotice, func() time.Time { return b.clock }
	switch under := workbench.(type) {
	case *workbenchtest.Workbench:
		b.over = under
	case *reads:
		b.over = under.Workbench
	case *slowWorkbench:
		b.over = under.Workbench
	}
	b.console = newConsole(workbench, &work{ctx: context.Background()}, options)
	b.console.scene.Zone = time.FixedZone("CET", 3600)
	b.send(tea.WindowSizeMsg{Width: width, Height: height})
	return b
}

// send delivers a message and runs the commands that follow from it until there are none.
func (b *harness) send(msg tea.Msg) {
	b.t.Helper()
	_, cmd := b.console.Update(msg)
	b.run(cmd)
}

func (b *harness) run(cmd tea.Cmd) {
	b.t.Helper()
	if cmd == nil {
		return
	}
	if b.hold {
		b.held = append(b.held, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			b.run(one)
		}
	case tea.QuitMsg:
		b.quit = true
	case tea.SuspendMsg:
		b.suspends++
	default:
		b.send(msg)
	}
}

// release runs the commands that waited.
func (b *harness) release() {
	b.t.Helper()
	b.hold = false
	held := b.held
	b.held = nil
	for _, cmd := range held {
		b.run(cmd)
	}
}

// keysByName are the keys that a test can press in addition to letters.
var keysByName = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "pgdown": tea.KeyPgDown,
	"pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"ctrl+c": tea.KeyCtrlC, "ctrl+p": tea.KeyCtrlP, "ctrl+r": tea.KeyCtrlR, "ctrl+t": tea.KeyCtrlT, "f1": tea.KeyF1, "f5": tea.KeyF5, "ctrl+z": tea.KeyCtrlZ, "ctrl+_": tea.KeyCtrlUnderscore, "backspace": tea.KeyBackspace, "left": tea.KeyLeft, "right": tea.KeyRight,
	"ctrl+d": tea.KeyCtrlD, "ctrl+j": tea.KeyCtrlJ, "ctrl+o": tea.KeyCtrlO, "ctrl+s": tea.KeyCtrlS, "ctrl+u": tea.KeyCtrlU, "ctrl+f": tea.KeyCtrlF, "ctrl+b": tea.KeyCtrlB,
}

func keyMsg(name string) tea.KeyMsg {
	if kind, ok := keysByName[name]; ok {
		return tea.KeyMsg{Type: kind}
	}
	if name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// key presses a key.
func (b *harness) key(name string) {
	b.t.Helper()
	b.clock = b.clock.Add(time.Second)
	b.send(keyMsg(name))
}

// pass lets time go by and has the console look again.
func (b *harness) pass(workbench interface {
	Pass(by time.Duration)
	Now() terms.Instant
}, by time.Duration) {
	b.t.Helper()
	workbench.Pass(by)
	b.send(screen.Result{Then: task.Clock(0).Tick(workbench.Now())})
}

// paste pastes a text.
func (b *harness) paste(text string) {
	b.t.Helper()
	b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// queue is the screen of the queue.
func (b *harness) queue() *queuescreen.Screen { return b.console.queue }

// frame is what the screen shows, without colours.
func (b *harness) frame() string { return ansi.Strip(b.console.View()) }

// shows fails unless the frame holds each text.
func (b *harness) shows(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if !strings.Contains(b.frame(), text) {
			b.t.Fatalf("the screen does not show %q:\n%s", text, b.frame())
		}
	}
}

// hides fails if the frame holds one of the texts.
func (b *harness) hides(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if strings.Contains(b.frame(), text) {
			b.t.Fatalf("the screen shows %q:\n%s", text, b.frame())
		}
	}
}

// at fails unless the screen on top is of that kind.
func (b *harness) at(want action.Place) {
	b.t.Helper()
	if want == action.InReceipt && b.console.stage.Top().Place() == action.InPacket && b.console.stage.Receipt != nil {
		b.key("v") // it is a line above the next case
	}
	if got := b.console.stage.Top().Place(); got != want {
		b.t.Fatalf("the screen is the %s, not the %s:\n%s", action.PlaceNames[got], action.PlaceNames[want], b.frame())
	}
}

// goTo filters the queue of its area to one case and opens it.
func (b *harness) goTo(id string) {
	b.t.Helper()
	if strings.HasPrefix(id, "AM-") != (b.queue().Area == terms.Amendments) {
		b.press("tab")
	}
	b.press("/", "ctrl+u", "type "+id, "enter", "enter")
	b.at(action.InPacket)
}

// choose goes to an outcome and takes it.
func (b *harness) choose(outcome string) {
	b.t.Helper()
	b.at(action.InDecision)
	b.press("g")
	for range terms.Outcomes.Len() {
		if strings.Contains(b.outcomeHere(), outcome) {
			break
		}
		b.press("j")
	}
	b.press("space", "enter")
}

// outcomeHere is the outcome under the cursor: the chosen one, or the one whose obstacle the console names.
func (b *harness) outcomeHere() string {
	for _, after := range []string{" is not chosen", " may not be chosen"} {
		if here, _, found := strings.Cut(b.console.obstacle(action.Accept), after); found {
			return here
		}
	}
	d := b.console.stage.Top().(*decide.Screen)
	if d.Step() == decision.First {
		return d.Preliminary.Label()
	}
	return d.Outcome.Label()
}

// chooseHere chooses the outcome under the cursor where a step asks for one that is not there yet.
func (b *harness) chooseHere() {
	d, is := b.console.stage.Top().(*decide.Screen)
	if is && (d.Step() == decision.First || d.Step() == decision.Outcome) && !d.Chosen().Present() {
		b.press("space")
	}
}

// toStep goes to a step of the decision: one that asks nothing is reached from the review, by its number.
func (b *harness) toStep(step decision.Step) {
	b.t.Helper()
	if d := b.console.stage.Top().(*decide.Screen); d.Step() != step {
		b.goOn(action.InReview)
		b.key(strconv.Itoa(slices.Index(d.Steps(), step) + 1))
	}
}

// goOn goes on to a page with everything as it is, and with reasons where they are required.
func (b *harness) goOn(to action.Place) {
	b.t.Helper()
	for range 7 {
		if b.console.stage.Top().Place() == to {
			return
		}
		if d, is := b.console.stage.Top().(*decide.Screen); is && d.Place() == action.InStatement && b.console.obstacle(action.Accept) != "" {
			b.press("type the second receipt is missing")
		}
		b.chooseHere()
		b.press("enter")
	}
	b.t.Fatalf("the %s does not come:\n%s", action.PlaceNames[to], b.frame())
}

// readReview pages through the last page until all of it has been on the screen.
func (b *harness) readReview() {
	b.t.Helper()
	b.at(action.InReview)
	for range 200 {
		if b.unshown() == "" {
			b.clock = b.clock.Add(time.Second)
			return
		}
		b.press("pgdown")
	}
	b.t.Fatalf("the last page has no end:\n%s", b.frame())
}

// unshown is the line of the last page that says how much of it has not been on the screen; "" if all has.
func (b *harness) unshown() string {
	for _, l := range strings.Split(b.frame(), "\n") {
		if _, column, beside := strings.Cut(l, " │ "); beside {
			l = column
		}
		if strings.HasPrefix(l, "! ") && strings.Contains(l, " not sho") {
			return l
		}
	}
	return ""
}

func sample(t *testing.T, width, height int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b := over(workbenchtest.Sample)(t, width, height)
	return b, b.over
}

// must fails a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same[V comparable](t testing.TB, about string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, not %v", about, got, want)
	}
}

// numbered begins over so many cases, AC-1001 the most urgent.
func numbered(count int) beginning {
	return over(func(t testing.TB) *workbenchtest.Workbench {
		d := workbenchtest.New(t)
		for i := range count {
			d.Add(terms.AppealCases, workbenchtest.Case(fmt.Sprintf("AC-%d", 1001+i), time.Duration(100+i)*time.Hour), nil)
		}
		return d
	})
}
