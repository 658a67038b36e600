package verify

import (
	"fmt"
	"strings"

	"docket/domain/records"
)

// A Code names a defect of a log, or of the store that keeps it. The zero value is none.
type Code uint8

// The codes, in the order of listing; a finding's detail says which thing it is about.
const (
	KeyUnusable Code = iota + 1
	SchemaAltered
	StructureDamaged
	DerivedDiffers
	RowUnexpected

	AnchorMissing
	AnchorUnreadable
	CheckpointUnusable
	RootDiffers
	TailMissing
	TailUnsigned
	EarlierUnusable
	RolledBack
	Forked
	RowsRolledBack
	LogRestored
	PolicyUnmet

	RecordMissing
	RecordAltered
	HeadNotPrefix
	ChainBroken
	SignatureInvalid
	SignerDiffers
	KeyNotEndorsed
	SignedAfterRevocation

	PacketMissing
	PacketAltered
	PrivatePresent
	TextMissing
	TextAltered
	NoteAltered

	JudgmentDiffers
	ReviewerBarred
	ChoiceNotPermitted
	TimeBackwards
	RulesUnknown

	EvidenceAltered
	ServiceSetBack
	LogStatementAltered
	StatementNotAuthorized

	FileUnexpected
	FileMissing
	FileDiffers
	LineEndsChanged
)

type codeInfo struct {
	word, meaning, cure string
	of                  aspect // the side of a record to which it belongs; 0: none
	harmless            bool   // the store goes on taking records
}

const (
	keepCopy   = "Keep a copy of the file, then restore a backup that verifies."
	askWhere   = "Do not rely on it; ask the keeper of the log what happened."
	newExport  = "Export again from the store into another folder, and compare."
	acceptOnce = "Compare the store with a backup, an export or a receipt; if it has all their records, accept the log as it is."
	findNewer  = "Look for the newer file or its -wal file, and open that; if there is none, move this file aside and run `docket restore` on it."
)

