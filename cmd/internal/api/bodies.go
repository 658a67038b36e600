package api

import (
	"encoding/json"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// An Enforce is the body of the two enforce routes (source 4.1 and 4.2).
type Enforce struct {
	Record    json.RawMessage `json:"record"`                 // an enforcement record; its canonical form is what is signed
	Signature string          `json:"signature" most:"16384"` // armored SSHSIG of those bytes in records.SignatureNamespace

	PacketSalt packets.Salt       `json:"packetSalt"` // of the record's packetDigest
	Statement  *records.Statement `json:"statement"`  // of reasons; null where the record has none

	// Acknowledged is the answer of the service for the record before a restore lost the record.
	Acknowledged *Enforced `json:"acknowledged,omitempty"`
}

// An Enforced says that the record is in the service's log: status 201 if it was appended now, 200 if it was there before.
type Enforced struct {
	Receipt    records.Receipt `json:"receipt"`                   // of the service's log
	Checkpoint string          `json:"checkpoint" most:"4096"`    // the service's, of exactly the receipt's tree
	ReceivedAt terms.Instant   `json:"receivedAt,omitzero"`       // when it came in, for which it was judged
	Proof      []terms.Hash    `json:"proof,omitempty" most:"64"` // RFC 6962 audit path from the record, the last one, to the root of that tree; empty for the first record
}

// A LogStatement is a statement about the service's log: by its operator, or that the log was restored.
type LogStatement struct {
	Text         string `json:"text"`         // records.LogStatement.Text
	Signature    string `json:"signature"`    // armored SSHSIG of the text in records.LogStatementNamespace
	LogSignature string `json:"logSignature"` // the line of the log's key under the text, as in a note; "" for none
}

// LogStatements is the response of the route of the statements about the log.
type LogStatements struct {
	Statements []LogStatement `json:"statements"` // as in a Page
}

// A Page is the response of the queue route and, without Cursor and More, of the packet route.
type Page struct {
	Packets []json.RawMessage `json:"packets"`          // redacted, as packets.Packet.Document writes them; policies first
	Cursor  string            `json:"cursor,omitempty"` // continues after this page, now or later
	More    bool              `json:"more,omitempty"`   // more packets are available now
	Key     string            `json:"key"`              // of the service's log: "<origin>+<hash>+<base64>"
	// Statements name the operator of the service and lead from its earlier keys to its present key.
	Statements []LogStatement `json:"statements,omitempty"`
	// Keys register and revoke the keys of the caller, in their order, each signed with the key of the service's log.
	Keys []LogStatement `json:"keys,omitempty"`
	// Reassigned are the cases and amendments that the caller could see and that were assigned to another reviewer
	// since the cursor. The new reviewer is not named.
	Reassigned []Reassigned `json:"reassigned,omitempty"`
	// Erasures are the statements about the operator's erasures that the caller may see: those since the cursor, and
	// those about the packets of this page.
	Erasures []LogStatement `json:"erasures,omitempty"`
}

// A Record is an enforcement record of the service's log with what is stored with it.
type Record struct {
	Record       json.RawMessage    `json:"record"`                 // its canonical form is what is signed, and the leaf of the log
	Signature    string             `json:"signature"`              // armored SSHSIG of those bytes in records.SignatureNamespace
	PacketSalt   packets.Salt       `json:"packetSalt,omitempty"`   // of its packetDigest, unless it was erased
	Statement    *records.Statement `json:"statement,omitempty"`    // of reasons, if the record has one that was not erased
	Receipt      records.Receipt    `json:"receipt"`                // of the service's log
	ReceivedAt   terms.Instant      `json:"receivedAt"`             // when it came in
	InForce      bool               `json:"inForce"`                // no record supersedes it, and its key was not revoked before
	SupersededBy records.RecordID   `json:"supersededBy,omitempty"` // the record that supersedes it
	Erasures     []LogStatement     `json:"erasures,omitempty"`     // by which the operator erased the statement or the salt
}

// A RecordFeed is the response of the records route: records in the order of the log.
type RecordFeed struct {
	Records []Record `json:"records"`
	After   string   `json:"after"`          // continues after this page, now or later
	More    bool     `json:"more,omitempty"` // more records are there now
}

// A RecordProof proves that a record is in the service's log as it is now.
type RecordProof struct {
	RecordID   records.RecordID `json:"recordId"`
	Sequence   int64            `json:"sequence"` // of the record, from 0
	LeafHash   terms.Hash       `json:"leafHash"`
	TreeSize   int64            `json:"treeSize"` // of the checkpoint
	Root       terms.Hash       `json:"root"`
	Proof      []terms.Hash     `json:"proof"`      // RFC 6962 audit path from the record to the root
	Checkpoint string           `json:"checkpoint"` // the service's newest
}

// A Reliance says what may be relied on in a case or an amendment now, and which record is in force on its latest revision.
type Reliance struct {
	Table    terms.Table `json:"table"`
	ID       terms.ID    `json:"id"`
	Revision int64       `json:"revision"` // the latest
	Recorded bool        `json:"recorded"` // a record is in force on it
	Gate     terms.Gate  `json:"gate"`     // of the record; blocked without one

	RelianceGate    terms.Gate `json:"relianceGate"`    // judged for the time of the request
	RelianceReasons []string   `json:"relianceReasons"` // records.Reliance

	RecordID   records.RecordID `json:"recordId,omitempty"`
	Outcome    terms.Outcome    `json:"outcome,omitzero"` // appeals: of the record
	RecordedAt terms.Instant    `json:"recordedAt,omitzero"`
}

// A Reassigned is a case or an amendment that is not the caller's any more.
type Reassigned struct {
	Table    terms.Table `json:"table"`
	ID       terms.ID    `json:"id"`
	Revision int64       `json:"revision" least:"1"` // its latest, which the caller may not see
}

// Statements writes statements about a log.
func Statements(list []signed.Statement) (written []LogStatement) {
	for _, s := range list {
		written = append(written, LogStatement{Text: s.Text, Signature: string(s.Signature), LogSignature: string(s.LogSignature)})
	}
	return written
}

// Signed returns the statements in their signed form. They are not verified.
func Signed(list []LogStatement) []signed.Statement {
	read := make([]signed.Statement, len(list))
	for i, s := range list { // what is "" stays nil
		read[i] = signed.Statement{Text: s.Text, Signature: append([]byte(nil), s.Signature...),
			LogSignature: append([]byte(nil), s.LogSignature...)}
	}
	return read
}
