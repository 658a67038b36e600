package ui

import (
	"context"
	"io"
	"os"
	"time"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// console is the root model. It owns the screens, routes messages to them, carries out their effects, and draws.
type console struct {
	desk   Desk
	work   *work
	theme  theme.Theme
	worn   theme.Name                   // what the theme is called
	dress  func(theme.Name) theme.Theme // makes a theme for the output
	notice string
	every  time.Duration // between two looks at the desk's clock; 0: never

	scene     scene
	width     int
	height    int
	queue     *queueScreen
	stack     []screen // over the queue; the last one is on top
	overlay   overlay
	status    string
	waiting   bool       // for an answer that ends the status
	recording *recording // of a decision that is being recorded: keys wait; nil if none is
	mouse     bool       // the reader wants it
	held      []press    // keys that wait for the rows of the filter
	tickets   int
	failed    error
	closing   bool
	frame     string
	prove     func(context.Context) ([]Finding, error)
	proof     proofStage
	found     []Finding // while a decision is being written
	autosave  autosave
	session   session
	farewell  string // what is said once the terminal is given back

	examination  examination // what is known of how the records stand
	export       *export     // under way; nil if none is
	exportFolder string      // where one goes unless its reader says otherwise
	output       io.Writer   // the terminal, for what is no frame
	multiplexer  multiplexer
	atOnce       int // how many rows are filtered in the turn of the loop
}

func newConsole(desk Desk, w *work, opts Options) *console {
	c := &console{desk: desk, work: w, notice: opts.Notice, prove: opts.Prove, queue: newQueueScreen(),
		output: opts.Output, multiplexer: multiplexerOf(os.Getenv), atOnce: mostAtOnce}
	c.autosave.Drafts = desk
	c.scene.clock = opts.Clock
	if c.scene.clock == nil {
		c.scene.clock = time.Now
	}
	if opts.Keyless != "" {
		c.scene.keyless = opts.Keyless
		c.stack = append(c.stack, newKeylessScreen(opts.Keyless))
	}
	if opts.Unwritable != "" {
		c.scene.locked = opts.Unwritable
		c.stack = append(c.stack, newUnwritableScreen(opts.Unwritable))
	}
	if len(opts.Findings) > 0 {
		c.scene.locked, c.proof = locked, proofFound
		c.stack = append(c.stack, newFindingsScreen(opts.Findings))
	}
	c.queue.begin(opts)
	c.examination.begin()
	c.exportFolder, c.mouse = opts.ExportFolder, opts.Mouse
	c.scene.blindFirst = opts.BlindFirst
	c.dress = func(name theme.Name) theme.Theme { return theme.New(opts.Output, name) }
	c.wearTheme(opts.Theme)
	return c
}

// Init asks for everything at once; until it is there, the console says that it is reading.
func (c *console) Init() tea.Cmd {
	return tea.Batch(
		c.work.do("asking who works here", c.arrive),
		c.readTop(c.queue.area), c.readHandIns(), c.tick(),
	)
}

// top is the screen that shows.
func (c *console) top() screen {
	if n := len(c.stack); n > 0 {
		return c.stack[n-1]
	}
	return c.queue
}

// Update takes a message. It draws at once, so that a panic while drawing is met here, too, where the program can still
// be ended in an orderly way.
func (c *console) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if value := recover(); value != nil {
			c.failed, c.closing, c.frame = crash("while showing the "+placeNames[c.top().place()], value), true, ""
			model, cmd = c, tea.Quit
		}
	}()
	began := time.Now()
	cmd = c.take(msg)
	keep := c.keepDraft() // before anything is drawn: what goes wrong there must not take the decision with it
	sift := c.sift()
	c.frame = c.draw()
	c.work.trace.message(msg, began)
	return c, tea.Batch(cmd, keep, c.readShownRecords(), c.examineShown(), sift)
}

// View is the frame that Update drew.
func (c *console) View() string { return c.frame }

func (c *console) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.width, c.height = msg.Width, msg.Height
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, p := range presses(msg, c.takesText()) {
			cmds = append(cmds, c.apply(c.press(p)))
		}
		return tea.Batch(cmds...)
	case tea.MouseMsg:
		c.point(msg)
	case tea.ResumeMsg:
		if c.mouse { // the shell has had the terminal
			return tea.EnableMouseCellMotion
		}
	case crashed:
		c.failed, c.closing = msg.err, true
		return tea.Quit
	case ticked:
		c.scene.now = msg.now
		return tea.Batch(c.tick(), c.freshen(domain.Appeals), c.freshen(domain.Amendments), c.readHandIns(), c.judgeAgain(msg.now))
	case arrived:
		c.scene.reviewer, c.scene.now, c.scene.ready = msg.reviewer, later(c.scene.now, msg.now), true
		c.queue.count(&c.scene)
	default:
		return c.answer(msg)
	}
	return nil
}

