package ui

import (
	"time"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"

	tea "github.com/charmbracelet/bubbletea"
)

// A scene is what screens know about the world: who sits here, what time it is, how large the window is.
type scene struct {
	reviewer   domain.Reviewer
	ready      bool   // the reviewer is known, or known not to be there
	blindFirst bool   // what the rules advise is shown once the reviewer has said what they think
	locked     string // why nothing can be recorded by anybody; "" if nothing stands against it
	keyless    string // why the reviewer's signing key cannot be used; "" if it can, or if there is no reviewer
	now        domain.Instant
	service    serviceState
	width      int // of the screen's part of the window
	height     int
	clock      func() time.Time // for how keys follow one another; what is judged goes by now
	ticking    bool             // screens may look at the clock by themselves
	stopExport effect           // stops the export that is under way; nil if none is
	covered    bool             // an overlay lies over the screen: what it draws is not seen
	compact    bool             // there is little room: leave out what is only pleasant
	folds      map[string]bool  // which parts of packets the reader last folded, true, or unfolded
}

// pass takes a later time over; the clock on the screen does not run backwards.
func (s *scene) pass(now domain.Instant) {
	if now.Present() && (!s.now.Present() || s.now.Before(now)) {
		s.now = now
	}
}

// readOnly tells whether nothing can be recorded here, as far as is known.
func (s *scene) readOnly() bool {
	return s.locked != "" || s.keyless != "" || s.ready && !s.reviewer.Known()
}

// whyNotDecide says why this reviewer may not decide on a packet; "" if they may.
func (s *scene) whyNotDecide(d *domain.Dossier) string {
	return decision.WhyNot(d, s.reviewer, s.locked, s.keyless)
}

// A serviceState is what was last heard of the service.
type serviceState struct {
	tally   domain.HandInTally
	read    bool   // tally is from the desk
	trouble string // why it could not be read, the last time
}

// A screen shows one thing and takes the keys meant for it. Its methods do no IO and do not wait.
type screen interface {
	place() place
	// title names what is shown, for the heading.
	title(s *scene) line.Line
	// obstacle says why an action of this place cannot run now; "" if it can.
	obstacle(v verb, s *scene) string
	// handle runs an action that has no obstacle; where text is typed, Enter, Esc and the arrows still are actions.
	handle(v verb, s *scene) effect
	// typing tells whether keys are text now.
	typing() bool
	// typed takes a key as text.
	typed(p press, s *scene) effect
	// view draws the screen into s.width and s.height and notes what was on it.
	view(s *scene) line.Sheet
}

// silent is for screens on which nothing is typed and every action can always run.
type silent struct{}

func (silent) typing() bool                 { return false }
func (silent) typed(press, *scene) effect   { return nil }
func (silent) obstacle(verb, *scene) string { return "" }

// A reader is a screen that opens packets.
type reader interface {
	// asked tells it that a request has gone out for it; the request has its ticket.
	asked(r request)
	// awaits tells whether the answer with that ticket is for it, and not given up.
	awaits(ticket int) bool
	// arrived takes the answer.
	arrived(msg opened, s *scene) effect
}

// A fetcher is a screen that shows more than it holds.
type fetcher interface {
	// fetch asks for what was drawn last and is not held; nil if nothing is missing. It is called after every message.
	fetch(h Host) tea.Cmd
}

// A ticker is a screen of which something becomes due.
type ticker interface {
	// ticked does what is due at a time, while the screen is on top.
	ticked(now domain.Instant) effect
}

// A copier is a screen that shows ids or hashes.
type copier interface{ copies(s *scene) []copyItem }

// A copyItem is an id or a hash that can be copied.
type copyItem struct{ what, text string }

// receiptCopies are the ids and hashes of a receipt.
func receiptCopies(r *domain.Receipt) []copyItem {
	return []copyItem{{"record", string(r.RecordID)}, {"leaf hash", r.LeafHash.String()}, {"root", r.Root.String()}}
}

// An overlay lies over a screen and takes all keys until it is lowered.
type overlay interface {
	// press takes one key.
	press(p press) effect
	// box draws the overlay, its frame included, into at most width and height; it returns the width it took.
	box(width, height int) (line.Sheet, int)
	// keys are its most useful ones, for the footer while it has the keyboard.
	keys() []overlayKey
}

// An overlayKey is a key of an overlay, as bubbletea names it, and what it does there, in two words at most.
type overlayKey struct{ key, label string }

// framesPerSecond is how often the terminal can be sent what has changed: a key waits for that, on average half of the
// time between two of them.
const framesPerSecond = 70
