package plain

// A place is where in the work the reader is. Commands belong to places.
type place uint8

const (
	atStart place = iota
	atQueue
	atPacket
	atReceipt
	atRecords
	atRecord
	atBoard
	inDecision // at a question of a decision
	places
)

// placeNames is indexed by place: what the place is called in help and in prompts.
var placeNames = [places]string{
	atStart: "start", atQueue: "queue", atPacket: "packet", atReceipt: "receipt", atRecords: "records", atRecord: "record",
	atBoard: "blockers board", inDecision: "decision",
}

// numberMeanings is indexed by place: what a number alone means; "" where it means nothing. At a question of a decision
// the question says so itself.
var numberMeanings = [places]string{
	atStart: "run the command of that number", atQueue: "open the packet of that number in the list",
	atPacket: "read the section of that number", atRecords: "read the record of that number in the list",
	atBoard: "list the cases that the blocker of that number holds",
}

// enterMeanings is indexed by place: what Enter alone does.
var enterMeanings = [places]string{
	atStart: "say the commands again", atQueue: "go on to the next page", atPacket: "read the next section",
	atReceipt: "open the next open case", atRecords: "go on to the next page", atRecord: "go back to the records",
	atBoard: "go back to the queue", inDecision: "go on to the next question, where that can be",
}

// A placeSet is a set of places.
type placeSet uint16

func at(list ...place) placeSet {
	var set placeSet
	for _, p := range list {
		set |= 1 << p
	}
	return set
}

func (s placeSet) has(p place) bool { return s&(1<<p) != 0 }

// The groups of places that commands share.
const everywhere placeSet = 1<<places - 1

var browsing = everywhere &^ at(inDecision)
