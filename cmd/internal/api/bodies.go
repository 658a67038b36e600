package api

import (
	"encoding/json"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// An Enforce is the body of the two enforce routes (source 4.1 and 4.2).
type Enforce struct {
	Record    json.RawMessage `json:"record"`    // an enforcement record; its canonical form is what is signed
	Signature string          `json:"signature"` // armored SSHSIG of those bytes in records.SignatureNamespace

	PacketSalt packets.Salt       `json:"packetSalt"` // of the record's packetDigest
	Statement  *records.Statement `json:"statement"`  // of reasons; null where the record has none
}

// An Enforced says that the record is in the service's log: status 201 if it was appended now, 200 if it was there before.
type Enforced struct {
	Receipt    records.Receipt `json:"receipt"`    // of the service's log
	Checkpoint string          `json:"checkpoint"` // the service's, of exactly the receipt's tree
}

// A Page is the response of the queue route and, without Cursor and More, of the packet route.
type Page struct {
	Packets []json.RawMessage `json:"packets"`          // redacted, as packets.Packet.Document writes them; policies first
	Cursor  string            `json:"cursor,omitempty"` // continues after this page, now or later
	More    bool              `json:"more,omitempty"`   // more packets are available now
	Key     string            `json:"key"`              // of the service's log: "<origin>+<hash>+<base64>"
}

// A CheckpointSubmission is the body of the checkpoints route: a console's checkpoint, and the proof that it extends the
// checkpoint of OldSize, which the service saw last. The first time OldSize is 0 and the proof is empty.
type CheckpointSubmission struct {
	Checkpoint string       `json:"checkpoint"` // C2SP tlog-checkpoint, signed by the console's log
	Key        string       `json:"key"`        // of that log: "<origin>+<hash>+<base64>"
	OldSize    int64        `json:"oldSize"`
	Proof      []terms.Hash `json:"proof"` // RFC 6962 consistency proof from OldSize to the checkpoint's size
}

// A Cosigned is the response of the checkpoints route.
type Cosigned struct {
	Size        int64  `json:"size"`
	Cosignature string `json:"cosignature"` // one signature line of C2SP tlog-cosignature, with its line end
	Key         string `json:"key"`         // that verifies it
}
