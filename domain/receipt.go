package domain

// A Receipt is what a reviewer gets for a record once it is durable: where it stands in the log and what the log was
// then.
type Receipt struct {
	RecordID RecordID `json:"recordId"`
	Sequence int64    `json:"sequence"` // of the record in the log, from 0
	LeafHash Hash     `json:"leafHash"` // RFC 6962 hash of the record's canonical bytes
	TreeSize int64    `json:"treeSize"` // records in the log with this one
	Root     Hash     `json:"root"`     // RFC 6962 root at that size
	// Caution is what the reviewer has to know although the record is durable; "" as a rule.
	Caution string `json:"caution,omitempty"`
}

// A LoggedRecord is a record with its place in the log.
type LoggedRecord struct {
	Receipt      Receipt
	Record       Enforcement
	SupersededBy RecordID // the record that took its place; "" while it is in force, and of one that the service rejected
	Unreadable   string   // why the record cannot be read; its other members are zero then
	HandIn       HandIn   // how far it has come on its way to the service
	JudgedAgain  int64    // Rejected: the sequence of the last record on the same or a later revision that followed; 0 for none
	InForceHere  bool     // Rejected: the record that the rejection names as in force is in this log, too
}

// A RecordPage is a part of the log.
type RecordPage struct {
	Records []LoggedRecord // newest first
	Total   int64          // how many records the log has
}
