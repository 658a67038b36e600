package ui

import (
	"docket/domain"

	tea "github.com/charmbracelet/bubbletea"
)

// An effect is what a screen or an overlay wants done that is not its own to do. It says itself how the root carries it
// out, so that none can be forgotten; nil is nothing.
type effect interface {
	// carryOut changes the console; what has to wait goes into the command it returns.
	carryOut(c *console) tea.Cmd
}

type (
	// several are carried out in order.
	several []effect
	// run carries out the action on the screen on top, as if its key had been pressed.
	run struct{ action verb }

	// leave goes back to the screen below.
	leave struct{}
	// home goes back to the queue.
	home struct{}
	// quit ends the program; sure skips the question that is asked while a decision is under way.
	quit struct{ sure bool }
	// suspend hands the terminal back to the shell for a while.
	suspend struct{}

	// show puts a screen on top.
	show struct{ screen screen }
	// raise lays an overlay over the screen; lower takes it away.
	raise struct{ overlay overlay }
	lower struct{}

	// say writes to the status line, until the next key or, if it says what is being waited for, until the answer.
	// alarm shows an error and waits until it has been seen.
	say struct {
		text    string
		waiting bool
	}
	alarm struct{ about, text string }

	// readQueue reads all of the area's docket again; judgeAgain looks for what has changed in it, the ids in any case;
	// readRecords reads the log.
	readQueue  struct{ area domain.Area }
	judgeAgain struct {
		area domain.Area
		ids  []domain.ID
	}
	readRecords struct{}
	// readContracts asks for the contracts.
	readContracts struct{}
	// open reads a packet for the screen on top, which is a reader.
	open struct{ request request }
	// openRecord shows a record.
	openRecord struct{ logged *domain.LoggedRecord }
	// record appends a decision.
	record struct {
		view   *domain.View
		choice domain.Choice
		note   string
	}
	// skip puts a revision aside, or takes that back.
	skip struct {
		table  domain.Table
		key    domain.Key
		reason string
	}
	// begin goes on with the draft of a packet, or begins anew.
	begin struct {
		packet *packetScreen
		anew   bool
	}
	// dropDraft discards what was begun on a revision and on earlier ones.
	dropDraft struct {
		table domain.Table
		key   domain.Key
	}
	// exportInto writes the log as a bundle into a folder; stopExport gives that up.
	exportInto struct{ folder string }
	stopExport struct{}
	// filterQueue shows the area's queue through a filter.
	filterQueue struct {
		area domain.Area
		text string
	}
	// copying puts a text, an id or a hash, on the clipboard; what says what it is.
	copying struct{ what, text string }
	// nextCase opens the packet of the row that follows in the queue's order: the next open one, or the one before.
	nextCase struct {
		after     domain.Key
		backwards bool
	}
)

// A request asks for one packet. ticket tells the answer apart from those of requests that were given up.
type request struct {
	ticket   int
	table    domain.Table
	id       domain.ID
	revision int64 // 0: the latest
}
