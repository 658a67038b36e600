package store

import (
	"fmt"
	"slices"
	"sync"

	"docket/domain"
)

// A FindingKind is one way in which a store is not what it has to be. There is no zero kind.
type FindingKind uint8

// What may be found. Those up to TreeBroken are found at every opening, the others by Prove.
const (
	ShorterThanAnchor    FindingKind = iota + 1 // the log has fewer records than the anchor vouches for
	Forked                                      // its beginning is not the one that the anchor vouches for
	ForeignOrigin                               // a checkpoint is one of another log
	AnchorMissing                               // no checkpoint is kept outside the store
	AnchorUnreadable                            // the anchor is no checkpoint that this store's key signed
	CheckpointMissing                           // the log has no checkpoint of its present size
	CheckpointUnreadable                        // a checkpoint in the store is not one that its key signed
	CheckpointDiffers                           // a checkpoint says another root than the tree has
	KeyUnusable                                 // the key that signs checkpoints is missing or is another one
	SchemaAltered                               // a table, index or trigger is not as this program makes it
	TailMissing                                 // the tables do not end at the same record
	TreeBroken                                  // hashes of the tree are missing
	StructureDamaged                            // SQLite's own check of the file fails
	RecordAltered                               // a record is not the one that was logged
	RecordUnreadable                            // what was logged is no enforcement record
	HeadDiffers                                 // a record vouches for another beginning of the log
	LeafWithoutRecord                           // there is no record at a place in the log
	RecordWithoutLeaf                           // a record is there that the log does not name
	LeafAltered                                 // a row of the log or its tree does not fit the others
	SignatureMissing                            // a record has no signature
	SignatureAltered                            // a signature is not one of its record by its reviewer's key
	SignerAltered                               // a signer's key is missing, or is not the one it is listed as
	NoteAltered                                 // a private note is not the one that its record vouches for
	ServiceAltered                              // what is kept of the service is not one verifier key
	AnswerAltered                               // what is kept of the service's answer is not what it signed of the record
	AnswerMissing                               // rejections are gone
	PacketUnreadable                            // a packet is not what its own digests say
	PacketsUnsigned                             // the head of the packets is not one that the store signed
	PacketsDiffer                               // packets were edited, added or removed since they came in
	StatementAltered                            // a statement about the log is not signed, or is of another log
	SecondKey                                   // another key than a reviewer's own signs in the reviewer's name
	CosignatureAltered                          // a cosignature is not one of the checkpoint, or not by the key of the others
	ReasonsAltered                              // a statement of reasons is not the one that its record vouches for
	SaltAltered                                 // the salt of a record's packetDigest is missing or is no salt
)

const adviceAccept = "Compare the store with a backup, an export or a receipt; if it has all of their records, run `docket accept anchor`."

