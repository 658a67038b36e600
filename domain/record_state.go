package domain

// A Verdict is what looking at one side of a record came to. The zero value is Unexamined, so that nothing reads as
// holding that nobody has looked at.
type Verdict uint8

const (
	Unexamined Verdict = iota // nobody has looked, or it could not be looked at
	Holds
	Fails
)

// A Check is a verdict with what was found, in words: names, codes and numbers, never a value of a packet.
type Check struct {
	Verdict Verdict
	Found   []string // what is wrong; empty unless the verdict is Fails
}

// A RecordState is what can be said of a logged record by looking at it alone: that it is in the log, that its reviewer
// signed it, and that its packets, judged again, come to what it says.
type RecordState struct {
	Sequence  int64
	RecordID  RecordID // under which the log files it; "" if it does not
	Proof     Check    // the record's bytes are the leaf that stands at its place of the log
	Signature Check
	Replay    Check

	// The inclusion proof: the RFC 6962 audit path from the record's leaf, hashed anew, up to the root of the log of that
	// size. Absent unless Proof holds.
	Leaf Hash
	Path []Hash
	Head LogHead
}
