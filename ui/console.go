package ui

import (
	"context"
	"io"
	"os"
	"time"

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
	stage     stage
	recording *recording // of a decision that is being recorded: keys wait; nil if none is
	mouse     bool       // the reader wants it
	held      []press    // keys that wait for the rows of the filter
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
}

func newConsole(desk Desk, w *work, opts Options) *console {
	c := &console{desk: desk, work: w, notice: opts.Notice, prove: opts.Prove, output: opts.Output, multiplexer: multiplexerOf(os.Getenv)}
	c.autosave.Drafts = desk
	c.queue = newQueueScreen(opts.Area, opts.Order, opts.FilterBook())
	c.stage.bottom = c.queue
	c.scene.clock = opts.Clock
	if c.scene.clock == nil {
		c.scene.clock = time.Now
	}
	if opts.Keyless != "" {
		c.scene.keyless = opts.Keyless
		c.stage.show(newKeylessScreen(opts.Keyless))
	}
	if opts.Unwritable != "" {
		c.scene.locked = opts.Unwritable
		c.stage.show(newUnwritableScreen(opts.Unwritable))
	}
	if len(opts.Findings) > 0 {
		c.scene.locked, c.proof = locked, proofFound
		c.stage.show(newFindingsScreen(opts.Findings))
	}
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
		c.work.do("asking who works here", func(context.Context) tea.Msg { return arrived{c.desk.Reviewer(), c.desk.Now()} }),
		c.queue.readTop(c), readHandIns{}.carryOut(c), c.tick(),
	)
}

// Update takes a message. It draws at once, so that a panic while drawing is met here, too, where the program can still
// be ended in an orderly way.
func (c *console) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if value := recover(); value != nil {
			c.failed, c.closing, c.frame = crash("while showing the "+placeNames[c.stage.top().place()], value), true, ""
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

// An answer is what has become of a job of the console's own.
type answer interface {
	arrive(c *console) tea.Cmd
}

// take routes a message: keys to what has the keyboard, and answers to where they are carried out.
func (c *console) take(msg tea.Msg) tea.Cmd {
	if _, comes := msg.(unasked); c.stage.waiting && !comes && isAnswer(msg) {
		c.stage.say("", false)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.width, c.height = msg.Width, msg.Height
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, p := range presses(msg, c.takesText()) {
			cmds = append(cmds, c.press(p))
		}
		return tea.Batch(cmds...)
	case tea.MouseMsg:
		c.point(msg)
	case tea.ResumeMsg:
		if c.mouse { // the shell has had the terminal
			return tea.EnableMouseCellMotion
		}
	case effect:
		c.session.note(msg, &c.scene)
		return msg.carryOut(c)
	case answer:
		return msg.arrive(c)
	}
	return nil
}

func isAnswer(msg tea.Msg) bool {
	switch msg.(type) {
	case effect, answer:
		return true
	}
	return false
}

// takesText tells whether keys are text where they go now.
func (c *console) takesText() bool { return c.stage.overlay == nil && c.stage.top().typing() }

// press carries out what a key means where it was pressed.
func (c *console) press(p press) tea.Cmd {
	switch {
	case c.closing:
		return nil
	case c.recording != nil:
		return c.pressRecording(p)
	case c.tooSmall():
		return c.pressUnseen(p)
	case c.holds(p):
		c.held = append(c.held, p)
		return nil
	}
	c.stage.status = ""
	if p.name == "ctrl+c" {
		return c.Do(interrupt)
	}
	if c.stage.overlay != nil {
		return apply(c.stage.overlay.press(p), c)
	}
	top := c.stage.top()
	if a, ok := actionAt(top.place(), p.name); ok {
		return c.Do(a.verb)
	}
	if top.typing() {
		return apply(top.typed(p, &c.scene), c)
	}
	return nil
}

// tooSmall tells whether the window shows no page.
func (c *console) tooSmall() bool { return c.width < leastWidth || c.height < leastHeight }

// pressUnseen takes a key where no page shows: only those that quit act, and without a question, which nobody could read. A
// decision that was begun is kept as a draft.
func (c *console) pressUnseen(p press) tea.Cmd {
	a, is := actionAt(c.stage.top().place(), p.name)
	if is && (a.verb == interrupt || a.verb == quitProgram && c.stage.overlay == nil) {
		return c.quit(true)
	}
	return nil
}

// holds tells whether a key has to wait for the rows of the filter: it may be meant for one of them.
func (c *console) holds(p press) bool {
	if c.stage.overlay != nil || c.stage.top() != screen(c.queue) || p.name == "ctrl+c" {
		return false
	}
	return len(c.held) > 0 || c.queue.holds(p)
}

// release presses the keys that waited for the rows. Where something else has come up meanwhile they are not for that.
func (c *console) release() tea.Cmd {
	if c.queue.filtering() {
		return nil
	}
	held := c.held
	c.held = nil
	if c.stage.overlay != nil || c.stage.top() != screen(c.queue) {
		return nil
	}
	var cmds []tea.Cmd
	for _, p := range held {
		cmds = append(cmds, c.press(p))
	}
	return tea.Batch(cmds...)
}

// readRows brings the rows of the queue up to what is wanted, and presses the keys that waited for them. Once the queues
// have been read as a whole, the log is checked.
func (c *console) readRows() tea.Cmd {
	cmds := []tea.Cmd{c.release()}
	for c.queue.siftAtOnce() {
		cmds = append(cmds, c.release()) // which may want something else again
	}
	cmds = append(cmds, c.queue.sift(c))
	if c.prove != nil && c.queue.settled() {
		prove := c.prove
		c.prove = nil
		cmds = append(cmds, c.startProof(prove))
	}
	return tea.Batch(cmds...)
}

// fetch asks for what the screen on top shows and does not hold.
func (c *console) fetch() tea.Cmd {
	if f, is := c.stage.top().(fetcher); is && !c.closing {
		return f.fetch(c)
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
	if c.stage.overlay == nil {
		return behind
	}
	box, size := c.stage.overlay.box(c.width, c.height-1)
	sheet := line.Over(behind, box, size, c.width, c.height)
	sheet[c.height-1] = c.bottom() // of what has the keyboard
	return sheet
}
