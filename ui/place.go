package ui

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

// A placeSet is a set of places.
type placeSet uint32

func at(list ...place) placeSet {
	var set placeSet
	for _, p := range list {
		set |= 1 << p
	}
	return set
}

func (s placeSet) has(p place) bool { return s&(1<<p) != 0 }

// The groups of places that actions share. In the typing places a letter is text, so only other keys are actions there.
var (
	typing    = at(inFilter, inSearch, inStatement, inNote, inReview)
	writing   = at(inStatement, inNote)
	deciding  = at(inDecision, inBlockers)
	choosing  = at(inQueue, inRecords, inBoard, inContracts) | deciding
	reading   = at(inPacket, inRecord, inReceipt, inStale, inDifference, inFindings, inContract)
	browsing  = choosing | reading
	anywhere  = browsing | typing
	explained = choosing | at(inPacket, inRecord, inStale, inDifference)
	withIDs   = at(inQueue, inPacket, inRecords, inRecord, inReceipt, inStale, inDifference)
	withQueue = at(inQueue, inPacket, inRecords, inRecord, inBoard)
)
