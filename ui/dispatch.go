package ui

import (
	"context"
	"slices"
	"time"

	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// The console is the host of its screens.

// Ask runs a job in a command, and carries out what it returns when that comes back as a message.
func (c *console) Ask(about string, job func(context.Context, Desk) effect) tea.Cmd {
	return c.work.do(about, func(ctx context.Context) tea.Msg {
		if e := job(ctx, c.desk); e != nil {
			return e
		}
		return nil
	})
}

// Scene is what screens know about the world.
func (c *console) Scene() *scene { return &c.scene }

// Stage is what is on the screen.
func (c *console) Stage() *stage { return &c.stage }

// Queue is the screen below all others.
func (c *console) Queue() Queue { return c.queue }

// Packet makes the screen of a packet.
func (c *console) Packet(of openPacket) screen { return newPacketScreen(of, decidePacket) }

// Record makes the screen of a record.
func (c *console) Record(logged *domain.LoggedRecord) screen {
	return newRecordScreen(logged, &c.examination)
}

// then is an effect of the console's own.
type then func() tea.Cmd

func (t then) carryOut(Host) tea.Cmd { return t() }

// Do runs an action on the screen on top, or says why it cannot run.
func (c *console) Do(v verb) tea.Cmd {
	if why := c.obstacle(v); why != "" {
		return say{text: "✗ " + why}.carryOut(c)
	}
	top := c.stage.top()
	switch v {
	case openHelp:
		return c.raise(newMenu("What can be done here", actionsIn(top.place()), c.why))
	case openPalette:
		return c.raise(newMenu("Every action", c.everyAction(), c.why))
	case changeTheme:
		return c.raise(newThemeMenu(c))
	case quitProgram, interrupt:
		return c.quit(false)
	case suspendProgram:
		return tea.Suspend
	case explain:
		return explanation(top, &c.scene).carryOut(c)
	case copyOut:
		return c.raise(&copyMenu{items: copiesOf(top, &c.scene), copy: c.copy})
	case exportLog:
		return c.askWhere()
	case showSummary:
		return c.raise(&card{"This session", c.session.sheet})
	case showBoard:
		if top.place() != inQueue {
			c.stage.over = nil
		}
		return openBoard(c.queue.area, c.queue.queueOf).carryOut(c)
	case showRejected:
		area, _ := c.queue.rejectedArea()
		return filterQueue{area, onlyRejected}.carryOut(c)
	case showContracts:
		return openContracts().carryOut(c)
	case showRecords:
		return openRecords(&c.examination).carryOut(c)
	}
	return apply(top.handle(v, &c.scene), c)
}

func (c *console) raise(over overlay) tea.Cmd { return raise{over}.carryOut(c) }

// obstacle says why an action cannot run now; "" if it can.
func (c *console) obstacle(v verb) string {
	top := c.stage.top()
	for i := range actions {
		if actions[i].verb == v && actions[i].in.has(top.place()) {
			return c.obstacleOn(top, v)
		}
	}
	return "not in the " + placeNames[top.place()]
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

// why says why an action cannot run now; "" if it can. An action of another place is not the one of this place, even if
// the verb is.
func (c *console) why(a *action) string {
	if place := c.stage.top().place(); !a.in.has(place) {
		return "not in the " + placeNames[place]
	}
	return c.obstacle(a.verb)
}

// everyAction lists the whole table, each action once by its name, those that can run now first.
func (c *console) everyAction() []*action {
	var all []*action
	seen := map[string]bool{}
	for i := range actions {
		a := &actions[i]
		if !seen[a.label+a.meaning] {
			seen[a.label+a.meaning] = true
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b *action) int { return min(len(c.why(a)), 1) - min(len(c.why(b)), 1) })
	return all
}

// quit ends the program, after a question where a decision would be left.
func (c *console) quit(sure bool) tea.Cmd {
	ask := func(text string) tea.Cmd {
		return c.raise(&question{title: "Leave docket?", text: text, yes: "leave", no: "stay", answer: then(func() tea.Cmd { return c.quit(true) })})
	}
	if d := c.decision(); d != nil && d.touched() && !sure {
		return ask("The decision you are making is not recorded. It is kept as a draft, and goes on when you decide on the case again.")
	}
	if c.export != nil && !sure {
		return ask("An export is under way. It would be given up, and nothing put into place.")
	}
	c.closing = true
	return tea.Quit
}

// arrived is who sits here, known once the desk has been asked.
type arrived struct {
	reviewer domain.Reviewer
	now      domain.Instant
}

func (arrived) unasked() {}

func (a arrived) arrive(c *console) tea.Cmd {
	c.scene.reviewer, c.scene.ready = a.reviewer, true
	c.scene.pass(a.now)
	c.queue.count(&c.scene)
	return nil
}

// ticked says what time it is.
type ticked struct{ now domain.Instant }

func (ticked) unasked() {}

func (t ticked) arrive(c *console) tea.Cmd {
	c.scene.now = t.now
	cmds := []tea.Cmd{c.tick(), judgeAgain{area: domain.Appeals}.carryOut(c), judgeAgain{area: domain.Amendments}.carryOut(c), readHandIns{}.carryOut(c)}
	if top, is := c.stage.top().(ticker); is && c.recording == nil {
		cmds = append(cmds, apply(top.ticked(t.now), c))
	}
	return tea.Batch(cmds...)
}

// tickEvery is how often the time that is left is drawn anew.
const tickEvery = 20 * time.Second

func (c *console) tick() tea.Cmd {
	if c.every <= 0 {
		return nil
	}
	return c.work.do("telling the time", func(ctx context.Context) tea.Msg {
		timer := time.NewTimer(c.every)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return ticked{c.desk.Now()}
		}
	})
}
