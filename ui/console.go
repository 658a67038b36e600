package ui

import (
	"fmt"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/frame"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/decide"
	"docket/ui/screen/findings"
	queuescreen "docket/ui/screen/queue"
	recordscreen "docket/ui/screen/records"
	"docket/ui/task"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type console struct {
	work    *work
	scene   screen.Scene
	stage   screen.Stage
	frame   frame.Frame
	theme   theme.Theme
	queue   *queuescreen.Screen
	records *recordscreen.Examination

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

func newConsole(workbench screen.Workbench, w *work, opts Options) *console {
	c := &console{work: w, notes: opts.Notes, mouse: opts.Mouse,
		queue: queuescreen.New(opts.Area, opts.Order, opts.Saved), records: recordscreen.NewExamination(),
		clipboard: task.NewClipboard(opts.Output, os.Getenv), editor: task.NewEditor(opts.Output, os.Getenv)}
	c.scene.Stage, c.stage.Queue = &c.stage, c.queue
	c.stage.Host = screen.Host{Workbench: workbench, Run: w.do, Do: c.do, Packet: decide.NewPacket, Record: c.records.Record,
		Append: c.recording.Start, Erase: c.recording.Erase, DropDraft: c.dropDraft}
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

// Init asks for everything, the rows first.
func (c *console) Init() tea.Cmd {
	s := &c.scene
	return tea.Batch(s.ReadReviewer(), then(c.queue.ReadTop(s), s.ReadHandIns()), c.clock.Wait(s), c.notes.Await(s))
}

// then runs a command and, after its message, a second one.
func then(first, next tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		msg := first()
		return tea.BatchMsg{func() tea.Msg { return msg }, next}
	}
}

// Update takes a message and draws at once, so that a panic while drawing is recovered here, too.
func (c *console) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer func() {
		if value := recover(); value != nil {
			c.failed, c.stage.Closing, c.drawn = NewCrash(fmt.Sprintf("while showing the %s",
				action.PlaceNames[c.stage.Top().Place()]), value), true, ""
			model, cmd = c, tea.Quit
		}
	}()
	began := time.Now()
	cmd = c.take(msg)
	c.check.Look(&c.scene)
	save := c.keepDraft() // before drawing: a panic there must not lose the decision
	settle := c.settle()
	var fetch tea.Cmd // what the screen on top shows and does not hold
	if c.drawn = c.draw(); !c.stage.Closing {
		if f, is := c.stage.Top().(screen.Fetcher); is {
			fetch = f.Fetch(&c.scene)
		}
	}
	c.work.trace.message(msg, began)
	return c, tea.Batch(cmd, save, fetch, settle)
}

func (c *console) View() string { return c.drawn }

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
		return c.point(msg)
	case tea.ResumeMsg:
		if c.mouse { // the shell had the terminal
			return tea.EnableMouseCellMotion
		}
	case screen.Result:
		if c.stage.Waiting && !msg.Unasked {
			c.stage.Say("")
		}
		return msg.Then(&c.scene)
	case crashed:
		c.failed = msg.err
		return c.scene.Quit()
	}
	return nil
}

func (c *console) press(p action.Press) tea.Cmd {
	switch {
	case c.stage.Closing:
		return nil
	case c.scene.Recording:
		return c.recording.Press(&c.scene, p)
	case c.frame.Small():
		return pressSmall(c, p)
	case c.ahead.hold(c, p):
		return nil
	}
	return c.act(p)
}

func (c *console) act(p action.Press) tea.Cmd {
	c.stage.Status = ""
	if p.Name == "ctrl+c" {
		return c.do(action.Interrupt)
	}
	if c.stage.Overlay != nil {
		return c.stage.Overlay.Press(p, &c.scene)
	}
	top := c.stage.Top()
	if a, ok := c.scene.Keys.ForKey(top.Place(), p.Name); ok {
		c.scene.Pressed = p.Name
		defer func() { c.scene.Pressed = "" }()
		return c.do(a.Verb)
	}
	if top.Typing() {
		return top.Typed(p, &c.scene)
	}
	return meaningless(c, p.Name)
}

// meaningless says that a key does nothing here, where else it acts, and how to list the others.
func meaningless(c *console, key string) tea.Cmd {
	if key == "" { // a paste
		return nil
	}
	here, elsewhere := c.stage.Top().Place(), ""
	if a, place := c.scene.Keys.Elsewhere(key); a != nil {
		elsewhere = fmt.Sprintf(" (%s in the %s)", a.Label, action.PlaceNames[place])
	}
	return c.scene.Refuse(fmt.Sprintf("%s does nothing here%s; %s lists the keys that do",
		action.KeyLabel(key), elsewhere, c.scene.Key(action.OpenHelp, here)))
}

// pressSmall takes a key where no page shows: only those that quit act, without a question.
func pressSmall(c *console, p action.Press) tea.Cmd {
	a, is := c.scene.Keys.ForKey(c.stage.Top().Place(), p.Name)
	if is && (a.Verb == action.Interrupt || a.Verb == action.QuitProgram && c.stage.Overlay == nil) {
		return c.scene.Quit()
	}
	return nil
}

// settle updates the rows and, once the queues are read as a whole, starts the check of the log.
func (c *console) settle() tea.Cmd {
	cmd := c.queue.Settle(&c.scene, func() tea.Cmd { return c.ahead.release(c) })
	if c.queue.Settled() {
		cmd = tea.Batch(cmd, c.check.Start(&c.scene))
	}
	return cmd
}

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

const wheelLines = 3

// point takes the mouse, off by default: with it a terminal no longer selects text.
func (c *console) point(msg tea.MouseMsg) tea.Cmd {
	if !c.mouse || c.stage.Closing || c.scene.Recording || c.frame.Small() || c.queue.Filtering() {
		return nil
	}
	lines, here := 0, false
	switch {
	case msg.Button == tea.MouseButtonWheelDown:
		lines = wheelLines
	case msg.Button == tea.MouseButtonWheelUp:
		lines = -wheelLines
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		lines, here = c.sheet().RowsTo(msg.Y)
	}
	if here && lines == 0 {
		return c.step(action.Accept, "enter")
	}
	var cmds []tea.Cmd
	for ; lines > 0; lines-- {
		cmds = append(cmds, c.step(action.GoDown, "down"))
	}
	for ; lines < 0; lines++ {
		cmds = append(cmds, c.step(action.GoUp, "up"))
	}
	return tea.Batch(cmds...)
}

// step moves or opens in what has the keyboard, but answers no question.
func (c *console) step(v action.Verb, key string) tea.Cmd {
	switch over := c.stage.Overlay.(type) {
	case nil:
		if v == action.Accept || c.obstacle(v) == "" {
			return c.do(v)
		}
	case *widget.Menu, *widget.Card:
		return over.Press(action.Press{Name: key}, &c.scene)
	}
	return nil
}
