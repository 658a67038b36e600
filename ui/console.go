package ui

import (
	"context"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	queuescreen "docket/ui/screen/queue"
	recordscreen "docket/ui/screen/records"
	"docket/ui/theme"
)

// console is the root model. It owns the screens, routes messages to them, carries out their effects, and draws.
type console struct {
	workbench screen.Workbench
	work      *work
	theme     theme.Theme
	themeName theme.Name                   // what the theme is called
	newTheme  func(theme.Name) theme.Theme // makes a theme for the output
	notice    string
	every     time.Duration // between two looks at the workbench's clock; 0: never

	scene     screen.Scene
	width     int
	height    int
	queue     *queuescreen.Screen
	stage     screen.Stage
	recording *recording     // of a decision that is being recorded: keys wait; nil if none is
	mouse     bool           // the reader wants it
	held      []action.Press // keys that wait for the rows of the filter
	failed    error
	closing   bool
	frame     string
	prove     func(context.Context) ([]Finding, error)
	notes     func(context.Context) (Note, bool)
	proof     proofStage
	found     []Finding // while a decision is being written
	autosave  autosave
	farewell  string // what is said once the terminal is given back

	examination  recordscreen.Examination // what is known of how the records stand
	export       *export                  // under way; nil if none is
	exportFolder string                   // where one goes unless its reader says otherwise
	output       io.Writer                // the terminal, for what is no frame
	multiplexer  multiplexer
}

func newConsole(workbench screen.Workbench, w *work, opts Options) *console {
	c := &console{workbench: workbench, work: w, notice: opts.Notice, prove: opts.Prove, notes: opts.Notes, output: opts.Output,
		multiplexer: multiplexerOf(os.Getenv)}
	c.autosave.Drafts = workbench
	c.queue = queuescreen.New(opts.Area, opts.Order, opts.FilterBook())
	c.stage.Queue = c.queue
	c.scene.Clock = opts.Clock
	if c.scene.Clock == nil {
		c.scene.Clock = time.Now
	}
	if opts.Keyless != "" {
		c.scene.Keyless = opts.Keyless
		c.stage.Show(newKeylessScreen(opts.Keyless))
	}
	if opts.Unwritable != "" {
		c.scene.Locked = opts.Unwritable
		c.stage.Show(newUnwritableScreen(opts.Unwritable))
	}
	if len(opts.Findings) > 0 {
		c.scene.Locked, c.proof = locked, proofFound
		c.stage.Show(newFindingsScreen(opts.Findings))
	}
	c.examination.Begin()
	c.exportFolder, c.mouse = opts.ExportFolder, opts.Mouse
	c.scene.BlindFirst = opts.BlindFirst
	c.newTheme = func(name theme.Name) theme.Theme { return theme.New(theme.TerminalOf(opts.Output), name) }
	c.setTheme(opts.Theme)
	return c
}

// Init asks for everything at once; until it is there, the console says that it is reading.
func (c *console) Init() tea.Cmd {
	return tea.Batch(
		c.job("asking who works here", func(context.Context) answer { return arrived{c.workbench.Reviewer(), c.workbench.Now()} }),
		c.queue.ReadTop(c), screen.ReadHandIns{}.CarryOut(c), c.tick(), c.awaitNote(),
	)
}

// Update takes a message. It draws at once, so that a panic while drawing is met here, too, where the program can still
// be ended in an orderly way.
func (c *console) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if value := recover(); value != nil {
			c.failed, c.closing, c.frame = crash("while showing the "+action.PlaceNames[c.stage.Top().Place()], value), true, ""
			model, cmd = c, tea.Quit
		}
	}()
	began := time.Now()
	cmd = c.take(msg)
	keep := c.keepDraft() // before anything is drawn: what goes wrong there must not take the decision with it
	rows := c.readRows()
	c.frame = c.draw()
	c.work.trace.message(msg, began)
	return c, tea.Batch(cmd, keep, c.fetch(), rows)
}

// View is the frame that Update drew.
func (c *console) View() string { return c.frame }

// An answer is the result of a job of the console's own.
type answer interface {
	arrive(c *console) tea.Cmd
}

// job runs a job of the console's own in a command, and takes its answer when that comes back as a message.
func (c *console) job(about string, job func(context.Context) answer) tea.Cmd {
	return c.work.do(about, func(ctx context.Context) tea.Msg {
		if a := job(ctx); a != nil {
			return a
		}
		return nil
	})
}

// take routes a message: keys to what has the keyboard, and answers to where they are carried out.
func (c *console) take(msg tea.Msg) tea.Cmd {
	if _, comes := msg.(screen.Background); c.stage.Waiting && !comes && isAnswer(msg) {
		c.stage.Say("", false)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.width, c.height = msg.Width, msg.Height
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, p := range action.Presses(msg, c.takesText()) {
			cmds = append(cmds, c.press(p))
		}
		return tea.Batch(cmds...)
	case tea.MouseMsg:
		c.point(msg)
	case tea.ResumeMsg:
		if c.mouse { // the shell has had the terminal
			return tea.EnableMouseCellMotion
		}
	case screen.Effect:
		return msg.CarryOut(c)
	case answer:
		return msg.arrive(c)
	}
	return nil
}