// finds says of each kind its code, what was found and what to do about it. The first sentence takes the finding's
// arguments.
var finds = [...]struct{ code, found, advice string }{
	ShorterThanAnchor: {"shorter_than_anchor",
		"The log has %d records, but %d were there when this machine last wrote to it.",
		"Look for the newer file, or for a -wal file left beside another copy, and open that; if there is none, keep this file to read and begin a new store."},
	Forked: {"forked",
		"The log of %d records does not begin with the %d that this machine last saw.",
		"Keep both files, compare them with `docket verify`, and go on with the one whose receipts the reviewers hold."},
	ForeignOrigin: {"foreign_origin",
		"%s is one of another log.",
		"Restore what belongs to this store from a backup."},
	AnchorMissing: {"anchor_missing",
		"No checkpoint of this log is kept on this machine, so nothing tells whether records are missing.",
		adviceAccept},
	AnchorUnreadable: {"anchor_unreadable",
		"The checkpoint that is kept outside the store is none that this store signed: %s.",
		adviceAccept},
	CheckpointMissing: {"checkpoint_missing",
		"There is no checkpoint of the first %d records.",
		"Keep a copy of the file and restore a backup."},
	CheckpointUnreadable: {"checkpoint_unreadable",
		"The checkpoint of %d records is none that this store signed: %s.",
		"Keep a copy of the file and restore a backup."},
	CheckpointDiffers: {"checkpoint_differs",
		"The checkpoint of %d records was signed over other records.",
		"Keep a copy of the file and restore a backup."},
	KeyUnusable: {"key_unusable",
		"The key that signs the checkpoints of this log cannot be used: %s.",
		"Keep a copy of the file and restore a backup."},
	SchemaAltered: {"schema_altered",
		"%s is not as docket makes it.",
		"Somebody changed the tables with another program: keep a copy of the file, run `docket verify`, and restore a backup."},
	TailMissing: {"tail_missing",
		"%s ends at number %d where the log asks for %d.",
		"Keep a copy of the file and restore a backup."},
	TreeBroken: {"tree_broken",
		"The tree over the records cannot be computed: %s.",
		"Keep a copy of the file and restore a backup."},
	StructureDamaged: {"structure_damaged",
		"SQLite finds the file damaged in %d places.",
		"Keep a copy of the file and restore a backup."},
	RecordAltered: {"record_altered",
		"The record is not the one that was logged.",
		"Do not rely on it; restore it from a backup or an export."},
	RecordUnreadable: {"record_unreadable",
		"What was logged is no enforcement record.",
		"Do not rely on it: docket did not write it."},
	HeadDiffers: {"head_differs",
		"The reviewer signed the record on top of another log.",
		"Ask the reviewer for the receipt of the record, and compare the store with a backup or an export."},
	LeafWithoutRecord: {"leaf_without_record",
		"The record is gone.",
		"Restore it from a backup or an export."},
	RecordWithoutLeaf: {"record_without_leaf",
		"There is something in %s that the log does not name.",
		"Do not rely on it: docket did not write it."},
	LeafAltered: {"leaf_altered",
		"%s does not fit the records.",
		"Keep a copy of the file and restore a backup."},
	SignatureMissing: {"signature_missing",
		"The record's signature is gone.",
		"Restore it from a backup or an export."},
	SignatureAltered: {"signature_altered",
		"The record's signature is not one by its reviewer's key.",
		"Do not rely on the record; restore its signature from a backup or an export."},
	SignerAltered: {"signer_altered",
		"What is listed of the key of %s is not what the records say.",
		"Compare it with what `docket identity show` says on the reviewer's machine."},
	ServiceAltered: {"service_altered",
		"The key of the service that the store is bound to is not one that docket kept.",
		"Ask the service's operator for its verifier key, and restore a backup."},
	AnswerAltered: {"answer_altered",
		"The %s that is kept of the service is not one that it signed of this record.",
		"Do not rely on what was recorded on the same revision since; restore a backup, and push again."},
	AnswerMissing: {"answer_missing",
		"Rejections by the service are gone: %d of them.",
		"Restore a backup."},
	CosignatureAltered: {"cosignature_altered",
		"The service's cosignature of %d records is not one of this log.",
		"Restore a backup, and push again."},
	PacketUnreadable: {"packet_unreadable",
		"Row %d of %s is no packet that docket stored: it was damaged or edited.",
		"Keep a copy of the file and restore a backup, or import the packet from its source into a new store."},
	PacketsUnsigned: {"packets_unsigned",
		"What covers the packets is not signed by this store.",
		"Keep a copy of the file and restore a backup."},
	PacketsDiffer: {"packets_differ",
		"Packets of %s are not those that came in: %d are there, and %d were signed for.",
		"Keep a copy of the file and restore a backup, or import the packets from their source into a new store."},
	StatementAltered: {"statement_altered",
		"Statement %d about the log is not signed by whom it names, or is about another log.",
		"Restore a backup."},
	SecondKey: {"second_key",
		"Records in the name of %s are signed by another key than the reviewer's own.",
		"Do not rely on the records of that key; compare both keys with what `docket identity show` says on the reviewer's machine."},
	ReasonsAltered: {"reasons_altered",
		"The statement of reasons is not the one that the record vouches for.",
		"Restore it from a backup or an export; the record itself is not touched by it."},
	SaltAltered: {"salt_altered",
		"The salt of the record's packet digest is missing or cannot be one.",
		"Restore it from a backup or an export; the record itself is not touched by it."},
	NoteAltered: {"note_altered",
		"The private note is not the one that the record vouches for.",
		"Do not rely on the note; the record itself is not touched by it."},
}

// String returns the kind's code.
func (k FindingKind) String() string { return finds[k].code }

// FindingKinds lists all kinds.
func FindingKinds() []FindingKind {
	kinds := make([]FindingKind, 0, len(finds)-1)
	for k := 1; k < len(finds); k++ {
		kinds = append(kinds, FindingKind(k))
	}
	return kinds
}

// A Finding is one thing that is wrong with a store. It holds nothing that a record or packet says.
type Finding struct {
	Kind     FindingKind
	Sequence int64           // of the record in the log; -1 if it is about the store as a whole
	RecordID domain.RecordID // "" if it is about the store as a whole, or the id is not known
	Found    string          // one sentence
	Advice   string          // one sentence
}

// String says which record and what was found.
func (f Finding) String() string {
	switch {
	case f.Sequence < 0:
		return f.Found
	case f.RecordID == "":
		return fmt.Sprintf("Record %d: %s", f.Sequence, f.Found)
	}
	return fmt.Sprintf("Record %d (%s): %s", f.Sequence, f.RecordID, f.Found)
}

// found makes a finding about the store as a whole.
func found(kind FindingKind, args ...any) Finding {
	return Finding{Kind: kind, Sequence: -1, Found: fmt.Sprintf(finds[kind].found, args...), Advice: finds[kind].advice}
}

// foundIn makes a finding about one record.
func foundIn(sequence int64, id domain.RecordID, kind FindingKind, args ...any) Finding {
	f := found(kind, args...)
	f.Sequence, f.RecordID = sequence, id
	return f
}

// mostFindings is how many are kept: after that many the store is no better known by more of them.
const mostFindings = 100

// findings are what has been found in an open store; they only grow.
type findings struct {
	mutex sync.Mutex
	list  []Finding
}

// add keeps those that are not there yet.
func (l *findings) add(more ...Finding) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, f := range more {
		if len(l.list) < mostFindings && !slices.Contains(l.list, f) {
			l.list = append(l.list, f)
		}
	}
}

// full tells whether no more are kept.
func (l *findings) full() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.list) >= mostFindings
}

func (l *findings) all() []Finding {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.list)
}

// Findings lists what is wrong with the store, as far as is known: what was found when it was opened and since, at
// most a hundred. With any, the store is ReadOnly.
func (s *Store) Findings() []Finding { return s.findings.all() }

// checkNoFindings refuses to write to a store with findings.
func (s *Store) checkNoFindings() error {
	if list := s.findings.all(); len(list) > 0 {
		return &Problem{Path: s.path, Kind: ErrTampered, Advice: "run `docket verify`: " + list[0].String()}
	}
	return nil
}
