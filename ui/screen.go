package ui

import (
	"time"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
)

// A place is a kind of screen. Actions belong to places.
type place uint8

const (
	inQueue  place = iota
	inFilter       // the queue, while its filter is typed
	inPacket
	inDecision // the steps of a decision
	inBlockers
	inSearch    // its list of blockers, while a search is typed
	inNote      // its private note
	inStatement // its statement of reasons
	inReview    // its last page, where a word is typed
	inReceipt
	inStale
	inRecords
	inRecord
	inBoard
	inContracts
	inContract
	inDifference // what changed between two revisions
	inFindings   // the page that a log opens with of which something was found
	places
)

// placeNames is indexed by place: what the place is called in headings and in help.
var placeNames = [places]string{
	inQueue: "queue", inFilter: "filter", inPacket: "packet", inDecision: "decision", inBlockers: "decision", inSearch: "search",
	inNote: "note", inStatement: "statement", inReview: "review", inReceipt: "receipt", inStale: "changed packet", inRecords: "records",
	inRecord: "record", inBoard: "blockers", inContracts: "contracts", inContract: "contract", inFindings: "findings",
	inDifference: "differences",
}

// A scene is what screens know about the world: who sits here, what time it is, how large the window is.
type scene struct {
	reviewer   domain.Reviewer
	ready      bool   // the reviewer is known, or known not to be there
	blindFirst bool   // what the rules advise is shown once the reviewer has said what they think
	locked     string // why nothing can be recorded, whoever sits here; "" if nothing stands against it
	keyless    string // why the reviewer's signing key cannot be used; "" if it can, or if there is no reviewer
	now        domain.Instant
	service    serviceState
	width      int // of the screen's part of the window
	height     int
	clock      func() time.Time // for how keys follow one another; what is judged goes by now
	exporting  bool             // an export is under way
	covered    bool             // an overlay lies over the screen: what it draws is not seen
	compact    bool             // there is little room: leave out what is only pleasant
	folds      map[string]bool  // which parts of packets the reader last folded, true, or unfolded
}

// whyNotDecide says why this reviewer may not decide on the packet; "" if they may.
func (s *scene) whyNotDecide(d *domain.Dossier) string {
	return decision.WhyNot(d, s.reviewer, s.locked, s.keyless)
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
	// typing is the editor that keys go to as text; nil where keys are actions.
	typing() *editor
	// typed takes a key for the editor.
	typed(p press, s *scene) effect
	// view draws the screen into s.width and s.height and notes what was on it.
	view(s *scene) line.Sheet
}

// A reader is a screen that opens packets.
type reader interface {
	// asked tells it that a request has gone out for it; the request has its ticket.
	asked(r request)
	// awaits tells whether the answer with that ticket is for it, and not given up.
	awaits(ticket int) bool
	// arrived takes the answer.
	arrived(msg opened, s *scene) effect
}

// silent is for screens without an editor.
type silent struct{}

func (silent) typing() *editor              { return nil }
func (silent) typed(press, *scene) effect   { return nil }
func (silent) obstacle(verb, *scene) string { return "" }