// takesText tells whether keys are text where they go now.
func (c *console) takesText() bool { return c.overlay == nil && c.top().typing() != nil }

// press finds out what a key means where it was pressed.
func (c *console) press(p press) effect {
	switch {
	case c.closing:
		return nil
	case c.recording != nil:
		return c.pressRecording(p)
	}
	if c.tooSmall() {
		return c.pressUnseen(p)
	}
	if c.holds(p) {
		c.held = append(c.held, p)
		return nil
	}
	c.status = ""
	if p.name == "ctrl+c" {
		return c.do(interrupt)
	}
	if c.overlay != nil {
		return c.overlay.press(p, c)
	}
	screen := c.top()
	if a, ok := actionAt(screen.place(), p.name); ok {
		return c.do(a.verb)
	}
	if screen.typing() != nil {
		return screen.typed(p, &c.scene)
	}
	return nil
}

// tooSmall tells whether the window shows no page.
func (c *console) tooSmall() bool { return c.width < leastWidth || c.height < leastHeight }

// pressUnseen takes a key where no page shows: only those that quit act, and without a question, which nobody could read. A
// decision that was begun is kept as a draft.
func (c *console) pressUnseen(p press) effect {
	a, is := actionAt(c.top().place(), p.name)
	if is && (a.verb == interrupt || a.verb == quitProgram && c.overlay == nil) {
		return quit{sure: true}
	}
	return nil
}

// do runs an action on the screen on top, or says why it cannot run.
func (c *console) do(v verb) effect {
	screen := c.top()
	if why := c.obstacle(v); why != "" {
		return say{text: "✗ " + why}
	}
	switch v {
	case openHelp:
		return raise{newMenu("What can be done here", actionsIn(screen.place()))}
	case openPalette:
		return raise{newMenu("Every action", c.everyAction())}
	case changeTheme:
		return raise{newThemeMenu(c.worn)}
	case quitProgram, interrupt:
		return quit{}
	case suspendProgram:
		return suspend{}
	case explain:
		return explanation(screen, &c.scene)
	case copyOut:
		return copyChooser(screen, &c.scene)
	case showBoard:
		return c.boardEffect()
	case showRejected:
		area, _ := c.queue.rejectedArea()
		return filterQueue{area, onlyRejected}
	case showContracts:
		return several{show{&contractsScreen{}}, readContracts{}}
	case exportLog:
		return c.askWhere()
	case showSummary:
		return raise{&card{"This session", c.session.sheet}}
	case showRecords:
		return several{show{newRecordsScreen(&c.examination)}, readRecords{}}
	}
	return screen.handle(v, &c.scene)
}

// obstacle says why an action cannot run now; "" if it can.
func (c *console) obstacle(v verb) string {
	screen := c.top()
	for i := range actions {
		if actions[i].verb == v && actions[i].in.has(screen.place()) {
			return c.obstacleOn(screen, v)
		}
	}
	return "not in the " + placeNames[screen.place()]
}

// obstacleOn says why an action cannot run on a screen that has it; "" if it can.
func (c *console) obstacleOn(on screen, v verb) string {
	switch why := on.obstacle(v, &c.scene); {
	case why != "":
		return why
	case v == explain && len(topicsOf(on, &c.scene)) == 0:
		return "there is no blocker, trigger or transition here"
	case v == showRejected:
		return c.queue.whyNoneRejected()
	case v == copyOut && len(copiesOf(on, &c.scene)) == 0:
		return "there is no id or hash here to copy"
	}
	return ""
}

func (c *console) boardEffect() effect {
	board := newBoardScreen(c.queue.area, c.queue.queueOf)
	if c.top().place() == inQueue {
		return several{show{board}, readTrend{board.area}}
	}
	return several{home{}, show{board}, readTrend{board.area}}
}

// draw makes the frame for the window.
func (c *console) draw() string {
	if c.closing {
		return ""
	}
	return c.sheet().Render(&c.theme, c.width, c.height)
}

// sheet lays out the frame: the screen with the lines around it, and the overlay over it.
func (c *console) sheet() line.Sheet {
	if c.tooSmall() {
		text := line.Of(theme.Warn, "docket needs a window of at least 20 by 8; ^C leaves.")
		return line.Sheet(text.Wrap(max(c.width, 1), 0)).To(c.height)
	}
	behind := c.framed()
	if c.overlay == nil {
		return behind
	}
	box, size := c.overlay.box(c, c.width, c.height-1)
	sheet := line.Over(behind, box, size, c.width, c.height)
	sheet[c.height-1] = c.bottom() // of what has the keyboard
	return sheet
}
