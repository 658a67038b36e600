// Package screen is what the screens of the console and the console itself know of one another: what a Screen is, the Scene
// that it is drawn in, the Host that it asks, and the Effects that it wants carried out.
//
// A screen takes a key through Handle and returns an Effect, which carries itself out at the Host. A job of an effect asks the
// Workbench, and what it returns is an Effect again: nobody has to know all of them. Each screen is a package below this one.
//
//	screen.go  Screen, Scene, Overlay, and what else a screen may be
//	host.go    Host, Stage, and what screens want of the queue
//	effect.go  the effects that several screens want
//	workbench.go    the Workbench, the only way to anything outside of the console
package screen

import (
	"strings"
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/session"

	tea "github.com/charmbracelet/bubbletea"
)

// A Scene is what screens know about the world: who sits here, what time it is, how large the window is.
type Scene struct {
	Reviewer   records.Reviewer
	Ready      bool   // the reviewer is known, or known not to be there
	BlindFirst bool   // what the rules advise is shown once the reviewer has said what they think
	Locked     string // why nothing can be recorded by anybody; "" if nothing stands against it
	Keyless    string // why the reviewer's signing key cannot be used; "" if it can, or if there is no reviewer
	Now        terms.Instant
	Zone       *time.Location // the reviewer's own; nil: not known
	Service    Service
	Session    session.Session // what was done since the console opened
	SessionBar bool            // the session shows in a line of its own, where there is room
	Width      int             // of the screen's part of the window
	Height     int
	Clock      func() time.Time // for how keys follow one another; what is judged goes by now
	Ticking    bool             // screens may look at the clock by themselves
	StopExport Effect           // stops the export that is under way; nil if none is
	Recording  bool             // a decision is being recorded: no key acts but the one that cancels it
	LogCheck   LogCheck
	Keys       action.Keymap   // the actions with the reviewer's keys
	Notice     string          // said on every screen, such as that nothing here is real
	Covered    bool            // an overlay lies over the screen: what it draws is not seen
	ASCII      bool            // the terminal shows no bars and blocks
	Compact    bool            // there is little room: leave out what is only pleasant
	Pressed    string          // the key whose action runs; "" if it was chosen otherwise
	Reading    bool            // the packet is read beside a decision
	Faded      bool            // the keys go to another screen
	Folds      map[string]bool // which parts of packets the reader last folded, true, or unfolded
}

// A LogCheck is how far the check of the whole log has come, which runs in the background.
type LogCheck uint8

// The stages of that check. The zero one: nobody asked for it.
const (
	NotAsked LogCheck = iota
	Checking
	Checked     // every record is as it was logged
	CheckFailed // it could not be finished
	Altered     // the log was changed or rolled back
)

// Pass takes a later time over; the clock on the screen does not run backwards.
func (s *Scene) Pass(now terms.Instant) {
	if now.Present() && (!s.Now.Present() || s.Now.Before(now)) {
		s.Now = now
	}
}

// Key is the key of an action in a place, as it is written in a sentence.
func (s *Scene) Key(v action.Verb, p action.Place) string {
	if key := s.Keys.KeyOf(v, p); key != action.KeyLabel("enter") {
		return key
	}
	return "Enter"
}

// ReadOnly reports whether nothing can be recorded here, as far as is known.
func (s *Scene) ReadOnly() bool {
	return s.Locked != "" || s.Keyless != "" || s.Ready && !s.Reviewer.Known()
}

// WhyNotDecide says why this reviewer may not decide on a packet; "" if they may.
func (s *Scene) WhyNotDecide(d *queue.CaseFile) string {
	return decision.WhyNot(d, s.Reviewer, s.Locked, s.Keyless)
}

// A Service is what was last heard of the service.
type Service struct {
	Tally   records.HandInTally
	Read    bool   // tally is from the workbench
	Trouble string // why it could not be read, the last time
}

