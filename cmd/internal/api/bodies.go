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
	// Record is an enforcement record; its canonical form is what is signed.
	Record json.RawMessage `json:"record"`
	// Signature is the armored SSHSIG of those bytes in records.SignatureNamespace.
	Signature string `json:"signature" most:"16384"`

	PacketSalt packets.Salt       `json:"packetSalt"` // of the record's packetDigest
	Statement  *records.Statement `json:"statement"`  // of reasons; null where the record has none

	// Acknowledged is the answer of the service for the record before a restore lost the record.
	Acknowledged *Enforced `json:"acknowledged,omitempty"`
}

// An Enforced says that the record is in the log: status 201 if appended now, 200 if before.
type Enforced struct {
	Receipt    records.Receipt `json:"receipt"`                // of the service's log
	Checkpoint string          `json:"checkpoint" most:"4096"` // the service's, of the receipt's tree
	ReceivedAt terms.Instant   `json:"receivedAt,omitzero"`    // of arrival, for which it was judged
	// Proof is the RFC 6962 audit path from the record, the last one, to the root of that tree.
	Proof []terms.Hash `json:"proof,omitempty" most:"64"`
}

// A LogStatement is a statement about the service's log, by its operator or of a restore.
type LogStatement struct {
	Text         string `json:"text"`         // records.LogStatement.Text
	Signature    string `json:"signature"`    // armored SSHSIG in records.LogStatementNamespace
	LogSignature string `json:"logSignature"` // the line of the log's key, as in a note; "" for none
}

// A Page is the response of the queue route and, without Cursor and More, of the packet route.
type Page struct {
	Packets []json.RawMessage `json:"packets"`          // as packets.Packet.Document; policies first
	Cursor  string            `json:"cursor,omitempty"` // continues after this page, now or later
	More    bool              `json:"more,omitempty"`   // more packets are available now
	Key     string            `json:"key"`              // of the log: "<origin>+<hash>+<base64>"
	// Statements name the operator and lead from the service's earlier keys to its present one.
	Statements []LogStatement `json:"statements,omitempty"`
	// Keys register and revoke the caller's keys, in order, each signed with the key of the log.
	Keys []LogStatement `json:"keys,omitempty"`
	// Reassigned are the cases and amendments that the caller could see and that were assigned to
	// another reviewer since the cursor. The new reviewer is not named.
	Reassigned []Reassigned `json:"reassigned,omitempty"`
	// Erasures are the statements about the operator's erasures that the caller may see: those
	// since the cursor, and those about the packets of this page.
	Erasures []LogStatement `json:"erasures,omitempty"`
}

// A Record is an enforcement record of the service's log with what is stored with it.
type Record struct {
	Record       json.RawMessage    `json:"record"`                 // what is signed, and the leaf
	Signature    string             `json:"signature"`              // armored SSHSIG, as in Enforce
	PacketSalt   packets.Salt       `json:"packetSalt,omitempty"`   // of packetDigest, unless erased
	Statement    *records.Statement `json:"statement,omitempty"`    // of reasons, unless erased
	Receipt      records.Receipt    `json:"receipt"`                // of the service's log
	ReceivedAt   terms.Instant      `json:"receivedAt"`             // when it came in
	InForce      bool               `json:"inForce"`                // not superseded, key not revoked
	SupersededBy records.RecordID   `json:"supersededBy,omitempty"` // the record that supersedes it
	Erasures     []LogStatement     `json:"erasures,omitempty"`     // of the statement or the salt
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

// A Reliance says what may be relied on now, and which record is in force on the latest revision.
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