// codes is the one table of findings, indexed by Code.
var codes = [...]codeInfo{
	KeyUnusable:      {word: "key_unusable", meaning: "The key that signs this log's checkpoints cannot be used.", cure: keepCopy},
	SchemaAltered:    {word: "schema_altered", meaning: "Another program changed a table, an index or a trigger.", cure: keepCopy},
	StructureDamaged: {word: "structure_damaged", meaning: "The file is damaged: part of it cannot be read.", cure: keepCopy},
	DerivedDiffers: {word: "derived_differs",
		meaning: "What is kept beside the entries does not follow from them: the tree, the ends of the tables, or the list of keys.",
		cure:    keepCopy},
	RowUnexpected: {word: "row_unexpected",
		meaning: "A table holds a row that the log does not name, or that does not belong in a store of this kind.",
		cure:    "Do not rely on it: docket did not write it."},

	AnchorMissing: {word: "anchor_missing",
		meaning: "This machine keeps no checkpoint of this log for this user: it was removed, or another user made the store. Missing records would not be noticed.",
		cure:    acceptOnce},
	AnchorUnreadable: {word: "anchor_unreadable",
		meaning: "This store did not sign the checkpoint that is kept outside it.", cure: acceptOnce},
	CheckpointUnusable: {word: "checkpoint_unusable", meaning: "A signed checkpoint of the log is missing or does not verify.",
		cure: "Keep a copy of the file, and restore a backup that verifies, or get the log's verifier key from its keeper and compare."},
	RootDiffers: {word: "root_differs",
		meaning: "The entries do not hash to the checkpoint's root: one was changed, added, removed or moved.",
		cure:    keepCopy},
	TailMissing:  {word: "tail_missing", meaning: "The log holds fewer entries than its checkpoint signs.", cure: keepCopy},
	TailUnsigned: {word: "tail_unsigned", meaning: "The log holds entries that no checkpoint covers.", cure: askWhere},
	EarlierUnusable: {word: "earlier_unusable",
		meaning: "The earlier checkpoint belongs to another log, or its signature is not valid.",
		cure:    "Name a checkpoint of this log, or compare the origins and keys."},
	RolledBack: {word: "rolled_back", meaning: "The log holds fewer entries than an earlier checkpoint signs.", cure: findNewer},
	Forked: {word: "forked", meaning: "The log does not extend an earlier checkpoint of the same origin: history was rewritten.",
		cure: "Keep both files, verify both, and go on with the one whose receipts the reviewers hold."},
	RowsRolledBack: {word: "rows_rolled_back",
		meaning: "A table of answers of a service, cosignatures or tokens lacks rows that this machine saw.",
		cure:    "Look for the newer file or its -wal file, and open that; if there is none, compare with an export or the service, and accept the log as it is."},
	LogRestored: {word: "log_restored",
		meaning:  "A checkpoint or key that was kept is of a log that was restored since, maybe to fewer records.",
		cure:     "Ask who restored it whether they did, and compare the key; then `docket verify --accept-restore`. Reviewers hand in what is missing again, with their receipts.",
		harmless: true},
	PolicyUnmet: {word: "policy_unmet", meaning: "No checkpoint has the quorum of the witness policy, or none that is new enough.",
		cure: "Run `docket witness submit`, and ask the witnesses that do not cosign.", harmless: true},

	RecordMissing: {word: "record_missing", meaning: "An entry of the log is gone.", cure: keepCopy, of: ofProof},
	RecordAltered: {word: "record_altered",
		meaning: "A record is not the one that was logged in its place.", cure: keepCopy, of: ofProof},
	HeadNotPrefix: {word: "head_not_prefix",
		meaning: "The log that the reviewer saw when signing is not the beginning of this log.",
		cure:    askWhere},
	ChainBroken: {word: "chain_broken",
		meaning: "A record does not go on from the record in force on its revision, or from the blockers that people added.",
		cure:    askWhere},
	SignatureInvalid: {word: "signature_invalid", meaning: "A record's signature does not hold.", cure: keepCopy, of: ofSignature},
	SignerDiffers: {word: "signer_differs",
		meaning: "A record is signed by a key that is not the one of the reviewer whom it names.",
		cure:    "Do not rely on it; ask the reviewer for the key's fingerprint.", of: ofSignature},
	KeyNotEndorsed: {word: "key_not_endorsed",
		meaning: "A record is signed in a reviewer's name by a key that does not count for the reviewer.",
		cure:    "Do not rely on that key's records; compare it with the keys on the reviewer's machines. A new key counts after `docket identity rotate` or `replace`."},
	SignedAfterRevocation: {word: "signed_after_revocation",
		meaning: "A record or a statement is signed by a key that was revoked before, so it is not in force.",
		cure:    "Judge its case or amendment again.", harmless: true},

	PacketMissing: {word: "packet_missing", meaning: "A packet that a record judged is missing.",
		cure: "Import it again from its source, or restore a backup.", of: ofReplay},
	PacketAltered: {word: "packet_altered", meaning: "A packet is not the one that came in.",
		cure: "Keep a copy of the file and restore a backup, or import the packets from their source into a new store.", of: ofReplay},
	PrivatePresent: {word: "private_present",
		meaning: "A packet holds private details that should have been masked.",
		cure:    "Do not pass it on; find out who put them there.", of: ofReplay},
	TextMissing: {word: "text_missing",
		meaning: "A statement of reasons, a packet's texts or a salt is gone without a statement of its erasure.",
		cure:    "If it was deleted on purpose, state that with `docket erase`; otherwise restore a backup.", of: ofReplay},
	TextAltered: {word: "text_altered", meaning: "A statement of reasons is not the one of its record, or holds what must not be in one.",
		cure: "Do not rely on it; restore a backup that verifies, or ask the keeper of the log what happened.", of: ofReplay},
	NoteAltered: {word: "note_altered", meaning: "A private note is not the one of its record.",
		cure: "Do not rely on the note; the record is not affected. If it was deleted on purpose, state that with `docket erase note RECORD`."},

	JudgmentDiffers: {word: "judgment_differs",
		meaning: "Judged again from its packets, a record does not state what follows from them.",
		cure:    askWhere, of: ofReplay},
	ReviewerBarred: {word: "reviewer_barred", meaning: "A reviewer judged what they must not judge.", cure: askWhere, of: ofReplay},
	ChoiceNotPermitted: {word: "choice_not_permitted",
		meaning: "A record holds a choice that its gate, its policy or an erasure does not permit, or lacks the reasons that it requires.",
		cure:    askWhere, of: ofReplay},
	TimeBackwards: {word: "time_backwards",
		meaning: "The times of a record or a statement are out of order, or a record's id has another time.",
		cure:    "Check the clock of the machine that made it.", of: ofReplay},
	RulesUnknown: {word: "rules_unknown",
		meaning: "A record names a rule book that this program does not have, so it was not judged again.",
		cure:    "Check it with a version of docket that has that rule book.", of: ofReplay, harmless: true},

	EvidenceAltered: {word: "evidence_altered",
		meaning: "What a service or a witness signed, or its key, is missing, does not verify, or belongs to something else.",
		cure:    "Do not rely on later records; compare the key with the one that the operator gives you, push the record again, or restore a backup."},
	ServiceSetBack: {word: "service_set_back",
		meaning:  "The service's log does not extend the one that it showed before, and nobody accepted it.",
		cure:     "Ask the service's operator; both checkpoints are kept as proof. Pull and push go on after `docket accept service`.",
		harmless: true},
	LogStatementAltered: {word: "log_statement_altered",
		meaning: "A statement is not the one that was logged in its place, is not signed by the person whom it names, or belongs to another log.",
		cure:    keepCopy},
	StatementNotAuthorized: {word: "statement_not_authorized",
		meaning: "A statement about the log is by somebody who had no record in it, or with a key that did not count.",
		cure:    "Find out who signed it. What it allows is not to be relied on: compare with a backup or an export."},

	FileUnexpected: {word: "file_unexpected", meaning: "A bundle holds a file that is no part of one.",
		cure: "Move it out of the folder."},
	FileMissing: {word: "file_missing", meaning: "A file of the bundle is missing.", cure: newExport},
	FileDiffers: {word: "file_differs", meaning: "A file of the bundle does not follow from the records.", cure: newExport},
	LineEndsChanged: {word: "line_ends_changed", meaning: "Line ends of text files were changed from LF to CR LF.",
		cure: "Copy the export again without changing line ends."},
}

