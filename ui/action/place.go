package action

// A Place is a kind of screen. Actions belong to places.
type Place uint8

const (
	InQueue  Place = iota
	InFilter       // the queue, while its filter is typed
	InPacket
	InDecision // the steps of a decision
	InBlockers
	InSearch    // its list of blockers, while a search is typed
	InNote      // its private note
	InStatement // its statement of reasons
	InReview    // its last page, where a word is typed
	InReceipt
	InStale
	InRecords
	InRecord
	InBoard
	InContracts
	InContract
	InDifference // what changed between two revisions
	InReading    // the packet beside a decision
	InFind       // a packet, while a search is typed
	InFindings   // the page that a log with findings opens with
	InStats      // the statistics of a period
	InParties    // the statement of a record to its parties
	Places       // of the full console
)

// InStart is where the plain console is before it lists anything.
const InStart = Places

// PlaceNames is indexed by place: the name of the place in headings and in help.
var PlaceNames = [Places + 1]string{
	InQueue: "queue", InFilter: "filter", InPacket: "packet", InDecision: "decision", InBlockers: "decision", InSearch: "search",
	InNote: "note", InStatement: "statement", InReview: "review", InReceipt: "receipt", InStale: "changed packet", InRecords: "records",
	InRecord: "record", InBoard: "blockers", InContracts: "contracts", InContract: "contract", InFindings: "findings",
	InDifference: "differences", InFind: "search", InReading: "packet of a decision", InStats: "stats",
	InParties: "statement to the parties", InStart: "start",
}

// A PlaceSet is a set of places.
type PlaceSet uint32

func SetOf(list ...Place) PlaceSet {
	var set PlaceSet
	for _, p := range list {
		set |= 1 << p
	}
	return set
}

func (s PlaceSet) Has(p Place) bool { return s&(1<<p) != 0 }

// The groups of places that actions share. In the typing places letters are text.
var (
	Typing    = SetOf(InFilter, InSearch, InFind, InStatement, InNote, InReview)
	Writing   = SetOf(InStatement, InNote)
	deciding  = SetOf(InDecision, InBlockers)
	choosing  = SetOf(InQueue, InRecords, InBoard, InContracts) | deciding
	reading   = SetOf(InPacket, InReading, InRecord, InReceipt, InStale, InDifference, InFindings, InContract, InStats, InParties)
	Browsing  = choosing | reading
	Anywhere  = Browsing | Typing
	explained = choosing | SetOf(InPacket, InReading, InRecord, InStale, InDifference)
	withIDs   = SetOf(InQueue, InPacket, InReading, InRecords, InRecord, InReceipt, InStale, InDifference, InParties)
	withQueue = SetOf(InQueue, InPacket, InRecords, InRecord, InBoard, InStats)
)
