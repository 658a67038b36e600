package records

import (
	stdjson "encoding/json"
	"errors"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// A Receipt is given to a reviewer for a record once it is durable. It holds the place of the
// record in the log, and the size and root of the log at that time.
type Receipt struct {
	RecordID RecordID   `json:"recordId"`
	Sequence int64      `json:"sequence"`          // of the entry in the log, from 0
	At       string     `json:"at"`                // when it came in, by the log's clock: LogTime
	LeafHash terms.Hash `json:"leafHash"`          // RFC 6962 hash of the entry's LeafData
	TreeSize int64      `json:"treeSize"`          // entries in the log with this one
	Root     terms.Hash `json:"root"`              // RFC 6962 root at that size
	Caution  string     `json:"caution,omitempty"` // a warning about a durable record; usually ""
}

// ErrReceipt says that a document is not a receipt as Document writes it.
var ErrReceipt = errors.New("it is not a receipt")

// Document is the receipt as JSON.
func (r *Receipt) Document() []byte {
	text, err := stdjson.Marshal(r)
	if err != nil {
		return nil // its members are words and numbers
	}
	return text
}

var receiptShape = json.NewReader(json.All(
	recordIDOf("recordId", func(r *Receipt) *RecordID { return &r.RecordID }),
	json.CountMember[packets.Reading]("sequence", func(r *Receipt) *int64 { return &r.Sequence }),
	json.NewMember("at", json.Form{Kind: json.FormString}, func(r *Receipt, v json.Value, _ *packets.Reading) *json.Fault {
		_, timed := ParseLogTime(v.Text())
		r.At = v.Text()
		return json.FaultUnless(timed && v.Kind() == json.KindString, v, json.WantString)
	}),
	packets.HashMember("leafHash", func(r *Receipt) *terms.Hash { return &r.LeafHash }),
	json.VersionMember[packets.Reading]("treeSize", func(r *Receipt) *int64 { return &r.TreeSize }),
	packets.HashMember("root", func(r *Receipt) *terms.Hash { return &r.Root }),
)...)

// ReadReceipt reads what Document wrote, without a caution. The error wraps ErrReceipt.
func ReadReceipt(document []byte) (r Receipt, err error) {
	var reader packets.Reader
	root, fault := reader.Parse(document)
	if fault != nil || receiptShape.Read(&r, root, &packets.Reading{}) != nil || string(r.Document()) != string(document) {
		return Receipt{}, ErrReceipt
	}
	return r, nil
}

// A LoggedRecord is a record with its place in the log.
type LoggedRecord struct {
	Receipt      Receipt
	Number       int64 // among the records of the log, from 0
	Record       Enforcement
	SupersededBy RecordID // that took its place; "" while in force, or if the service rejected it
	Unreadable   string   // why the record cannot be read; its other members are zero then
	HandIn       HandIn   // how far it has come on its way to the service
	Revoked      bool     // a revoked key signed it, so that it is not in force
	JudgedAgain  int64    // void: the sequence of the latest since on its revision or later, or 0
	// Advised is what docket advised; absent for amendments and where packets cannot be read.
	Advised     terms.Outcome
	InForceHere bool // Rejected: the record that the rejection names as in force is in this log, too
}

// Departs reports whether the outcome is not the one that docket advised.
func (l *LoggedRecord) Departs() bool {
	return l.Unreadable == "" && l.Record.Members().Outcome != l.Advised
}

// Void reports whether the record is not in force though no record superseded it: the service
// rejected it, or a revoked key signed it. Its packet is to be judged again.
func (l *LoggedRecord) Void() bool { return l.HandIn.State == Rejected || l.Revoked }

// Waits tells whether the record is still to be handed in.
func (l *LoggedRecord) Waits() bool {
	return l.HandIn.State == NotHandedIn && l.Unreadable == "" && !l.Revoked
}

// A Page is a part of the log.
type Page struct {
	Records []LoggedRecord // newest first
	Total   int64          // how many records the log has
}

// A HandInState is how far a console's record came on its way to the service; zero claims nothing.
type HandInState uint8

// The states.
const (
	Kept        HandInState = iota // there is no service; it is kept on this machine
	NotHandedIn                    // the service has not answered for it, as far as this store knows
	Accepted                       // it is in the service's log
	Rejected                       // the service rejected it for good: judge the packet again
)

// A HandIn says how far a console's record has come on its way to the service, and the answer.
type HandIn struct {
	State     HandInState
	By        terms.Instant // NotHandedIn: the deadline; absent without one, and without a service
	At        terms.Instant // when the service answered
	Receipt   Receipt       // Accepted: the service's
	Rejection Rejection     // Rejected
	Changes   []string      // Rejected: what had changed, as the service told
}

// A HandInTally says how a console stands with its service.
type HandInTally struct {
	Service  string        // origin of the service's log; "" for a console that never met one
	Pulled   terms.Instant // when packets were last pulled to the end; absent for never
	Waiting  int64         // records that are not handed in yet; 0 without a service
	By       terms.Instant // by when the first of them has to be; absent where nothing bounds that
	Accepted int64
	Rejected int64   // records that were rejected and are not judged again yet
	Revoked  int64   // of a revoked key, not handed in and not judged again yet
	Setback  Setback // what the service showed last, if it does not extend the known log; else zero
}

// A Verdict is one check's result; the zero value, Unexamined, keeps an omitted check from passing.
type Verdict uint8

const (
	Unexamined Verdict = iota // nobody has looked, or it could not be looked at
	Holds
	Fails
)

// A Check is a verdict with reasons in words: names, codes and numbers, never a packet's value.
type Check struct {
	Verdict Verdict
	Found   []string // what is wrong; empty unless the verdict is Fails
}

// A State is the result of examining a single logged record: whether it is in the log, whether its
// reviewer signed it, and whether its packets, judged again, lead to the same result.
type State struct {
	Sequence  int64
	RecordID  RecordID // under which the log files it; "" if it does not
	Proof     Check    // the record's bytes are the leaf that stands at its place of the log
	Signature Check
	Replay    Check

	// The inclusion proof, absent unless Proof holds: the RFC 6962 audit path from Leaf to Head.
	Leaf terms.Hash
	Path []terms.Hash
	Head LogHead

	Erased []LogStatement // of the texts that it judged, its statement and its note
}

// Verdict is that of all three checks: one that fails counts before one that was not made.
func (s *State) Verdict() Verdict {
	verdict := Holds
	for _, check := range [...]Check{s.Proof, s.Signature, s.Replay} {
		switch {
		case check.Verdict == Fails:
			return Fails
		case check.Verdict == Unexamined:
			verdict = Unexamined
		}
	}
	return verdict
}