// Codes lists all codes.
func Codes() []Code {
	all := make([]Code, 0, len(codes)-1)
	for code := 1; code < len(codes); code++ {
		all = append(all, Code(code))
	}
	return all
}

func (c Code) info() codeInfo {
	if int(c) >= len(codes) {
		return codeInfo{}
	}
	return codes[c]
}

// String returns the code's word; "" for none.
func (c Code) String() string { return c.info().word }

// Meaning returns the defect in one sentence.
func (c Code) Meaning() string { return c.info().meaning }

func (c Code) with(detail string) string {
	if detail == "" {
		return c.Meaning()
	}
	return c.Meaning() + " (" + detail + ")"
}

// Cure returns the next step in one sentence.
func (c Code) Cure() string { return c.info().cure }

// Stops reports whether a store with such a finding takes no more records.
func (c Code) Stops() bool { return !c.info().harmless }

// MarshalJSON writes the code's word.
func (c Code) MarshalJSON() ([]byte, error) { return []byte(`"` + c.String() + `"`), nil }

// NoSequence is the sequence of a finding about the log as a whole.
const NoSequence = -1

// A Finding is one defect.
type Finding struct {
	Sequence int64            `json:"sequence"`           // the position of the entry, or NoSequence
	RecordID records.RecordID `json:"recordId,omitempty"` // of the record; "" where it cannot be read
	Code     Code             `json:"kind"`
	Detail   string           `json:"detail,omitempty"` // names, codes, numbers; no packet's values
}

// OfLog makes a finding about the log as a whole. The detail may be "".
func (c Code) OfLog(detail string) Finding { return Finding{NoSequence, "", c, detail} }

// OfRecord makes a finding about one record. The detail may be "".
func (c Code) OfRecord(sequence int64, id records.RecordID, detail string) Finding {
	return Finding{sequence, id, c, detail}
}

// OfEntry makes a finding about one entry of the log: about the record of the id, if it is one.
func (c Code) OfEntry(position int64, id records.RecordID, detail string) Finding {
	if id.Valid() {
		return c.OfRecord(position, id, detail)
	}
	return c.OfLog(strings.TrimSuffix(fmt.Sprintf("entry %d: %s", position, detail), ": "))
}

// String writes the finding on one line, with its code.
func (f Finding) String() string {
	return f.about("record", "entry") + f.Code.String() + ": " + f.Code.with(f.Detail)
}

// Sentence returns the record and the defect, without the code.
func (f Finding) Sentence() string {
	text := f.Code.Meaning()
	if f.Detail != "" {
		text = strings.TrimSuffix(text, ".") + " (" + f.Detail + ")."
	}
	return f.about("Record", "Entry") + text
}

// about names the record, or an entry of which no record is known; "" for the log.
func (f Finding) about(record, entry string) string {
	switch {
	case f.Sequence == NoSequence:
		return ""
	case !f.RecordID.Present():
		return fmt.Sprintf("%s %d: ", entry, f.Sequence)
	}
	return fmt.Sprintf("%s %d (%s): ", record, f.Sequence, f.RecordID)
}
