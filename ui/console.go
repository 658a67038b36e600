package ui

import (
	"fmt"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	domainqueue "docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/frame"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/findings"
	queuescreen "docket/ui/screen/queue"
	recordscreen "docket/ui/screen/records"
	"docket/ui/task"
	"docket/ui/theme"
	"docket/ui/wording"
)

// console is the root model, a router: it passes messages to screens and tasks, and draws.
type console struct {
	workbench screen.Workbench
	work      *work
	scene     screen.Scene
	stage     screen.Stage
	frame     frame.Frame
	theme     theme.Theme
	queue     queueScreen
	records   recordPages

	recording task.Recording
	autosave  decision.Autosave
	saveEvery time.Duration // how long a change of the decision waits for others before it is saved
	saving    bool          // one waits
	check     task.LogCheck
	export    task.Export
	clipboard task.Clipboard
	editor    task.Editor
	notes     task.Notes
	clock     task.Clock

	ahead  typedAhead
	mouse  bool // the reader wants it
	drawn  string
	failed error
}

// A queueScreen is the screen of the queue as the router uses it.
type queueScreen interface {
	screen.Queue
	screen.Pointed
	// Shows is the area that shows.
	Shows() terms.Area
	// QueueOf returns the queue of an area; false while it has not been read as a whole.
	QueueOf(area terms.Area) (*domainqueue.Queue, bool)
	// ReadTop asks for the rows that come first, and then for the rest.
	ReadTop(h screen.Host) tea.Cmd
	// Settle updates the rows to the filter; release presses the keys that waited for them.
	Settle(h screen.Host, release func() tea.Cmd) tea.Cmd
	// Settled reports whether both queues have been read as a whole, or cannot be.
	Settled() bool
	// Rejected lists the cases to judge again, or says why there are none.
	Rejected() (list screen.Effect, why string)
}

// recordPages make the pages of the log.
type recordPages interface {
	// Open shows the records, as soon as they are read.
	Open() screen.Effect
	// Record makes the page of one.
	Record(logged *records.LoggedRecord) screen.Screen
}

func newConsole(workbench screen.Workbench, w *work, opts Options) *console {
	c := &console{workbench: workbench, work: w, notes: opts.Notes, mouse: opts.Mouse,
		queue: queuescreen.New(opts.Area, opts.Order, opts.Saved), records: recordscreen.NewExamination(),
		clipboard: task.NewClipboard(opts.Output, os.Getenv), editor: task.NewEditor(opts.Output, os.Getenv)}
	c.stage.Queue = c.queue
	c.check = task.NewLogCheck(opts.Prove, opts.Met, len(opts.Findings))
	c.autosave.Drafts = workbench
	c.recording = task.Recording{Program: w.ctx, Drafts: &c.autosave, Check: &c.check, Touch: opts.Touch}
	c.export = task.Export{Program: w.ctx, Folder: opts.ExportFolder}
	c.frame.Progress = c.export.Bar
	c.scene.Notice, c.scene.Greeting, c.scene.BlindFirst, c.scene.ASCII = opts.Notice, opts.Greeting, opts.BlindFirst, opts.ASCII
	c.scene.Clock, c.scene.Keys, c.scene.Left, c.scene.Prepared = opts.Clock, opts.Keys, opts.Left, opts.Prepared
	if c.scene.Clock == nil {
		c.scene.Clock = time.Now
	}
	c.openWith(opts)
	c.theme = theme.New(theme.ColoursOf(opts.Output), opts.Theme)
	return c
}

// openWith puts the page on top that says why nothing can be recorded, if there is such a reason.
func (c *console) openWith(opts Options) {
	if opts.Keyless != "" {
		c.scene.Keyless = opts.Keyless
		c.stage.Show(findings.NewKeyless(opts.Keyless))
	}
	if opts.Unwritable != "" {
		c.scene.Locked = opts.Unwritable
		c.stage.Show(findings.NewUnwritable(opts.Unwritable))
	}
	if len(opts.Findings) > 0 {
		c.scene.Locked, c.scene.LogCheck = wording.Locked, screen.Altered
		if findings.Unanchored(opts.Findings) {
			c.scene.Locked, c.scene.LogCheck = wording.Unaccepted, screen.Unanchored
		}
		c.stage.Show(findings.NewLog(opts.Findings))
	}
}

// Init asks for everything, and first for the rows; until it is there, the console says that it is reading.
func (c *console) Init() tea.Cmd {
	return tea.Batch(screen.ReadReviewer{}.CarryOut(c), then(c.queue.ReadTop(c), screen.ReadHandIns{}.CarryOut(c)), c.clock.Wait(c),
		c.notes.Await(c))
}

// then runs a command and, after its message, a second one.
func then(first, next tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		msg := first()
		return tea.BatchMsg{func() tea.Msg { return msg }, next}
	}
}

// Update takes a message. It draws at once, so that a panic while drawing is recovered here, too, where the program can still end in order.
func (c *console) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if value := recover(); value != nil {
			c.failed, c.stage.Closing, c.drawn = NewCrash(fmt.Sprintf("while showing the %s", action.PlaceNames[c.stage.Top().Place()]), value), true, ""
			model, cmd = c, tea.Quit
		}
	}()
	began := time.Now()
	cmd = tea.Batch(c.take(msg), c.check.Look(c))
	save := c.keepDraft() // before drawing: a panic there must not lose the decision
	settle := c.settle()
	c.drawn = c.draw()
	c.work.trace.message(msg, began)
	return c, tea.Batch(cmd, save, c.fetch(), settle)
}

