package verify

import (
	"fmt"

	"docket/domain"
)

// A Kind is what can be wrong with a log. The zero value is none.
type Kind uint8

// The kinds, in the order in which they are listed.
const (
	CheckpointMissing Kind = iota + 1
	CheckpointUnreadable
	CheckpointSignature
	CheckpointUnknownKey
	CheckpointOrigin
	RootDiffers
	StoredRootDiffers
	TailMissing
	TailUnsigned
	EarlierUnusable
	RolledBack
	Forked

	RecordMissing
	RecordUnreadable
	LeafDiffers
	RecordMisplaced
	RecordDuplicate
	HeadNotPrefix

	SignatureMissing
	SignatureUnreadable
	SignatureNamespace
	SignatureInvalid
	SignerUnknown
	SignerOther
	KeyDiffers
	SecondKey

	PacketMissing
	PacketAltered
	PacketDiffers
	PrivatePresent

	BlockersDiffer
	ConclusionDiffers
	ViewDiffers
	OwnDecision
	Recused
	OwnCause
	NotTheirs
	ChoiceNotPermitted
	ReasonsMissing
	TimeBackwards
	RulesUnknown
	StatementMissing
	StatementDiffers
	StatementRefused
	SaltMissing

	SupersedesUnknown
	SupersedesOtherRevision
	SupersedesSuperseded
	SupersedesMissing
	CarriedMissing
	CarriedUnknown

	ServiceKeyUnusable
	RejectionUnsigned
	RejectionStray

	LogStatementAltered

	FileUnexpected
	FileMissing
	FileDiffers
)

type kindInfo struct{ word, meaning, cure string }

const (
	keepCopy   = "Keep a copy of it as it is, then restore a backup that verifies."
	askWhere   = "Do not rely on it; ask whoever keeps the log how it came about."
	askService = "Rely on nothing that was recorded after it; push the record again, or ask the service's operator."
	newExport  = "Export again from the store into another folder, and compare."
)

