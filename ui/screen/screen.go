// Package screen is the interface between the console and its screens: the Screen, the Scene that
// it is drawn in, and the Stage, on which it has things done.
//
// A screen takes a key through Handle, changes itself and the Stage, and returns work that has to
// wait as a command. A job of [Stage.Go] asks the Workbench in the background and returns what to
// do on the UI goroutine. Each screen is a package below this one.
//
//	screen.go  Screen, Scene, Overlay, and optional interfaces of a screen
//	host.go    Stage, Host, and the queue as screens use it
//	workbench.go    the Workbench, the only way to anything outside the console
package screen

import (
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
)

// A Scene is the state that screens can see. A copy has the same Stage.
type Scene struct {
	*Stage
	Reviewer   records.Reviewer
	Ready      bool   // the reviewer is known, or known to be absent
	BlindFirst bool   // the advice is shown after the reviewer has given a judgment
	Locked     string // why recording is off; "" if it is on
	Keyless    string // why the signing key cannot be used; "" if it can, or without a reviewer
	Now        terms.Instant
	Left       terms.Instant  // when the reviewer last left the queue: what came in since then is new
	Zone       *time.Location // the reviewer's own; nil: not known
	Service    Service
	Width      int // of the screen's part of the window
	Height     int
	Clock      func() time.Time // for how keys follow one another; what is judged goes by now
	Ticking    bool             // screens may read the clock
	StopExport func()           // stops the export that is under way; nil if none is
	Recording  bool             // a decision is being recorded: only the key that cancels it acts
	LogCheck   LogCheck
	Keys       action.Keymap       // the actions with the reviewer's keys
	Notice     string              // shown on every screen, such as that nothing here is real
	Greeting   string              // above the queue, with three keys to try; "" for none
	Covered    bool                // an overlay covers the screen: its drawing is not seen
	ASCII      bool                // the terminal shows no bars and blocks
	Compact    bool                // there is little room: leave out decoration
	Pressed    string              // the key whose action runs; "" if it was chosen otherwise
	Reading    bool                // the packet is read beside a decision
	Faded      bool                // the keys go to another screen
	Prepared   []decision.Prepared // texts of the reviewer's own for statements of reasons
	Folds      map[string]bool     // which parts of packets the reader last folded, true, or unfolded
}

// A LogCheck is the stage of the check of the whole log, which runs in the background.
type LogCheck uint8

// Stages of that check. The zero one: not requested.
const (
	NotAsked LogCheck = iota
	Checking
	Checked     // every record is as it was logged
	CheckFailed // it could not be finished
	Altered     // the log was changed, rolled back or damaged
	Unanchored  // no checkpoint of it is kept for this user
)

// Found reports whether something was found, so that nothing can be recorded.
func (c LogCheck) Found() bool { return c == Altered || c == Unanchored }

// Pass sets a later time; the clock on the screen does not run backwards.
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

type Service struct {
	Tally   records.HandInTally
	Read    bool   // tally is from the workbench
	Trouble string // why it could not be read, the last time
}

// A Screen shows one thing and takes the keys meant for it. Its methods do no IO and do not wait.
type Screen interface {
	Place() action.Place
	// Title is the heading.
	Title(s *Scene) line.Line
	// Obstacle says why an action of this place cannot run now; "" if it can.
	Obstacle(v action.Verb, s *Scene) string
	// Handle runs an action without an obstacle; in typed text Enter, Esc and arrows still are
	// actions.
	Handle(v action.Verb, s *Scene) Cmd
	// Typing reports whether keys are text now.
	Typing() bool
	// Typed takes a key as text.
	Typed(p action.Press, s *Scene) Cmd
	// View draws the screen into s.Width and s.Height and notes what was on it.
	View(s *Scene) line.Sheet
}

// Silent is for screens without text input on which every action can always run.
type Silent struct{}

func (Silent) Typing() bool                        { return false }
func (Silent) Typed(action.Press, *Scene) Cmd      { return nil }
func (Silent) Obstacle(action.Verb, *Scene) string { return "" }

// A Decider is the screen of a decision. The console keeps its draft and records it.
type Decider interface {
	Screen
	// Touched reports whether the decision holds anything that would be lost with it.
	Touched() bool
	// Draft is the current decision, with its revision.
	Draft() (terms.Table, packets.Key, records.Draft)
	// Ticked does the work due at a time, while the screen is on top.
	Ticked(s *Scene, now terms.Instant) Cmd
	// Answered shows the result of the decision; left is how many other open cases the list has.
	Answered(answer *decision.Answer, receipt records.Receipt, left int, s *Scene) Cmd
}

// A Fetcher is a screen that shows more than it holds.
type Fetcher interface {
	// Fetch, called after every message, asks for what was drawn but is not held; nil if all is.
	Fetch(s *Scene) Cmd
}

// A Copier is a screen that shows ids or hashes.
type Copier interface{ Copies(s *Scene) []CopyItem }

// A CopyItem is an id or a hash that can be copied, or several ids, one a line.
type CopyItem struct{ What, Text string }

func Copy(what, text string) CopyItem { return CopyItem{what, text} }

// ReceiptCopies are the ids and hashes of a receipt.
func ReceiptCopies(r *records.Receipt) []CopyItem {
	return []CopyItem{{"record", string(r.RecordID)}, {"leaf hash", r.LeafHash.String()}, {"root", r.Root.String()}}
}

// An Overlay lies over a screen and takes all keys until it is lowered.
type Overlay interface {
	// Press takes one key.
	Press(p action.Press, s *Scene) Cmd
	// Box draws the overlay and its frame into at most width and height; it returns the width taken.
	Box(width, height int) (line.Sheet, int)
	// Keys are its most useful ones, for the footer while it has the keyboard.
	Keys() []Key
}

// A Key is a key of an overlay, as bubbletea names it, and its action there, in two words at most.
type Key struct{ Key, Label string }

// FramesPerSecond limits how often changes are sent. The first one after a pause does not wait.
const FramesPerSecond = 120