// A Screen shows one thing and takes the keys meant for it. Its methods do no IO and do not wait.
type Screen interface {
	Place() action.Place
	// Title names what is shown, for the heading.
	Title(s *Scene) line.Line
	// Obstacle says why an action of this place cannot run now; "" if it can.
	Obstacle(v action.Verb, s *Scene) string
	// Handle runs an action that has no obstacle; where text is typed, Enter, Esc and the arrows still are actions.
	Handle(v action.Verb, s *Scene) Effect
	// Typing reports whether keys are text now.
	Typing() bool
	// Typed takes a key as text.
	Typed(p action.Press, s *Scene) Effect
	// View draws the screen into s.width and s.height and notes what was on it.
	View(s *Scene) line.Sheet
}

// Silent is for screens on which nothing is typed and every action can always run.
type Silent struct{}

func (Silent) Typing() bool                        { return false }
func (Silent) Typed(action.Press, *Scene) Effect   { return nil }
func (Silent) Obstacle(action.Verb, *Scene) string { return "" }

// A reader is a screen that opens packets.
type reader interface {
	// Asked tells it that a request has gone out for it; the request has its ticket.
	Asked(r Request)
	// Awaits reports whether the answer with that ticket is for it, and not given up.
	Awaits(ticket int) bool
	// Arrived takes the answer.
	Arrived(msg Opened, s *Scene) Effect
}

// A Decider is a screen on which a decision is made. The console keeps its draft, records it, and counts it.
type Decider interface {
	Screen
	// Touched reports whether there is anything in the decision that would be lost with it.
	Touched() bool
	// Draft is the decision as it is now, with the revision that it is on.
	Draft() (terms.Table, packets.Key, records.Draft)
	// Summary is what the session counts of the decision.
	Summary() session.Decision
	// Answered shows what became of the decision; left is how many other open cases the list has.
	Answered(answer *decision.Answer, receipt records.Receipt, left int, s *Scene) Effect
}

// A Cased is a screen of a case.
type Cased interface{ Case() session.Case }

// A Fetcher is a screen that shows more than it holds.
type Fetcher interface {
	// Fetch asks for what was drawn last and is not held; nil if nothing is missing. It is called after every message.
	Fetch(h Host) tea.Cmd
}

// A Ticker is a screen with something that becomes due.
type Ticker interface {
	// Ticked does what is due at a time, while the screen is on top.
	Ticked(now terms.Instant) Effect
}

// A Pointed is a screen on which the mouse moves the cursor.
type Pointed interface {
	// Roll moves the cursor by so many lines, up where they are negative.
	Roll(lines int)
	// Click puts the cursor on the row that is drawn on a line of the screen, if there is one.
	Click(at int)
}

// A Stander is a screen that says something lasting in the status line, where nothing else stands there.
type Stander interface {
	Standing(s *Scene, width int) line.Line
}

// A Copier is a screen that shows ids or hashes.
type Copier interface{ Copies(s *Scene) []CopyItem }

// A CopyItem is an id or a hash that can be copied, or several ids, one a line.
type CopyItem struct{ What, Text string }

// Copy is an id or a hash that can be copied, and what it is.
func Copy(what, text string) CopyItem { return CopyItem{what, text} }

// CopyLines are several ids that can be copied at once, and what they are.
func CopyLines(what string, ids []string) CopyItem { return CopyItem{what, strings.Join(ids, "\n")} }

// ReceiptCopies are the ids and hashes of a receipt.
func ReceiptCopies(r *records.Receipt) []CopyItem {
	return []CopyItem{{"record", string(r.RecordID)}, {"leaf hash", r.LeafHash.String()}, {"root", r.Root.String()}}
}

// An Overlay lies over a screen and takes all keys until it is lowered.
type Overlay interface {
	// Press takes one key.
	Press(p action.Press) Effect
	// Box draws the overlay, its frame included, into at most width and height; it returns the width it took.
	Box(width, height int) (line.Sheet, int)
	// Keys are its most useful ones, for the footer while it has the keyboard.
	Keys() []Key
}

// An Key is a key of an overlay, as bubbletea names it, and what it does there, in two words at most.
type Key struct{ Key, Label string }

// FramesPerSecond is how often the terminal is sent what has changed, at most. The first change after a pause does not wait.
const FramesPerSecond = 120