func isAnswer(msg tea.Msg) bool {
	switch msg.(type) {
	case screen.Effect, answer:
		return true
	}
	return false
}

// takesText tells whether keys are text where they go now.
func (c *console) takesText() bool { return c.stage.Overlay == nil && c.stage.Top().Typing() }

// press carries out the action of a key.
func (c *console) press(p action.Press) tea.Cmd {
	switch {
	case c.closing:
		return nil
	case c.recording != nil:
		return c.pressRecording(p)
	case c.tooSmall():
		return c.pressTooSmall(p)
	case c.holds(p):
		c.held = append(c.held, p)
		return nil
	}
	c.stage.Status = ""
	if p.Name == "ctrl+c" {
		return c.Do(action.Interrupt)
	}
	if c.stage.Overlay != nil {
		return screen.Apply(c.stage.Overlay.Press(p), c)
	}
	top := c.stage.Top()
	if a, ok := action.ForKey(top.Place(), p.Name); ok {
		c.scene.Pressed = p.Name
		defer func() { c.scene.Pressed = "" }()
		return c.Do(a.Verb)
	}
	if top.Typing() {
		return screen.Apply(top.Typed(p, &c.scene), c)
	}
	return nil
}

// tooSmall tells whether the window shows no page.
func (c *console) tooSmall() bool { return c.width < leastWidth || c.height < leastHeight }

// pressTooSmall takes a key where no page shows: only those that quit act, and without a question, which nobody could read. A
// decision that was begun is kept as a draft.
func (c *console) pressTooSmall(p action.Press) tea.Cmd {
	a, is := action.ForKey(c.stage.Top().Place(), p.Name)
	if is && (a.Verb == action.Interrupt || a.Verb == action.QuitProgram && c.stage.Overlay == nil) {
		return c.quit(true)
	}
	return nil
}

// holds tells whether a key has to wait for the rows of the filter: it may be meant for one of them.
func (c *console) holds(p action.Press) bool {
	if c.stage.Overlay != nil || c.stage.Top() != screen.Screen(c.queue) || p.Name == "ctrl+c" {
		return false
	}
	return len(c.held) > 0 || c.queue.Holds(p)
}

// release presses the keys that waited for the rows. They are dropped where something else has come up meanwhile.
func (c *console) release() tea.Cmd {
	if c.queue.Filtering() {
		return nil
	}
	held := c.held
	c.held = nil
	if c.stage.Overlay != nil || c.stage.Top() != screen.Screen(c.queue) {
		return nil
	}
	var cmds []tea.Cmd
	for _, p := range held {
		cmds = append(cmds, c.press(p))
	}
	return tea.Batch(cmds...)
}

// readRows updates the rows of the queue to its query, and presses the keys that waited for them. Once the queues
// have been read as a whole, the log is checked.
func (c *console) readRows() tea.Cmd {
	cmds := []tea.Cmd{c.release()}
	for c.queue.FilterAtOnce() {
		cmds = append(cmds, c.release()) // which may change the query again
	}
	cmds = append(cmds, c.queue.FilterRows(c))
	if c.prove != nil && c.queue.Settled() {
		prove := c.prove
		c.prove = nil
		cmds = append(cmds, c.startProof(prove))
	}
	return tea.Batch(cmds...)
}

// fetch asks for what the screen on top shows and does not hold.
func (c *console) fetch() tea.Cmd {
	if f, is := c.stage.Top().(screen.Fetcher); is && !c.closing {
		return f.Fetch(c)
	}
	return nil
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
	if c.stage.Overlay == nil {
		return behind
	}
	box, size := c.stage.Overlay.Box(c.width, c.height-1)
	sheet := line.Over(behind, box, size, c.width, c.height)
	sheet[c.height-1] = c.bottom() // of what has the keyboard
	return sheet
}

// The mouse is off unless the reader wants it: with it, a terminal no longer selects text as it did. It works in the queue
// only, where nothing that it does takes effect beyond the cursor.

// wheelLines is how many lines a turn of the wheel moves.
const wheelLines = 3

// point takes what the mouse does: the wheel moves the cursor, a click puts it on a row.
func (c *console) point(msg tea.MouseMsg) {
	if !c.mouse || c.closing || c.recording != nil || c.tooSmall() || c.stage.Overlay != nil ||
		c.stage.Top() != screen.Screen(c.queue) {
		return
	}
	switch {
	case msg.Button == tea.MouseButtonWheelDown:
		c.queue.Roll(wheelLines)
	case msg.Button == tea.MouseButtonWheelUp:
		c.queue.Roll(-wheelLines)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		c.queue.Click(msg.Y - c.linesAbove())
	}
}

// linesAbove is how many lines of the window stand above the screen's part.
func (c *console) linesAbove() int {
	if c.scene.Compact {
		return 1
	}
	return 3
}