// kinds is the one place where the vocabulary stands, indexed by Kind.
var kinds = [...]kindInfo{
	CheckpointMissing:    {"checkpoint_missing", "The log has no signed checkpoint.", "Do not rely on it before its keeper has signed it."},
	CheckpointUnreadable: {"checkpoint_unreadable", "The checkpoint is not a signed checkpoint as this program writes it.", keepCopy},
	CheckpointSignature:  {"checkpoint_signature", "The signature under the checkpoint is not one of its text.", keepCopy},
	CheckpointUnknownKey: {"checkpoint_unknown_key", "No known key signed the checkpoint.", "Get the log's verifier key from its keeper and compare."},
	CheckpointOrigin:     {"checkpoint_origin", "The checkpoint is one of another log.", "Put the checkpoint and the log that belong together side by side."},
	RootDiffers:          {"root_differs", "The records do not hash to the root that the checkpoint signs: some record was changed, added, removed or moved.", keepCopy},
	StoredRootDiffers:    {"stored_root_differs", "The tree kept beside the records is not the one of the records.", keepCopy},
	TailMissing:          {"tail_missing", "The log holds fewer records than its checkpoint signs.", keepCopy},
	TailUnsigned:         {"tail_unsigned", "The log holds records that no checkpoint covers.", askWhere},
	EarlierUnusable:      {"earlier_unusable", "The earlier checkpoint is not one of this log, or its signature does not verify.", "Name a checkpoint of this log, or compare the origins and keys."},
	RolledBack:           {"rolled_back", "The log holds fewer records than an earlier checkpoint signs.", keepCopy},
	Forked:               {"forked", "The log does not extend an earlier checkpoint of the same origin: history was rewritten.", keepCopy},

	RecordMissing:    {"record_missing", "A record of the log is gone.", keepCopy},
	RecordUnreadable: {"record_unreadable", "A record is not one that this program writes: it was damaged, edited or forged.", keepCopy},
	LeafDiffers:      {"leaf_differs", "A record's bytes are not those that were logged.", keepCopy},
	RecordMisplaced:  {"record_misplaced", "A record is filed under another sequence, table or id than its own.", keepCopy},
	RecordDuplicate:  {"record_duplicate", "Two records have the same id.", keepCopy},
	HeadNotPrefix:    {"head_not_prefix", "The log that the reviewer saw when signing is not the beginning of this log.", askWhere},

	SignatureMissing:    {"signature_missing", "A record is not signed.", keepCopy},
	SignatureUnreadable: {"signature_unreadable", "A signature is not an armored SSH signature as this program writes it.", keepCopy},
	SignatureNamespace:  {"signature_namespace", "A signature was made for another purpose than enforcement records.", askWhere},
	SignatureInvalid:    {"signature_invalid", "A signature is not one of these bytes: the record was changed, or the signature belongs to another one.", keepCopy},
	SignerUnknown:       {"signer_unknown", "A record is signed by a key of no known reviewer.", "Ask the reviewer for the key's fingerprint; without it the record is nobody's."},
	SignerOther:         {"signer_other", "A record is signed by the key of another reviewer than it names.", askWhere},
	KeyDiffers:          {"key_differs", "A record is signed by another key than the one that it names.", askWhere},

	SecondKey: {"second_key", "A record is signed in a reviewer's name by another key than the first of that reviewer in this log.", "Do not rely on the records of that key; ask the reviewer which one is theirs."},

	PacketMissing:  {"packet_missing", "A packet that a record judged is not there.", "Import it again from its source, or restore a backup."},
	PacketAltered:  {"packet_altered", "A packet is not as it was stored: it does not match its own digests.", keepCopy},
	PacketDiffers:  {"packet_differs", "A packet is not the one whose hashes the record states.", keepCopy},
	PrivatePresent: {"private_present", "A packet holds private details that should have been masked.", "Do not pass it on; find out who put them there."},

	BlockersDiffer:     {"blockers_differ", "Judged again, the packet has other blockers than the record states.", askWhere},
	ConclusionDiffers:  {"conclusion_differs", "What the record concludes does not follow from its packets.", askWhere},
	ViewDiffers:        {"view_differs", "What was on the reviewer's screen was not these packets.", askWhere},
	OwnDecision:        {"own_decision", "A reviewer judged their own decision.", askWhere},
	Recused:            {"recused", "A reviewer judged a case from which they are recused.", askWhere},
	OwnCause:           {"own_cause", "A reviewer judged a case or amendment to which they are a party.", askWhere},
	NotTheirs:          {"not_theirs", "A reviewer judged a case that is another's, without a safety admin's right to block it.", askWhere},
	ChoiceNotPermitted: {"choice_not_permitted", "What the reviewer chose may not be recorded under the gate and the policy.", askWhere},
	ReasonsMissing:     {"reasons_missing", "A record that requires a statement of reasons has none.", askWhere},
	TimeBackwards:      {"time_backwards", "The times of a record are out of order, or its id is not of the time at which it was recorded.", "Check the clock of the machine that recorded it."},
	RulesUnknown:       {"rules_unknown", "A record was judged by a rule book that this program does not have, so it was not judged again.", "Check it with a version of docket that has that rule book."},
	StatementMissing:   {"statement_missing", "The statement of reasons that a record vouches for is gone.", keepCopy},
	StatementDiffers:   {"statement_differs", "A statement of reasons is not the one that its record vouches for.", keepCopy},
	StatementRefused:   {"statement_refused", "A statement of reasons is empty, too long or holds private details.", askWhere},
	SaltMissing:        {"salt_missing", "The salt of a record's packet digest is gone or cannot be one.", keepCopy},

	SupersedesUnknown:       {"supersedes_unknown", "A record supersedes one that is not before it in the log.", askWhere},
	SupersedesOtherRevision: {"supersedes_other_revision", "A record supersedes one on another case, amendment or revision.", askWhere},
	SupersedesSuperseded:    {"supersedes_superseded", "A record supersedes one that was superseded before.", askWhere},
	SupersedesMissing:       {"supersedes_missing", "A record does not name the one in force that it takes the place of.", askWhere},

	CarriedMissing: {"carried_missing", "A record leaves out a blocker that somebody added in an earlier record on the revision.", askWhere},
	CarriedUnknown: {"carried_unknown", "A record carries over a blocker that nobody added in an earlier record on the revision.", askWhere},

	ServiceKeyUnusable: {"service_key_unusable", "The key with which the service signs rejections cannot be used.", "Get the service's verifier key from its operator and compare."},
	RejectionUnsigned:  {"rejection_unsigned", "A rejection is not one that the service signed: it was edited, or another key signed it.", askService},
	RejectionStray:     {"rejection_stray", "A rejection is not of the record that it is filed with, or of none in the log.", askService},

	LogStatementAltered: {"log_statement_altered", "A statement about the log is not signed by whom it names, or is of another log.", keepCopy},

	FileUnexpected: {"file_unexpected", "A bundle holds something that is no part of one.", "Move it out of the folder."},
	FileMissing:    {"file_missing", "A file of the bundle is not there.", newExport},
	FileDiffers:    {"file_differs", "A file of the bundle does not say what follows from the records.", newExport},
}

// Kinds lists all kinds.
func Kinds() []Kind {
	all := make([]Kind, 0, len(kinds)-1)
	for kind := 1; kind < len(kinds); kind++ {
		all = append(all, Kind(kind))
	}
	return all
}

func (k Kind) info() kindInfo {
	if int(k) >= len(kinds) {
		return kindInfo{}
	}
	return kinds[k]
}

// String returns the kind's word; "" for none.
func (k Kind) String() string { return k.info().word }

// Meaning says in one sentence what was found.
func (k Kind) Meaning() string { return k.info().meaning }

// Cure says in one sentence what to do.
func (k Kind) Cure() string { return k.info().cure }

// MarshalJSON writes the kind's word.
func (k Kind) MarshalJSON() ([]byte, error) { return []byte(`"` + k.String() + `"`), nil }

// NoSequence is the sequence of a finding about the log as a whole.
const NoSequence = -1

// A Finding is one thing that is not as it has to be.
type Finding struct {
	Sequence int64           `json:"sequence"`           // of the record; NoSequence if it is about the log
	RecordID domain.RecordID `json:"recordId,omitempty"` // of the record; "" where it cannot be read
	Kind     Kind            `json:"kind"`
	Detail   string          `json:"detail,omitempty"` // names, codes and numbers, never a value of a packet
}

// String writes the finding on one line.
func (f Finding) String() string {
	text := f.Kind.String()
	if f.Sequence != NoSequence {
		text = fmt.Sprintf("record %d: %s", f.Sequence, text)
	}
	if f.RecordID.Present() {
		text = fmt.Sprintf("record %d (%s): %s", f.Sequence, f.RecordID, f.Kind)
	}
	if f.Detail == "" {
		return text + ": " + f.Kind.Meaning()
	}
	return text + ": " + f.Kind.Meaning() + " (" + f.Detail + ")"
}