// View is the frame that Update drew.
func (c *console) View() string { return c.drawn }

// take routes a message: keys to what has the keyboard, and effects to where they are carried out.
func (c *console) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.frame.Width, c.frame.Height = msg.Width, msg.Height
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, p := range action.Presses(msg, c.stage.TakesText()) {
			cmds = append(cmds, c.press(p))
		}
		return tea.Batch(cmds...)
	case tea.MouseMsg:
		c.point(msg)
	case tea.ResumeMsg:
		if c.mouse { // the shell had the terminal
			return tea.EnableMouseCellMotion
		}
	case screen.Effect:
		if _, comes := msg.(screen.Background); c.stage.Waiting && !comes {
			c.stage.Say("", false)
		}
		return msg.CarryOut(c)
	case crashed:
		c.failed = msg.err
		return screen.Quit{}.CarryOut(c)
	}
	return nil
}

// press carries out the action of a key.
func (c *console) press(p action.Press) tea.Cmd {
	switch {
	case c.stage.Closing:
		return nil
	case c.scene.Recording:
		return c.recording.Press(c, p)
	case c.frame.Small():
		return pressSmall(c, p)
	case c.ahead.hold(c, p):
		return nil
	}
	return c.act(p)
}

// act carries out the action of a key that need not wait.
func (c *console) act(p action.Press) tea.Cmd {
	c.stage.Status = ""
	if p.Name == "ctrl+c" {
		return c.Do(action.Interrupt)
	}
	if c.stage.Overlay != nil {
		return screen.Apply(c.stage.Overlay.Press(p), c)
	}
	top := c.stage.Top()
	if a, ok := c.scene.Keys.ForKey(top.Place(), p.Name); ok {
		c.scene.Pressed = p.Name
		defer func() { c.scene.Pressed = "" }()
		return c.Do(a.Verb)
	}
	if top.Typing() {
		return screen.Apply(top.Typed(p, &c.scene), c)
	}
	return meaningless(c, p.Name)
}

// meaningless says that a key does nothing here, where else it acts, and which key lists those that
// act here.
func meaningless(c *console, key string) tea.Cmd {
	if key == "" { // a paste
		return nil
	}
	here, elsewhere := c.stage.Top().Place(), ""
	if a, place := c.scene.Keys.Elsewhere(key); a != nil {
		elsewhere = fmt.Sprintf(" (%s in the %s)", a.Label, action.PlaceNames[place])
	}
	return screen.Refused(fmt.Sprintf("%s does nothing in the %s%s; %s lists the keys that do", action.KeyLabel(key),
		action.PlaceNames[here], elsewhere, c.scene.Key(action.OpenHelp, here))).CarryOut(c)
}

// pressSmall takes a key where no page shows: only those that quit act, and without a question, which nobody could read. A
// decision that was begun is kept as a draft.
func pressSmall(c *console, p action.Press) tea.Cmd {
	a, is := c.scene.Keys.ForKey(c.stage.Top().Place(), p.Name)
	if is && (a.Verb == action.Interrupt || a.Verb == action.QuitProgram && c.stage.Overlay == nil) {
		return screen.Quit{}.CarryOut(c)
	}
	return nil
}

// settle updates the rows of the queue. Once the queues have been read as a whole, the log is checked.
func (c *console) settle() tea.Cmd {
	cmd := c.queue.Settle(c, func() tea.Cmd { return c.ahead.release(c) })
	if c.queue.Settled() {
		cmd = tea.Batch(cmd, c.check.Start(c))
	}
	return cmd
}

// fetch asks for what the screen on top shows and does not hold.
func (c *console) fetch() tea.Cmd {
	if f, is := c.stage.Top().(screen.Fetcher); is && !c.stage.Closing {
		return f.Fetch(c)
	}
	return nil
}

// draw makes the frame for the window.
func (c *console) draw() string {
	if c.stage.Closing {
		return ""
	}
	drawn := c.sheet().Render(&c.theme, c.frame.Width, c.frame.Height)
	if c.scene.ASCII {
		return theme.ASCII.Replace(drawn)
	}
	return drawn
}

func (c *console) sheet() line.Sheet { return c.frame.Draw(&c.stage, &c.scene) }

// The mouse is off unless the reader wants it: with it, a terminal no longer selects text as it did. It works only on screens where it moves nothing but the
// cursor.

// wheelLines is how many lines a turn of the wheel moves.
const wheelLines = 3

// point takes what the mouse does: the wheel moves the cursor, a click puts it on a row.
func (c *console) point(msg tea.MouseMsg) {
	on, is := c.stage.Top().(screen.Pointed)
	if !is || !c.mouse || c.stage.Closing || c.scene.Recording || c.frame.Small() || c.stage.Overlay != nil {
		return
	}
	switch {
	case msg.Button == tea.MouseButtonWheelDown:
		on.Roll(wheelLines)
	case msg.Button == tea.MouseButtonWheelUp:
		on.Roll(-wheelLines)
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		on.Click(msg.Y - frame.LinesAbove(&c.stage, &c.scene))
	}
}
